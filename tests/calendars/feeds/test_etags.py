from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.calendars import downloads, feeds
from events.models import Agenda, Event
from tests.factories import THURSDAY, at, make_agenda, make_appearance, make_conference, make_event, make_person, make_room

FRIDAY = THURSDAY + dt.timedelta(days=1)
MORNING = at("08:00")

pytestmark = pytest.mark.django_db


def etag(agenda: Agenda, now: dt.datetime = MORNING) -> str:
    """As the next request would see it."""
    return feeds.agenda_feed(Agenda.objects.select_related("conference").get(pk=agenda.pk), now).etag


def test_cancelled_event_that_drops_out_moves_etag_and_last_modified() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, start="21:00", end="23:00", status="cancelled"))
    Event.objects.update(revised_at=at("12:00"))
    Agenda.objects.update(changed_at=at("12:00"))
    agenda.refresh_from_db()

    evening, morning = feeds.agenda_feed(agenda, at("23:00")), feeds.agenda_feed(agenda, at("04:00", FRIDAY))

    assert evening.etag != morning.etag
    assert (evening.last_modified, morning.last_modified) == (at("12:00"), at("04:00", FRIDAY))


def hide(event: Event) -> None:
    event.status = "draft"
    event.revise()


def unbookmark(agenda: Agenda, event: Event) -> None:
    agenda.bookmark(event, on=False)


def retitle(agenda: Agenda, event: Event) -> None:
    event.title = "Other"
    event.revise()


def correct_the_text(agenda: Agenda, event: Event) -> None:
    event.abstract = "Corrected"
    event.revise()


def cancel(agenda: Agenda, event: Event) -> None:
    event.status = "cancelled"
    event.revise()


def unpublish(agenda: Agenda, event: Event) -> None:
    hide(event)


def rename_room(agenda: Agenda, event: Event) -> None:
    room = event.room
    assert room
    room.name = "Hall 9"
    room.revise()


def rename_venue(agenda: Agenda, event: Event) -> None:
    assert event.room
    venue = event.room.zone.venue
    venue.name = "VIECON"
    venue.revise()


def rename_person(agenda: Agenda, event: Event) -> None:
    person = event.appearances.get().person
    person.name = "Grace Hopper"
    person.revise()


def rename_conference(agenda: Agenda, event: Event) -> None:
    agenda.conference.name = "Other"
    agenda.conference.revise()


def reset(agenda: Agenda, event: Event) -> None:
    agenda.reset_feed()


EVENT_EDITS = [unbookmark, retitle, correct_the_text, cancel, unpublish, rename_room, rename_venue, rename_person]


@pytest.mark.parametrize("edit", [*EVENT_EDITS, rename_conference, reset])
def test_etag_moves_with_everything_that_the_feed_shows(edit: Any) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference))
    make_appearance(event, make_person(conference))
    event.revise()
    agenda, _ = make_agenda(conference, event)
    before = etag(agenda)

    edit(agenda, event)

    assert etag(agenda) != before


@pytest.mark.parametrize("edit", EVENT_EDITS)
def test_last_modified_moves_with_events_and_picks_also_with_what_disappears(edit: Any) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference))
    make_appearance(event, make_person(conference))
    event.revise()
    agenda, _ = make_agenda(conference, event)
    before = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
    Event.objects.update(revised_at=before)
    Agenda.objects.update(changed_at=before)
    event.refresh_from_db()

    edit(agenda, event)

    agenda.refresh_from_db()
    moved = feeds.agenda_feed(agenda, MORNING).last_modified
    assert moved
    assert moved > before


@pytest.mark.parametrize("which", ["feed", "download", "schedule", "event"])
def test_last_modified_moves_when_only_the_conference_is_renamed(which: str) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, event)
    long_ago = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
    Event.objects.update(revised_at=long_ago)
    Agenda.objects.update(changed_at=long_ago)
    agenda.refresh_from_db()

    def moment() -> dt.datetime | None:
        calendars = {"feed": feeds.agenda_feed(agenda, MORNING), "download": downloads.agenda_download(agenda)}
        calendars |= {"schedule": feeds.schedule_feed(conference), "event": feeds.event_calendar(event)}
        return calendars[which].last_modified

    before = moment()
    conference.name = "Other"
    conference.revise()
    after = moment()

    assert before == long_ago
    assert after
    assert after > long_ago


def move_the_venue(event: Event) -> None:
    assert event.room
    venue = event.room.zone.venue
    venue.latitude, venue.longitude = 1.3340333, 103.9589306
    venue.revise()


def call_its_time_otherwise(event: Event) -> None:
    event.conference.city = "Expo"
    event.conference.revise()


def move_a_bar(event: Event) -> None:
    assert event.room
    zone = event.room.zone
    zone.off_site = True
    zone.revise()
    zone.venue.address = "12 Bar Street"
    zone.venue.revise()


@pytest.mark.parametrize("edit", [move_the_venue, call_its_time_otherwise, move_a_bar])
def test_entry_is_new_when_its_place_or_the_name_of_its_time_is_another(edit: Any) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference))
    Event.objects.update(revised_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))
    before = feeds.event_calendar(Event.objects.get(pk=event.pk)).body

    edit(Event.objects.get(pk=event.pk))

    after = Event.objects.get(pk=event.pk)
    assert after.revised_at.year > 2025
    assert feeds.event_calendar(after).body != before


def test_save_that_changes_nothing_moves_nothing() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference))
    agenda, _ = make_agenda(conference, event)
    before = feeds.agenda_feed(agenda, MORNING)
    was = (before.etag, before.last_modified, before.body)

    event.revise()
    event.room.revise()
    conference.revise()
    agenda.bookmark(event, on=True)

    agenda = Agenda.objects.get(pk=agenda.pk)
    after = feeds.agenda_feed(agenda, MORNING)
    assert (after.etag, after.last_modified, after.body) == was


def test_etags_differ_between_agendas_and_feeds() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    first, _ = make_agenda(conference, event)
    second, _ = make_agenda(conference, event)

    calendars = [
        *(feeds.agenda_feed(first, MORNING), feeds.agenda_feed(second, MORNING), downloads.agenda_download(first)),
        *(feeds.schedule_feed(conference), feeds.event_calendar(event), downloads.empty_download(conference)),
    ]

    assert len({calendar.etag for calendar in calendars}) == len(calendars)


def test_etag_moves_when_the_site_does(settings: Any) -> None:
    agenda, _ = make_agenda(make_conference())
    before = etag(agenda)

    settings.SITE_URL = "https://moved.example"

    assert etag(agenda) != before
