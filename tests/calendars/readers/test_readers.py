"""Every feed and every download, read by all readers; ``read`` has them agree, and here is what on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine

from events.models import BookmarkLevel
from tests.calendars.programme import BEFORE, EVENTS, Programme
from tests.calendars.readers.missing import MISSING
from tests.calendars.readers.table import READERS
from tests.calendars.reading import read, values

pytestmark = pytest.mark.django_db
ALL = list(EVENTS)


@pytest.fixture
def programme(db: None) -> Iterator[Programme]:
    with time_machine.travel(BEFORE, tick=False):
        yield Programme()


def expected(titles: list[str]) -> list[Any]:
    """By UID: whole days stand first by their own clocks."""
    return sorted(EVENTS[title].entry for title in titles)


def without(*titles: str) -> list[str]:
    return [title for title in ALL if title not in titles]


def test_all_readers_are_here() -> None:
    others = {"ical.js", "node-ical"} & READERS.keys()

    assert READERS.keys() >= {"icalendar", "vobject", "ics"}
    assert MISSING or READERS.keys() == {"icalendar", "vobject", "ics", "libical", *others}
    assert MISSING or len(READERS.keys() - {"icalendar"}) == 5


@pytest.mark.parametrize(
    ("address", "titles"),
    [
        pytest.param("{feed}", ALL, id="feed"),
        pytest.param("/vienna/agenda.ics", ALL, id="download"),
        pytest.param("/vienna/schedule.ics", ALL, id="schedule"),
        pytest.param("/vienna/schedule.ics?kind=social", ["Party", "Mixer"], id="socials"),
        pytest.param("/vienna/schedule.ics?kind=poster&kind=break", ["Poster", "Lunch"], id="two-kinds"),
        pytest.param("/vienna/schedule.ics?layer=sessions", without("Party", "Mixer", "Poster"), id="layer"),
        pytest.param("/vienna/schedule.ics?day=2025-03-30&kind=social", ["Mixer"], id="day-and-kind"),
        pytest.param("/vienna/schedule/2025-03-30.ics?kind=social", ["Mixer"], id="day"),
        pytest.param("/vienna/people/00000000-0000-0000-0000-000000000001.ics", ["Opening", "Party"], id="person"),
        pytest.param("/vienna/schedule.ics?day=2025-03-28", [], id="nothing"),
    ],
)
def test_readers_agree_on_everything(programme: Programme, address: str, titles: list[str]) -> None:
    body = programme.get(address.format(feed=programme.feed))

    assert sorted(read(body)) == expected(titles)


def test_readers_agree_on_each_event_by_itself(programme: Programme) -> None:
    found = {title: read(programme.get(f"/vienna/events/{case.guid}.ics")) for title, case in EVENTS.items()}

    assert found == {title: [case.entry] for title, case in EVENTS.items()}


@pytest.mark.parametrize(
    ("options", "titles"),
    [
        pytest.param({"feed_alarm": True}, ALL, id="alarms"),
        pytest.param({"feed_busy": False}, ALL, id="free"),
        pytest.param({"feed_breaks": False}, without("Lunch"), id="no-breaks"),
        pytest.param({"feed_cancelled": "dropped"}, without("Cut"), id="cancelled-dropped"),
    ],
)
def test_readers_agree_whatever_is_wanted_of_a_feed(programme: Programme, options: dict[str, Any], titles: list[str]) -> None:
    programme.agenda.set_feed_options(**options)

    body = programme.get(programme.feed)

    assert sorted(read(body)) == expected(titles)
    assert body.count(b"BEGIN:VALARM") == (len(without("Cut", "Some time")) if options == {"feed_alarm": True} else 0)


def test_readers_agree_on_what_must_be_seen(programme: Programme) -> None:
    programme.agenda.bookmarks.filter(event=programme.events["Party"]).update(level=BookmarkLevel.MAYBE)
    programme.agenda.set_feed_options(feed_must_only=True)

    assert sorted(read(programme.get(programme.feed))) == expected(without("Party"))


def test_readers_agree_on_what_is_cancelled_in_the_title_alone(programme: Programme) -> None:
    programme.agenda.set_feed_options(feed_cancelled="titled")

    (found,) = [entry for entry in read(programme.get(programme.feed)) if entry.summary == "Cancelled: Cut"]

    assert found == EVENTS["Cut"].entry._replace(status="CONFIRMED")


def test_readers_agree_on_what_was_taken_back(programme: Programme) -> None:
    with time_machine.travel(BEFORE, tick=False) as clock:
        before = read(programme.visitor().post("/vienna/agenda.ics").content)
        clock.shift(60)
        programme.agenda.bookmark(programme.events["Party"], on=False)
        after = programme.get("/vienna/agenda.ics")

    assert sorted(before) == expected(ALL)
    (gone,) = [entry for entry in read(after) if entry.uid == str(EVENTS["Party"].guid)]
    assert gone == EVENTS["Party"].entry._replace(status="CANCELLED", summary=gone.summary)
    assert gone.summary.endswith("Party")
    assert sorted(read(after)) == sorted([*expected(without("Party")), gone])
    assert values(after, "DTSTAMP").count(":20250301T080100Z") == 1


def test_readers_agree_on_an_agenda_of_nothing(programme: Programme) -> None:
    for event in programme.events.values():
        programme.agenda.bookmark(event, on=False)

    assert [read(programme.get(address)) for address in [programme.feed, "/vienna/agenda.ics"]] == [[], []]


def test_readers_agree_on_an_address_that_was_replaced(programme: Programme) -> None:
    old = programme.feed
    programme.agenda.reset_feed()

    (entry,) = read(programme.get(old))

    assert (entry.start, entry.end, entry.status) == (BEFORE.date(), BEFORE.date().replace(day=2), "CONFIRMED")
    assert sorted(read(programme.get(programme.feed))) == expected(ALL)
