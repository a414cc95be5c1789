"""The server as it is installed, with sixteen visitors, while PostgreSQL is away and while it is silent."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.benchmarks.opening import database
from tests.core.db.relay import Relay, relay_to
from tests.deploy.processes import DEPLOY, free_port, running, skip
from tests.processes import manage_shell

pytestmark = [pytest.mark.deploy, pytest.mark.alone]
AWAY_SECONDS, USUAL_SECONDS = 8.0, 1.5
LONGEST_WAIT, LONGEST_RETURN = 3.0, 2.0
# A busy machine makes everybody wait.
TOLERANCE = 1.0
VISITORS, PAUSE = 16, 0.05
AWAY_WORDS = ["The site cannot reach its database", "The database does not answer."]
PROGRAMME = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.factories import forms_url, make_agenda, make_conference, make_event
conference = make_conference(slug="demo")
events = [make_event(conference, title=f"Talk {hour}", start=f"{hour:02}:00", end=f"{hour:02}:30") for hour in range(8, 18)]
for event in events:
    event.revise()
print(forms_url(events[0]), make_agenda(conference, *events[:3])[1])
"""
KINDS = ["kept page", "page", "bookmark", "readiness", "file"]


@dataclass(frozen=True)
class Answer:
    kind: str
    began: float
    ended: float
    status: int
    text: str

    @property
    def is_good(self) -> bool:
        return self.status in {200, 302}

    @property
    def says_that_the_database_is_away(self) -> bool:
        return self.status == 503 and any(words in self.text for words in AWAY_WORDS)


@dataclass
class Site:
    port: int
    relay: Relay
    event: str
    token: str
    log: Path
    answers: list[Answer] = field(default_factory=list)

    def ask(self, kind: str, number: int) -> Answer:
        origin = f"http://127.0.0.1:{self.port}"
        form = {"Origin": origin, "Cookie": f"hallway={self.token}", "Content-Type": "application/x-www-form-urlencoded"}
        method, path, body, headers = {
            "kept page": ("GET", "/demo/", None, {}),
            # No two are the same, so that no cache has it.
            "page": ("GET", f"/demo/search/?q=talk+{number}", None, {}),
            "bookmark": ("POST", f"{self.event}bookmark/", f"on={number % 2}", form),
            "readiness": ("GET", "/readyz", None, {}),
            "file": ("GET", "/static/admin/css/base.css", None, {}),
        }[kind]
        began = time.monotonic()
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as client:
            client.request(method, path, body, headers)
            response = client.getresponse()
            text = response.read().decode()
        return Answer(kind, began, time.monotonic(), response.status, text)

    @contextlib.contextmanager
    def visitors(self) -> Iterator[None]:
        """Sixteen, each of whom asks for one thing after another."""
        ended = threading.Event()
        numbers = itertools.count()

        def visit(first: int) -> None:
            for kind in itertools.islice(itertools.cycle(KINDS), first, None):
                if ended.wait(PAUSE):
                    return
                self.answers.append(self.ask(kind, next(numbers)))

        threads = [threading.Thread(target=visit, args=(number,)) for number in range(VISITORS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            for thread in threads:
                thread.join()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("away")
    with database("postgresql") as url:
        if url is None:
            skip("PostgreSQL is not installed: apt install postgresql")
        settings = {"DATABASE_URL": url, "SECRET_KEY": "k" * 50}
        event, token = manage_shell(PROGRAMME, **settings).split()
        where = urlsplit(url)
        with relay_to(where.hostname or "127.0.0.1", where.port or 5432) as relay:
            user, _, _ = where.netloc.rpartition("@")
            settings["DATABASE_URL"] = urlunsplit(where._replace(netloc=f"{user}@127.0.0.1:{relay.port}"))
            port, log = free_port(), folder / "serve.log"
            with running([str(DEPLOY / "serve")], port, log, settings | {"PORT": str(port)}):
                site = Site(port, relay, event, token, log)
                for kind, number in itertools.product(KINDS, range(8)):
                    assert site.ask(kind, number).is_good
                yield site


@dataclass(frozen=True)
class Outage:
    began: float
    ended: float
    answers: list[Answer]

    def during(self) -> list[Answer]:
        """Without those that had begun before, and those that ended after."""
        return [it for it in self.answers if self.began < it.began and it.ended < self.ended]

    def returns(self) -> dict[str, float]:
        """After how many seconds the first good answer of each kind came."""
        good = [it for it in self.answers if it.is_good and it.ended > self.ended]
        return {kind: min(it.ended for it in good if it.kind == kind) - self.ended for kind in KINDS}

    def failed_later(self) -> list[Answer]:
        return [it for it in self.answers if not it.is_good and it.began > self.ended + LONGEST_RETURN + TOLERANCE]

    def unexpected(self) -> Counter[tuple[str, int]]:
        others = [it for it in self.answers if not (it.is_good or it.says_that_the_database_is_away)]
        return Counter((it.kind, it.status) for it in others)

    def longest(self) -> dict[str, float]:
        return {kind: max(it.ended - it.began for it in self.answers if it.kind == kind) for kind in KINDS}


def outage(site: Site, begin: Callable[[], None]) -> Outage:
    site.answers.clear()
    with site.visitors():
        time.sleep(USUAL_SECONDS)
        began = time.monotonic()
        begin()
        time.sleep(AWAY_SECONDS)
        site.relay.restore()
        ended = time.monotonic()
        time.sleep(LONGEST_RETURN + TOLERANCE + USUAL_SECONDS)
    return Outage(began, ended, list(site.answers))


@pytest.mark.parametrize("how", ["away", "silent"])
def test_nobody_waits_longer_than_three_seconds_and_all_returns_within_two(site: Site, how: str) -> None:
    it = outage(site, site.relay.cut if how == "away" else site.relay.silence)

    # Only these need no database.
    meant = {kind: {200 if kind == "file" else 503} for kind in KINDS}
    assert {kind: {answer.status for answer in it.during() if answer.kind == kind} for kind in KINDS} == meant
    assert it.unexpected() == Counter()
    assert {kind: wait for kind, wait in it.longest().items() if wait > LONGEST_WAIT + TOLERANCE} == {}
    assert {kind: wait for kind, wait in it.returns().items() if wait > LONGEST_RETURN + TOLERANCE} == {}
    assert it.failed_later() == []
    assert "Traceback" not in site.log.read_text()
