"""What the holder of an agenda wants in its feed."""

from __future__ import annotations

import datetime as dt
from typing import Any

import icalendar
import pytest
from django.test import Client

from events.calendars import entries, feeds
from events.calendars.vevent import vevent
from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, BookmarkLevel, Event
from tests.calendars.reading import read, values
from tests.calendars.world import World
from tests.factories import at, make_agenda, make_conference, make_event

MORNING = at("08:00")

pytestmark = pytest.mark.django_db


def feed_of(*events: Event, **options: Any) -> feeds.Feed:
    agenda, _ = make_agenda(events[0].conference, *events)
    agenda.set_feed_options(**options)
    return feeds.agenda_feed(agenda, MORNING)


def titles(feed: feeds.Feed) -> list[str]:
    return [entry.summary for entry in read(feed.body)]


def alarms(body: bytes) -> list[dict[str, Any]]:
    found = icalendar.Calendar.from_ical(body).walk("VALARM")
    return [{name: alarm.decoded(name) for name in ["ACTION", "TRIGGER", "DESCRIPTION"]} for alarm in found]


def level(agenda: Agenda, event: Event, wanted: BookmarkLevel) -> None:
    agenda.bookmarks.filter(event=event).update(level=wanted)


def test_feed_holds_musts_and_maybes_and_only_musts_on_request() -> None:
    conference = make_conference()
    must, maybe, later = (make_event(conference, title=name, start="09:00", end="10:00") for name in ["Must", "Maybe", "Later"])
    agenda, _ = make_agenda(conference, must, maybe, later)
    level(agenda, maybe, BookmarkLevel.MAYBE)
    level(agenda, later, BookmarkLevel.LATER)

    everything = titles(feeds.agenda_feed(agenda, MORNING))
    agenda.set_feed_options(feed_must_only=True)

    assert sorted(everything) == ["Maybe", "Must"]
    assert titles(feeds.agenda_feed(agenda, MORNING)) == ["Must"]


def test_feed_leaves_breaks_out_on_request() -> None:
    conference = make_conference()
    events = [make_event(conference, kind=kind, title=kind, start="09:00", end="10:00") for kind in ["break", "social"]]

    assert sorted(titles(feed_of(*events))) == ["break", "social"]
    assert titles(feed_of(*events, feed_breaks=False)) == ["social"]


def test_alarm_rings_ten_minutes_before_on_request() -> None:
    event = make_event(make_conference(), title="Keynote; part 1", start="09:00", end="10:00")

    assert alarms(feed_of(event).body) == []
    body = feed_of(event, feed_alarm=True).body
    assert alarms(body) == [{"ACTION": "DISPLAY", "TRIGGER": dt.timedelta(minutes=-10), "DESCRIPTION": "Keynote; part 1"}]
    assert b"TRIGGER:-PT10M\r\n" in body
    assert [entry.summary for entry in read(body)] == ["Keynote; part 1"]


@pytest.mark.parametrize("cancelled", ["struck", "titled"])
def test_nothing_rings_for_what_is_cancelled_or_has_no_hour(cancelled: str) -> None:
    conference = make_conference()
    off = make_event(conference, start="09:00", end="10:00", status="cancelled")

    assert alarms(feed_of(off, make_event(conference), feed_alarm=True, feed_cancelled=cancelled).body) == []


def test_picks_block_the_time_or_not_as_their_holder_wants() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    assert values(feed_of(event).body, "TRANSP") == [":OPAQUE"]
    assert values(feed_of(event, feed_busy=False).body, "TRANSP") == [":TRANSPARENT"]


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        pytest.param("struck", [("Cancelled: Party", "CANCELLED")], id="struck"),
        pytest.param("titled", [("Cancelled: Party", "CONFIRMED")], id="titled-so-that-google-shows-it"),
        pytest.param("dropped", [], id="dropped"),
    ],
)
def test_cancelled_is_shown_as_its_holder_wants(wanted: str, shown: list[tuple[str, str]]) -> None:
    event = make_event(make_conference(), title="Party", start="21:00", end="23:00", status="cancelled")

    body = feed_of(event, feed_cancelled=wanted).body

    assert [(entry.summary, entry.status) for entry in read(body)] == shown
    assert values(body, "TRANSP") == [":TRANSPARENT"] * len(shown)


def test_options_move_the_feed_and_only_if_they_are_others() -> None:
    agenda, _ = make_agenda(make_conference())
    before = feeds.agenda_feed(agenda, MORNING)
    was = (agenda.revision, agenda.changed_at, before.etag, before.last_modified)

    assert agenda.set_feed_options(feed_alarm=False, feed_cancelled="struck") is False
    assert (agenda.revision, agenda.changed_at) == was[:2]
    assert agenda.set_feed_options(feed_alarm=True) is True

    after = feeds.agenda_feed(agenda, MORNING)
    assert after.last_modified
    assert before.last_modified
    assert (agenda.revision, after.etag != was[2], after.last_modified > before.last_modified) == (was[0] + 1, True, True)


def test_unknown_option_is_refused() -> None:
    agenda, _ = make_agenda(make_conference())

    with pytest.raises(ValueError, match="feed_colour"):
        agenda.set_feed_options(feed_colour="red")


def test_feed_at_its_address_follows_the_options(world: World) -> None:
    world.agenda.set_feed_options(feed_busy=False, feed_alarm=True)

    body = Client().get(world.feed).content

    assert (values(body, "TRANSP"), len(alarms(body))) == ([":TRANSPARENT"], 1)


@pytest.mark.parametrize("options", [{}, {"feed_must_only": True, "feed_breaks": False, "feed_cancelled": "dropped"}])
@pytest.mark.parametrize("events", [1, 3])
def test_options_cost_no_queries(django_assert_num_queries: Any, events: int, options: dict[str, Any]) -> None:
    conference = make_conference()
    feed = feed_of(*(make_event(conference, start="09:00", end="10:00") for _ in range(events)), **options)

    with django_assert_num_queries(5):
        body = feed.body

    assert len(read(body)) == events


def test_what_options_do_not_change_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = make_conference()
    live = make_event(conference, start="09:00", end="10:00")
    off = make_event(conference, start="09:00", end="10:00", status="cancelled")
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**20)
    written: list[int] = []
    write = vevent

    def count(event: Event, *style: Any, **options: Any) -> bytes:
        written.append(event.pk)
        return write(event, *style, **options)

    monkeypatch.setattr(entries, "vevent", count)

    choices: list[dict[str, Any]] = [
        {},
        {"feed_must_only": True},
        {"feed_breaks": False},
        {"feed_cancelled": "titled"},
        {"feed_alarm": True},
    ]
    for options in choices:
        assert len(read(feed_of(live, off, **options).body)) == 2

    # The one that takes place with and without its alarm, the cancelled one struck and titled.
    assert sorted(written) == [live.pk] * 2 + [off.pk] * 2
