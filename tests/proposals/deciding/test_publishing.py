"""What becomes of a proposal when it is published, and of an event when its change is approved."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

from events.models import Appearance, Change, Conference, Day, Event, Person, Proposal
from events.proposals.decisions import UnpublishableError, plan_of, publish
from events.proposals.diff import DiffState, compare, event_guid
from tests.factories import (
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_event,
    make_person,
    make_room,
    make_type,
    make_zone,
)
from tests.proposals.proposing import chair, make_correction, make_note, make_proposal, sender_changes

pytestmark = pytest.mark.django_db
SUNDAY_BEFORE = dt.date(2025, 4, 20)
SAID = {
    "about": "Bring *snacks*.",
    "audience": "Everybody",
    "signup_url": "https://games.example/",
    "signup_until": at("12:00"),
    "cost": "5 dollars",
    "capacity": 40,
    "access_notes": "Step-free.",
}


def published(proposal: Proposal, **how: Any) -> Event:
    return publish(proposal, by=chair(), version=proposal.version, **how)


def social(conference: Conference, **fields: Any) -> Event:
    return make_event(conference, kind="social", title="Runners", start="18:00", end="20:00", **fields)


def hosts(event: Event) -> list[str]:
    return list(event.appearances.filter(role="host").values_list("person__name", flat=True))


def test_published_proposal_is_a_social_with_all_it_says() -> None:
    conference = make_conference()

    event = published(make_proposal(conference, host="Ada Lovelace", place="The bar", **SAID))

    stored = Event.objects.get()
    assert (stored, stored.type.kind, stored.status, stored.title) == (event, "social", "confirmed", "Board games")
    assert (stored.day, stored.start, stored.end) == (Day.objects.get(), at("19:00"), at("21:00"))
    assert (stored.place, stored.room, stored.at_venue, stored.official) == ("The bar", None, None, False)
    assert {"about": stored.abstract, **{name: getattr(stored, name) for name in SAID if name != "about"}} == SAID
    assert hosts(stored) == ["Ada Lovelace"]


def test_publishing_tells_attendees_of_a_new_event_once() -> None:
    conference = make_conference()
    revision = Conference.objects.get().revision

    event = published(make_proposal(conference, host="Ada Lovelace"))

    assert list(Change.objects.values_list("event", "field", "old")) == [(event.pk, "status", "")]
    assert Conference.objects.get().revision > revision
    assert Event.objects.get().announced["people"] == "Ada Lovelace"


@pytest.mark.parametrize(
    ("start", "day"),
    [
        pytest.param(at("18:00", SUNDAY_BEFORE), SUNDAY_BEFORE, id="days before the conference"),
        pytest.param(at("01:00", THURSDAY + dt.timedelta(days=1)), THURSDAY, id="after midnight is the evening before"),
    ],
)
def test_day_is_made_where_there_is_none(start: dt.datetime, day: dt.date) -> None:
    proposal = make_proposal(make_conference(), date=start.date(), start=start, end=start + dt.timedelta(hours=1))

    event = published(proposal)

    assert event.day is not None
    assert (event.day.date, list(Day.objects.values_list("date", flat=True))) == (day, [day])


def test_day_that_is_there_is_taken_and_an_hour_may_be_missing() -> None:
    conference = make_conference()
    day = Day.objects.create(conference=conference, date=THURSDAY)

    event = published(make_proposal(conference, start=None, end=None))

    assert (event.day, event.start, Day.objects.count()) == (day, None, 1)


@pytest.mark.parametrize(
    ("off_site", "place", "at_venue"),
    [
        pytest.param(False, "Garnet 212", True, id="its exact name"),
        pytest.param(True, "garnet 212", False, id="in other letters"),
    ],
)
def test_room_is_found_by_its_name(off_site: bool, place: str, at_venue: bool) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet 212", make_zone(conference, "Garnet", off_site=off_site))
    make_room(make_conference(), "Garnet 212")

    event = published(make_proposal(conference, place=place))

    assert (event.room, event.place, event.at_venue) == (room, "", at_venue)


def test_name_that_two_rooms_have_stays_words() -> None:
    conference = make_conference()
    for zone in ("North", "South"):
        make_room(conference, "Foyer", make_zone(conference, zone))

    event = published(make_proposal(conference, place="Foyer"))

    assert (event.room, event.place) == (None, "Foyer")


def test_host_who_is_known_is_not_made_again() -> None:
    conference = make_conference()
    ada = make_person(conference, "Ada Lovelace")
    make_person(make_conference(), "Grace Hopper")

    event = published(make_proposal(conference, host="Ada Lovelace; Grace Hopper"))

    assert hosts(event) == ["Ada Lovelace", "Grace Hopper"]
    assert list(Person.objects.filter(conference=conference).values_list("name", flat=True)) == ["Grace Hopper", "Ada Lovelace"]
    assert Appearance.objects.get(position=0).person == ada


def test_first_type_of_the_kind_is_taken() -> None:
    conference = make_conference()
    make_type(conference, "social", name="Affinity", position=1)
    first = make_type(conference, "social", name="Party", position=0)
    proposal = make_proposal(conference)
    proposal.conference.types.filter(name="Social").update(position=2)

    assert published(proposal).type == first


def test_without_a_type_for_socials_nothing_is_published() -> None:
    proposal = make_proposal(make_conference())
    proposal.conference.types.all().delete()

    with pytest.raises(UnpublishableError, match="has no event type for socials"):
        published(proposal)

    assert (Proposal.objects.get().status, Event.objects.count()) == ("waiting", 0)


def test_event_of_another_kind_or_conference_is_never_touched() -> None:
    conference = make_conference()
    keynote, elsewhere = make_event(conference, kind="invited-talk"), social(make_conference())

    for event in (keynote, elsewhere):
        proposal = make_proposal(conference, "Mine now", event=event)
        with pytest.raises(UnpublishableError):
            published(proposal)

    assert not Event.objects.filter(title="Mine now").exists()


def test_guid_that_a_sender_chose_reaches_no_event_that_is_there() -> None:
    conference = make_conference()
    event = social(conference)

    new = published(make_proposal(conference, guid=event.guid))

    assert (Event.objects.count(), new.guid == event.guid) == (2, False)


def test_correction_is_not_its_own_and_a_published_one_is() -> None:
    conference = make_conference()
    proposal = make_proposal(conference)
    event = published(proposal)

    assert (event.guid, proposal.is_edit, make_correction(event).is_edit) == (event_guid(proposal), True, False)


def test_approved_change_changes_what_the_sender_changed() -> None:
    event = social(make_conference(), cost="Free", capacity=20)

    published(make_correction(event, title="Night runners", end=at("21:00")))

    event.refresh_from_db()
    assert (event.title, event.start, event.end, event.cost, event.capacity) == (
        *("Night runners", at("18:00"), at("21:00")),
        *("Free", 20),
    )
    assert set(Change.objects.values_list("field", "old", "new")) == {
        ("title", "Runners", "Night runners"),
        ("end", "2025-04-24T12:00:00+00:00", "2025-04-24T13:00:00+00:00"),
    }


def test_approved_change_that_changes_nothing_is_silent() -> None:
    event = social(make_conference())
    sequence = event.sequence

    published(make_correction(event))

    event.refresh_from_db()
    assert (event.sequence, Change.objects.count()) == (sequence, 0)


def test_what_organisers_changed_meanwhile_stays() -> None:
    event = social(make_conference(), cost="Free")
    correction = make_correction(event, title="Night runners")
    event.cost = "10 dollars"
    event.revise()

    published(correction)

    event.refresh_from_db()
    assert (event.title, event.cost) == ("Night runners", "10 dollars")


@pytest.mark.parametrize(("take", "title"), [((), "By hand"), (("title",), "By its sender")])
def test_what_both_changed_stays_unless_chosen(take: tuple[str, ...], title: str) -> None:
    event = social(make_conference())
    correction = make_correction(event, title="By its sender")
    event.title = "By hand"
    event.revise()
    correction.refresh_from_db()

    assert compare(correction, correction.event)["title"] == DiffState.CONFLICT
    published(correction, plan=plan_of(correction, take))

    event.refresh_from_db()
    assert event.title == title


def test_times_are_taken_or_left_together() -> None:
    event = social(make_conference())
    correction = make_correction(event, start=at("21:00"), end=at("22:00"))
    event.end = at("20:30")
    event.revise()

    published(correction)

    event.refresh_from_db()
    assert (event.start, event.end) == (at("18:00"), at("20:30"))


def test_edit_after_a_chairs_correction_keeps_the_correction() -> None:
    proposal = make_proposal(make_conference(), "teh party")
    event = published(proposal, plan=_corrected(proposal, title="The party"))
    sender_changes(proposal, cost="Free")

    published(proposal)

    event.refresh_from_db()
    assert (event.title, event.cost, Proposal.objects.get().title) == ("The party", "Free", "The party")


def test_edit_of_a_published_one_is_told_from_what_was_published() -> None:
    proposal = make_proposal(make_conference(), host="Ada Lovelace")
    event = published(proposal)
    sender_changes(proposal, host="Grace Hopper")

    verdicts = compare(proposal, event)

    assert {part for part, it in verdicts.items() if it != DiffState.SAME} == {"host"}
    assert (verdicts["host"], hosts(published(proposal))) == (DiffState.CHANGED, ["Grace Hopper"])


def test_cancelled_social_stays_cancelled_and_a_draft_a_draft() -> None:
    conference = make_conference()
    for status in ("cancelled", "draft"):
        event = social(conference, status=status)

        published(make_correction(event, title="New"))

        event.refresh_from_db()
        assert (event.title, event.status) == ("New", status)


def test_another_place_is_neither_at_the_venue_nor_as_far() -> None:
    conference = make_conference()
    event = social(conference, room=make_room(conference, "Garnet"), at_venue=True, travel_minutes=15, place="by the bar")

    published(make_correction(event, place="The Marina"))

    event.refresh_from_db()
    assert (event.room, event.place, event.at_venue, event.travel_minutes) == (None, "The Marina", None, None)


def test_room_and_place_that_the_sender_left_stay() -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = social(conference, room=room, at_venue=True, place="by the bar")

    published(make_correction(event, title="New"))

    event.refresh_from_db()
    assert (event.room, event.place, event.at_venue) == (room, "by the bar", True)


def test_text_too_long_for_the_form_is_not_cut_by_a_correction() -> None:
    event = social(make_conference(), abstract="w" * 20_000)

    published(make_correction(event, title="New"))

    event.refresh_from_db()
    assert (event.title, len(event.abstract)) == ("New", 20_000)


def test_place_in_the_same_room_stays_in_it() -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet, left half")
    event = social(conference, room=room, at_venue=True, place="by the bar", travel_minutes=3)

    published(make_correction(event, place="by the door, Garnet, left half"))

    event.refresh_from_db()
    assert (event.room, event.place, event.at_venue, event.travel_minutes) == (room, "by the door", True, 3)


def test_hosts_whom_the_form_of_a_sender_cannot_hold_all_stay() -> None:
    event = social(make_conference())
    names = [f"A host; with a name that is long enough to fill the form soon {number}" for number in range(6)]
    for position, name in enumerate(names):
        make_appearance(event, make_person(event.conference, name), role="host", position=position)

    published(make_correction(event, title="New"))

    event.refresh_from_db()
    assert (event.title, hosts(event), Person.objects.count()) == ("New", names, 6)


def test_hosts_change_and_speakers_stay() -> None:
    conference = make_conference()
    event = social(conference)
    ada, grace = make_person(conference, "Ada Lovelace"), make_person(conference, "Grace Hopper")
    make_appearance(event, ada, role="host")
    make_appearance(event, grace, role="speaker")

    published(make_correction(event, host="Edsger Dijkstra; Ada Lovelace"))

    named = Appearance.objects.filter(event=event).values_list("person__name", "role", "position")
    assert sorted(named) == [("Ada Lovelace", "host", 1), ("Edsger Dijkstra", "host", 0), ("Grace Hopper", "speaker", 0)]


def test_reason_is_told_to_attendees() -> None:
    event = social(make_conference())

    published(make_correction(event, title="New"), reason="Its host asked for it.")

    assert list(Change.objects.values_list("field", "reason")) == [("title", "Its host asked for it.")]


def test_note_names_no_plan() -> None:
    with pytest.raises(UnpublishableError):
        plan_of(make_note(make_conference()))


def test_proposal_without_a_title_is_not_published() -> None:
    with pytest.raises(UnpublishableError, match="no title"):
        published(make_proposal(make_conference(), ""))


def _corrected(proposal: Proposal, **changes: Any) -> Any:
    return replace(plan_of(proposal), **changes)
