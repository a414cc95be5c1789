"""What visitors of an opening morning ask for: in which shares, and as bytes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any
from urllib.parse import quote_plus

SHARES = {"day": 31.5, "overview": 7.0, "event": 31.5, "search": 15.0, "feed": 10.0, "bookmark": 5.0}
"""Kind → percent of the requests: 70 % are pages, 45 % of them days, 10 % the overview, 45 % events."""
WITH_EXPORTS = {**SHARES, "export": 0.5}
EVENT_PAGES = {"event": 100.0}
MIN_TYPED_CHARS = 3


@dataclass(frozen=True)
class Ask:
    kind: str
    path: str
    raw: bytes = field(repr=False)


def popularity(count: int) -> list[float]:
    """Cumulative weights of ranks by Zipf's law: the second is wanted half as often as the first, the third a third as often."""
    return list(accumulate(1 / rank for rank in range(1, count + 1)))


def typed(words: str) -> list[str]:
    """What a search field holds while the words are typed, a letter at a time."""
    return [words[:end] for end in range(min(MIN_TYPED_CHARS, len(words)), len(words) + 1) if words[end - 1] != " "]


class Mix:
    """Endless requests of all visitors together. The same seed asks for the same, in the same order."""

    def __init__(self, found: Mapping[str, Any], port: int, *, shares: Mapping[str, float] = SHARES, seed: int = 1) -> None:
        self.found = found
        self.etags: dict[str, str] = {}
        """Path of a feed → what its calendar got last."""
        self._chance = random.Random(seed)
        self._events: Sequence[str] = self._chance.sample(found["events"], len(found["events"]))
        self._popularity = popularity(len(self._events))
        self._typing = self._questions()
        self._kinds, self._shares = list(shares), list(accumulate(shares.values()))
        self._host = f"127.0.0.1:{port}"

    def __iter__(self) -> Iterator[Ask]:
        while True:
            kind = self._chance.choices(self._kinds, cum_weights=self._shares)[0]
            yield getattr(self, f"_{kind}")()

    def _event_path(self) -> str:
        return self._chance.choices(self._events, cum_weights=self._popularity)[0]

    def _questions(self) -> Iterator[str]:
        while True:
            words = self._chance.choice(self.found["titles"]).split()
            start = self._chance.randrange(max(1, len(words) - 1))
            yield from typed(" ".join(words[start : start + 2]).lower())

    def _page(self, kind: str, path: str) -> Ask:
        """Half of the visitors have an agenda."""
        if self._chance.random() < 0.5:
            return self._ask(f"{kind}, agenda", path, self._cookie())
        return self._ask(kind, path)

    def _day(self) -> Ask:
        return self._page("day", self._chance.choice(self.found["days"]))

    def _overview(self) -> Ask:
        return self._page("overview", self.found["overview"])

    def _event(self) -> Ask:
        return self._page("event", self._event_path())

    def _search(self) -> Ask:
        return self._ask("search", f"{self.found['search']}?q={quote_plus(next(self._typing))}&part=results")

    def _feed(self) -> Ask:
        """Half are new subscriptions; the others ask whether the feed is still what they got."""
        path = self._chance.choice(self.found["feeds"])
        if path in self.etags and self._chance.random() < 0.5:
            return self._ask("feed, again", path, [f"If-None-Match: {self.etags[path]}"])
        return self._ask("feed", path)

    def _export(self) -> Ask:
        return self._ask("export", self._chance.choice(self.found["exports"]))

    def _bookmark(self) -> Ask:
        form = f"on={self._chance.randrange(2)}"
        headers = [*self._cookie(), f"Origin: http://{self._host}", "HX-Request: true", f"Content-Length: {len(form)}"]
        headers.append("Content-Type: application/x-www-form-urlencoded")
        return self._ask("bookmark", self.found["bookmarks"][self._event_path()], headers, "POST", form)

    def _cookie(self) -> list[str]:
        return [f"Cookie: hallway={self._chance.choice(self.found['tokens'])}"]

    def _ask(self, kind: str, path: str, headers: Sequence[str] = (), method: str = "GET", body: str = "") -> Ask:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self._host}", "Accept-Encoding: gzip", *headers, "", body]
        return Ask(kind, path, "\r\n".join(lines).encode())
