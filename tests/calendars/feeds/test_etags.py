from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.calendars import downloads, feeds
from events.models import Agenda, Event
from tests.factories import THURSDAY, at, make_agenda, make_appearance, make_conference, make_event, make_person, make_room

FRIDAY = THURSDAY + dt.timedelta(days=1)
MORNING = at("08:00")

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached")]


def stored_feed(agenda: Agenda, known: str = "") -> feeds.AgendaFeed:
    """As the next request would see it, of a client that has the ETag ``known``."""
    stored = Agenda.objects.select_related("conference").get(pk=agenda.pk)
    return feeds.agenda_feed(stored, MORNING, [known.strip('"')])


def etag(agenda: Agenda, known: str = "") -> str:
    return stored_feed(agenda, known).etag


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
    # As of a client that got the feed: from then on this process knows what each revision changes.
    assert stored_feed(agenda).body
    before = etag(agenda)

    edit(agenda, event)

    assert before not in (etag(agenda), etag(agenda, known=before))


@pytest.mark.parametrize("count", [1, 3])
def test_etag_stays_while_only_other_events_change(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, *(make_event(conference, start="09:00", end="10:00") for _ in range(count)))
    other = make_event(conference, start="11:00", end="12:00")
    # The first announced change is in every menu.
    retitle(agenda, other)
    body, before = stored_feed(agenda).body, etag(agenda)

    other.start = at("11:15")
    other.revise()

    assert before != etag(agenda)
    assert (etag(agenda, known=before), stored_feed(agenda).body) == (before, body)
    # The agenda with its conference, and the bookmarks: this process knows the revision already.
    with django_assert_num_queries(2):
        etag(agenda, known=before)


def test_etag_moves_with_a_talk_inside_a_session() -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", session=session)
    agenda, _ = make_agenda(conference, session)
    retitle(agenda, make_event(conference))
    body, before = stored_feed(agenda).body, etag(agenda)

    talk.title = "Renamed talk"
    talk.revise()

    assert stored_feed(agenda).body != body
    assert etag(agenda, known=before) != before


def test_etag_moves_with_the_deadline_of_an_event_without_a_day() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, start="09:00", end="10:00"))
    tour = make_event(conference, title="Tour", signup_until=at("12:00"), signup_url="https://example.org/")
    agenda.bookmark(tour, on=True)
    Agenda.objects.update(feed_deadlines=True)
    retitle(agenda, make_event(conference))
    assert stored_feed(agenda).body
    before = etag(agenda)

    tour.refresh_from_db()
    tour.signup_until = at("13:00")
    tour.revise()

    assert etag(agenda, known=before) != before


@pytest.mark.parametrize("revision", ["0", "-1", "", "x", "1e3", "\N{ARABIC-INDIC DIGIT ONE}", str(10**17), "9" * 5000])
def test_invented_revision_is_not_current(revision: str) -> None:
    agenda, _ = make_agenda(make_conference())
    assert stored_feed(agenda).body
    present = etag(agenda)
    digest, _, _ = present.strip('"').partition("-")

    assert etag(agenda, known=f"{digest}-{revision}") == present


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
