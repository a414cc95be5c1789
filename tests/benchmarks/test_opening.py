"""What `make bench-opening` reckons: shares, popularity, typing, percentiles, and a morning moved to today."""

from __future__ import annotations

import datetime as dt
import socketserver
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.management.example import example_schedule
from tests.benchmarks.mix import SHARES, Mix, popularity, typed
from tests.benchmarks.morning import moved, zone_at
from tests.benchmarks.opening import parsed
from tests.benchmarks.servers import _cpu_ticks
from tests.benchmarks.visitors import Outcome, percentile, visit

FOUND: dict[str, Any] = {
    "days": ["/x/schedule/1/", "/x/schedule/2/"],
    "overview": "/x/",
    "events": [f"/x/events/{number}/" for number in range(100)],
    "bookmarks": {f"/x/events/{number}/": f"/x/events/{number}/bookmark/" for number in range(100)},
    "search": "/x/search/",
    "titles": ["Patient Ladders for Planning"],
    "tokens": ["secret"],
    "feeds": ["/feeds/a.ics"],
    "exports": ["/x/schedule.ics"],
}


def test_mix_has_the_shares_of_an_opening() -> None:
    asked = Counter(ask.kind.partition(",")[0] for ask in islice(Mix(FOUND, 9000), 20_000))

    assert {kind: pytest.approx(share, abs=1.5) for kind, share in SHARES.items()} == {
        kind: 100 * count / 20_000 for kind, count in asked.items()
    }


def test_shares_are_those_that_the_documents_name() -> None:
    pages = {"day": 45, "overview": 10, "event": 45}

    documented = {**{kind: 0.7 * share for kind, share in pages.items()}, "search": 15, "feed": 10, "bookmark": 5}

    assert pytest.approx(documented) == SHARES


def test_half_of_the_visitors_have_an_agenda() -> None:
    pages = [ask for ask in islice(Mix(FOUND, 9000), 10_000) if ask.kind.partition(",")[0] in {"day", "overview", "event"}]

    cookies = [b"\r\nCookie: hallway=secret\r\n" in ask.raw for ask in pages]

    assert sum(cookies) / len(cookies) == pytest.approx(0.5, abs=0.03)
    assert cookies == [ask.kind.endswith(", agenda") for ask in pages]


def test_same_seed_asks_for_the_same() -> None:
    first, second, other = ([ask.raw for ask in islice(Mix(FOUND, 9000, seed=seed), 50)] for seed in (1, 1, 2))

    assert first == second != other


def test_popularity_falls_with_the_rank() -> None:
    assert popularity(4) == pytest.approx([1, 3 / 2, 11 / 6, 25 / 12])


def test_words_are_typed_a_letter_at_a_time() -> None:
    assert typed("deep le") == ["dee", "deep", "deep l", "deep le"]
    assert typed("ab") == ["ab"]


def test_calendar_asks_again_with_what_it_got() -> None:
    mix = Mix(FOUND, 9000, shares={"feed": 100})

    before = {ask.kind for ask in islice(mix, 20)}
    mix.etags["/feeds/a.ics"] = '"tag"'
    after = {ask.kind: ask.raw for ask in islice(mix, 20)}

    assert before == {"feed"}
    assert after.keys() == {"feed", "feed, again"}
    assert b'\r\nIf-None-Match: "tag"\r\n' in after["feed, again"]


def test_bookmark_comes_from_this_site() -> None:
    ask = next(iter(Mix(FOUND, 9000, shares={"bookmark": 100})))

    head, _, form = ask.raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    assert lines[0].startswith(b"POST /x/events/")
    assert {b"Origin: http://127.0.0.1:9000", b"Content-Length: 4"} <= set(lines)
    assert form in {b"on=0", b"on=1"}


@pytest.mark.parametrize(("percent", "value"), [(0, 1), (50, 2), (51, 3), (75, 3), (95, 4), (100, 4)])
def test_percentile_is_a_value_that_was_measured(percent: int, value: int) -> None:
    assert percentile([4.0, 2.0, 3.0, 1.0], percent) == value


def test_requests_that_still_wait_count_with_their_wait() -> None:
    outcome = Outcome(seconds=10, waits={"day": [1.0, 1.0]}, waiting=[10.0, 10.0])

    assert (outcome.answers, outcome.per_second, outcome.late(50), outcome.late(75)) == (2, 0.2, 1.0, 10.0)


def test_nothing_answered_has_no_percentile() -> None:
    assert percentile([], 95) == 0


@pytest.mark.parametrize("hour", range(24))
def test_zone_where_it_is_nine(hour: int) -> None:
    now = dt.datetime(2026, 11, 23, hour, 40, tzinfo=dt.UTC)

    assert now.astimezone(ZoneInfo(zone_at(9, now))).hour == 9


def test_moved_programme_opens_today_at_the_same_distances() -> None:
    schedule, opening = example_schedule(120), dt.datetime(2026, 11, 23, 9, 2, tzinfo=ZoneInfo("Etc/GMT-3"))

    today = moved(schedule, opening)

    later = opening - dt.datetime.fromisoformat("2025-04-24T01:00Z")
    starts = [event.start + later for event in schedule.events if event.start]
    assert [event.start for event in today.events if event.start] == starts
    assert (today.conference.start, today.days[0].date) == (opening.date(), opening.date())
    assert today.conference.timezone == "Etc/GMT-3"


def test_processor_time_is_read_beside_a_name_with_spaces() -> None:
    assert _cpu_ticks("12 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20") == 42


def test_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(["--part", "mix,lunch"])

    assert "unknown: lunch" in capsys.readouterr().err


class _Answers(socketserver.BaseRequestHandler):
    """Answers each request after a moment. One connection is closed after its first answer."""

    def handle(self) -> None:
        while data := self.request.recv(65536):
            assert data.startswith(b"GET ")
            time.sleep(0.01)
            self.request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            if not self.server.closed_one.is_set():  # type: ignore[attr-defined]
                self.server.closed_one.set()  # type: ignore[attr-defined]
                return


@pytest.fixture
def answering() -> Iterator[int]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Answers) as server:
        server.daemon_threads = True
        server.closed_one = threading.Event()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


@pytest.mark.parametrize(("connections", "per_second"), [(4, None), (4, 40), (1, 400)], ids=["no pauses", "calm", "too many"])
def test_every_question_counts_also_one_without_a_free_connection(
    answering: int, connections: int, per_second: float | None
) -> None:
    days = Mix(FOUND, answering, shares={"day": 100})

    outcome = visit(answering, days, connections=connections, seconds=1, per_second=per_second)

    lost = outcome.errors.total()
    assert (outcome.unserved, lost) in {(0, 0), (0, 1)}
    assert outcome.answers > 20
    if per_second:
        asked = int(outcome.seconds * per_second)
        assert outcome.answers + len(outcome.waiting) + lost in {asked, asked + 1}
    if per_second == 400:
        assert outcome.late(95) > 0.3
