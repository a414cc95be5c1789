from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models.deletion import ProtectedError, RestrictedError

from events.models import (
    Agenda,
    Announcement,
    Appearance,
    Authorship,
    Award,
    Bookmark,
    Conference,
    Day,
    Event,
    EventType,
    Leg,
    Link,
    PastEdition,
    Person,
    Room,
    Route,
    StartingPoint,
    Topic,
    Track,
    Walk,
    Zone,
)
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
    make_walk,
    make_zone,
)

pytestmark = pytest.mark.django_db


def refused(write: Callable[[], object]) -> str:
    """The name of the constraint, or the column, that refuses the write."""
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        write()
    return str(caught.value)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(at("10:00"), at("09:00"), id="ends-before-it-starts"),
        pytest.param(at("10:00"), at("10:00"), id="no-time-at-all"),
        pytest.param(at("10:00"), None, id="start-without-end"),
        pytest.param(None, at("10:00"), id="end-without-start"),
    ],
)
def test_event_has_both_times_in_order_or_none(start: dt.datetime | None, end: dt.datetime | None) -> None:
    event = make_event(make_conference())

    error = refused(lambda: Event.objects.filter(pk=event.pk).update(start=start, end=end))

    assert "event_ends_after_start" in error


def test_event_with_a_time_has_a_day() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    error = refused(lambda: Event.objects.filter(pk=event.pk).update(day=None))

    assert "event_with_time_has_day" in error


def test_event_may_have_a_day_and_no_time_or_neither() -> None:
    conference = make_conference()

    on_its_day = make_event(conference)
    nowhere_yet = Event.objects.create(conference=conference, type=make_type(conference), title="Some day")

    assert [(it.day and it.day.date, it.start) for it in (on_its_day, nowhere_yet)] == [(THURSDAY, None), (None, None)]


def test_guid_is_unique_within_its_conference() -> None:
    conference = make_conference()
    event, other = make_event(conference), make_event(conference)

    error = refused(lambda: Event.objects.filter(pk=other.pk).update(guid=event.guid))

    assert "guid" in error


@pytest.mark.parametrize("make", [make_person, make_paper], ids=["person", "paper"])
def test_people_and_papers_have_guids_of_their_own(make: Callable[[Conference], Person]) -> None:
    conference = make_conference()
    row, other = make(conference), make(conference)

    error = refused(lambda: type(row).objects.filter(pk=other.pk).update(guid=row.guid))

    assert "guid" in error


def test_conference_ends_on_or_after_its_first_day() -> None:
    assert make_conference(end=THURSDAY).end == THURSDAY

    assert "conference_ends_after_start" in refused(lambda: make_conference(end=THURSDAY - dt.timedelta(days=1)))


@pytest.mark.parametrize(("first", "last"), [(dt.date(25, 4, 24), THURSDAY), (THURSDAY, dt.date(9999, 12, 31))])
def test_conference_is_in_years_that_calendars_can_count_with(first: dt.date, last: dt.date) -> None:
    assert "conference_from_1900_to_2199" in refused(lambda: make_conference(start=first, end=last))

    with pytest.raises(ValidationError, match="Choose days from 1900 to 2199"):
        Conference(name="ICLR", slug="iclr", timezone="UTC", start=first, end=last).full_clean()


@pytest.mark.parametrize("date", [dt.date(25, 4, 24), dt.date(9999, 12, 31)])
def test_day_is_in_years_that_calendars_can_count_with(date: dt.date) -> None:
    conference = make_conference()

    assert "day_from_1900_to_2199" in refused(lambda: make_day(conference, date))

    with pytest.raises(ValidationError, match="Choose a date from 1900 to 2199"):
        Day(conference=conference, date=date).full_clean()


def test_conference_slug_is_unique() -> None:
    make_conference(slug="iclr")

    assert "slug" in refused(lambda: make_conference(slug="iclr"))


def test_day_is_unique_per_conference() -> None:
    conference = make_conference()
    make_day(conference)

    error = refused(lambda: Day.objects.create(conference=conference, date=THURSDAY))

    assert ("day_unique_date" in error) or ("events_day.date" in error)
    assert make_day(make_conference()).date == THURSDAY


def _twice(make: Callable[[Conference], object]) -> Callable[[], object]:
    conference = make_conference()

    def again() -> object:
        return make(conference)

    again()
    return again


NAMESAKES: dict[str, Callable[[Conference], object]] = {
    "type": lambda it: EventType.objects.create(conference=it, name="Talk", kind="talk", slug="talk"),
    "track": lambda it: Track.objects.create(conference=it, name="Theory", slug="theory"),
    "topic": lambda it: Topic.objects.create(conference=it, area="Theory", slug="theory"),
    "starting-point": lambda it: StartingPoint.objects.create(conference=it, name="Airport", slug="airport"),
    "past-edition": lambda it: PastEdition.objects.create(conference=it, year=2024, place="Vienna"),
    "zone": lambda it: Zone.objects.create(conference=it, venue=make_zone(it, "Hall 1").venue, name="Hall 2"),
    "room": lambda it: Room.objects.create(conference=it, zone=make_zone(it), name="Garnet 212"),
    "walk": lambda it: make_walk(it, make_zone(it, "Hall 1"), make_zone(it, "Hall 2")),
}


@pytest.mark.parametrize("make", NAMESAKES.values(), ids=NAMESAKES)
def test_name_is_taken_once_per_conference(make: Callable[[Conference], object]) -> None:
    again = _twice(make)

    assert refused(again) != ""
    assert make(make_conference()) is not None


def test_key_is_unique_within_its_source_only() -> None:
    conference = make_conference()
    make_room(conference, "Hall 1", source="seed", source_key="hall")

    error = refused(lambda: make_room(conference, "Hall 2", source="seed", source_key="hall"))

    assert ("room_unique_in_source" in error) or ("source_key" in error)
    assert make_room(conference, "Hall 3", source="other", source_key="hall").source_key == "hall"


def test_rows_made_by_hand_have_no_key_and_do_not_collide() -> None:
    conference = make_conference()

    rooms = [make_room(conference, "Hall 1"), make_room(conference, "Hall 2")]

    assert [(room.source, room.source_key) for room in rooms] == [("", ""), ("", "")]


def test_walk_is_between_two_zones() -> None:
    zone = make_zone(make_conference())

    error = refused(lambda: Walk.objects.create(conference=zone.conference, origin=zone, destination=zone, minutes=1))

    assert "walk_between_two_zones" in error


def test_photo_of_a_person_needs_words() -> None:
    person = make_person(make_conference())

    error = refused(lambda: Person.objects.filter(pk=person.pk).update(photo="people/x.webp", photo_alt=""))

    assert "person_photo_has_alt" in error


def test_photo_on_the_way_needs_words() -> None:
    conference = make_conference()
    start = StartingPoint.objects.create(conference=conference, name="Airport", slug="airport")
    route = Route.objects.create(conference=conference, start=start, zone=make_zone(conference), title="By train")

    error = refused(lambda: Leg.objects.create(route=route, instruction="Take the lift", photo="legs/x.webp"))

    assert "leg_photo_has_alt" in error


def test_appearance_is_once_per_role() -> None:
    conference = make_conference()
    event, person = make_event(conference), make_person(conference)
    make_appearance(event, person, role="speaker")

    refused(lambda: make_appearance(event, person, role="speaker"))
    make_appearance(event, person, role="host")

    assert list(Appearance.objects.values_list("role", flat=True)) == ["speaker", "host"]


def test_author_is_named_once() -> None:
    conference = make_conference()
    person = make_person(conference)
    paper = make_paper(conference, person)

    error = refused(lambda: Authorship.objects.create(paper=paper, person=person, position=1))

    assert "authorship_once" in error or "events_authorship.person_id" in error


def test_link_belongs_to_an_event_or_to_a_paper() -> None:
    conference = make_conference()
    event, paper = make_event(conference), make_paper(conference)

    for owners in [{}, {"event": event, "paper": paper}]:
        assert "link_has_one_owner" in refused(lambda owners=owners: Link.objects.create(url="https://example.org/", **owners))  # type: ignore[misc]


def test_announcement_ends_after_it_starts() -> None:
    conference = make_conference()

    error = refused(
        lambda: Announcement.objects.create(conference=conference, title="Lunch", starts_at=at("12:00"), until=at("12:00"))
    )

    assert "announcement_ends_after_start" in error


def test_bookmark_is_once_per_agenda() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)

    error = refused(lambda: Bookmark.objects.create(agenda=agenda, event=event))

    assert "bookmark_once" in error or "events_bookmark.event_id" in error


def test_visitor_has_one_agenda_per_conference() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)

    error = refused(lambda: Agenda.objects.create(conference=conference, visitor=agenda.visitor))

    assert "agenda_one_per_visitor" in error or "events_agenda.visitor_id" in error


@pytest.mark.parametrize("noun", ["type", "day", "room"])
def test_what_events_stand_on_cannot_be_deleted(noun: str) -> None:
    conference = make_conference()
    event = make_event(conference, room=make_room(conference))

    with pytest.raises((ProtectedError, RestrictedError)):
        getattr(event, noun).delete()

    assert Event.objects.filter(pk=event.pk).exists()


def test_deleting_a_talk_keeps_its_award() -> None:
    conference = make_conference()
    award = Award.objects.create(conference=conference, name="Test of time", year=2025, event=make_event(conference))

    Event.objects.all().delete()
    award.refresh_from_db()

    assert award.event is None
