"""The talks of a session in its own entry, and no second entry for what is said there."""

from __future__ import annotations

from typing import Any

import pytest

from events.calendars import feeds
from events.models import BookmarkLevel, Event
from tests.calendars.reading import read
from tests.calendars.writing import property_of
from tests.factories import THURSDAY, at, make_agenda, make_conference, make_event, make_room

MORNING = at("08:00")

pytestmark = pytest.mark.django_db


def make_session(**fields: Any) -> Event:
    conference = make_conference()
    return make_event(conference, **{"title": "Oral 1A", "start": "09:00", "end": "10:00", "place": "Hall 1"} | fields)


def make_talk(session: Event, title: str = "Talk", start: Any = "09:00", end: Any = "09:15", **fields: Any) -> Event:
    values = {"kind": "talk", "title": title, "session": session, "start": start, "end": end}
    return make_event(session.conference, **values | fields)


def lines(event: Event) -> list[str]:
    return property_of(event, "DESCRIPTION").replace(r"\,", ",").split(r"\n")


def titles(*picks: Event, **options: Any) -> list[str]:
    agenda, _ = make_agenda(picks[0].conference, *picks)
    agenda.set_feed_options(**options)
    return [entry.summary for entry in read(feeds.agenda_feed(agenda, MORNING).body)]


def test_session_lists_its_talks_by_hour() -> None:
    session = make_session()
    make_talk(session, "Second", "09:15", "09:30")
    make_talk(session, "First")
    make_talk(session, "Off", "09:30", "09:45", status="cancelled")
    make_talk(session, "Elsewhere", "09:45", "10:00", room=make_room(session.conference, "Garnet 212"))
    make_talk(session, "Hidden", status="draft")
    make_talk(session, "A poster", kind="poster")
    make_talk(session, "Some time", start=None, end=None)

    assert lines(session)[3:-2] == [
        "09:00–09:15 First",
        "09:15–09:30 Second",
        "09:30–09:45 Cancelled: Off",
        "09:45–10:00 Elsewhere (Garnet 212)",
        "Some time",
    ]


def test_talk_on_another_day_says_so() -> None:
    session = make_session()
    make_talk(session, start=at("09:00", THURSDAY.replace(day=25)), end=at("09:15", THURSDAY.replace(day=25)))

    assert lines(session)[3] == "Fri 25 Apr, 09:00–09:15 Talk"


def test_long_list_says_how_many_more_there_are() -> None:
    session = make_session(abstract="About " * 400)
    for number in range(30):
        make_talk(session, f"{number:02} {'x' * 90}", "09:00", "09:15")

    text = lines(session)
    told = [line for line in text if line.startswith("09:00–09:15")]

    assert f"… and {30 - len(told)} more" in text
    assert (0 < len(told) < 30, len("\n".join(text).encode()) <= 2_000) == (True, True)
    assert text[-1].startswith("https://")


def test_talk_alone_has_its_own_entry() -> None:
    session = make_session()

    assert titles(make_talk(session)) == ["Talk"]


def test_talk_that_its_picked_session_tells_of_has_no_second_entry() -> None:
    session = make_session()

    assert titles(session, make_talk(session)) == ["Oral 1A"]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"start": "10:00", "end": "10:15"}, id="outside-its-session"),
        pytest.param({"place": "Hall 9"}, id="in-another-place"),
        pytest.param({"start": None, "end": None}, id="hour-unknown"),
        pytest.param({"kind": "poster"}, id="a-poster-has-its-board"),
        pytest.param({"kind": "session"}, id="a-session-has-its-own-talks"),
    ],
)
def test_talk_with_more_to_say_keeps_its_entry(fields: dict[str, Any]) -> None:
    session = make_session()

    assert sorted(titles(session, make_talk(session, **fields))) == ["Oral 1A", "Talk"]


def test_talk_beyond_the_end_of_the_list_keeps_its_entry() -> None:
    session = make_session()
    for number in range(30):
        make_talk(session, f"{number:02} {'x' * 90}", "09:00", "09:15")
    last = make_talk(session, "Last", "09:45", "10:00")

    assert sorted(titles(session, last)) == ["Last", "Oral 1A"]


def test_must_keeps_its_entry_when_its_session_is_only_maybe_and_left_out() -> None:
    session = make_session()
    talk = make_talk(session)
    agenda, _ = make_agenda(session.conference, session, talk)
    agenda.bookmarks.filter(event=session).update(level=BookmarkLevel.MAYBE)

    both = [entry.summary for entry in read(feeds.agenda_feed(agenda, MORNING).body)]
    agenda.set_feed_options(feed_must_only=True)
    musts = [entry.summary for entry in read(feeds.agenda_feed(agenda, MORNING).body)]

    assert (both, musts) == (["Oral 1A"], ["Talk"])


@pytest.mark.parametrize("wanted", ["struck", "dropped"])
def test_talk_of_a_cancelled_session_keeps_its_entry(wanted: str) -> None:
    session = make_session(status="cancelled")

    assert "Talk" in titles(session, make_talk(session), feed_cancelled=wanted)


@pytest.mark.parametrize("talks", [1, 3])
def test_talks_are_read_at_once(django_assert_num_queries: Any, talks: int) -> None:
    conference = make_conference()
    sessions = [make_event(conference, start="09:00", end="10:00", place="Hall 1") for _ in range(talks)]
    for session in sessions:
        make_talk(session)
    agenda, _ = make_agenda(conference, *sessions)

    with django_assert_num_queries(6):
        body = feeds.agenda_feed(agenda, MORNING).body

    assert body.replace(b"\r\n ", b"").decode().count("09:00–09:15 Talk") == talks


def test_whole_programme_lists_no_talks_and_gives_each_its_entry() -> None:
    session = make_session(abstract="About it")
    make_talk(session)

    body = feeds.schedule_feed(session.conference).body

    assert sorted(entry.summary for entry in read(body)) == ["Oral 1A", "Talk"]
    assert (b"09:15 Talk" in body, b"About it" in body) == (False, False)
