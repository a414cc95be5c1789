"""What a plan does to agendas: against doing it and looking at every agenda, as its owner would see it."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import pytest

from events.admin.programme.impact import PlanImpact, has_impact, impact_of
from events.agenda.queries.conflicts import slots_of, walks_of
from events.agenda.rules.impact import Impact
from events.agenda.rules.itinerary import conflicts_among
from events.crowd.queries.pressure import FreerRoom, RoomShortage
from events.models import Agenda, Bookmark, BookmarkLevel, Conference, Event
from events.programme.rules.overlaps import ConflictVerdict
from tests.factories import at, make_agenda, make_conference, make_event, make_room, make_walk, make_zone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

KINDS = ["talk", "session", "invited-talk", "poster", "social", "break"]
MINUTE = dt.timedelta(minutes=1)


def planned(event: Event, **fields: Any) -> Event:
    """The event as somebody would have it, unsaved."""
    copy = Event.objects.select_related("conference", "type", "room", "session__session").get(pk=event.pk)
    for name, value in fields.items():
        setattr(copy, name, value)
    return copy


def plan(*events: Event) -> dict[int, Event]:
    return {it.pk: it for it in events}


def impact_on(*events: Event) -> PlanImpact:
    result = impact_of(plan(*events))
    assert result is not None
    return result


def conflicts(conference: Conference) -> dict[int, dict[ConflictVerdict, set[frozenset[object]]]]:
    """Every conflict of every agenda."""
    walks, told = walks_of(conference), {}
    for agenda in Agenda.objects.filter(conference=conference):
        all_of_them = conflicts_among(slots_of(agenda.events.select_related("type", "room")), walks)
        told[agenda.pk] = {
            verdict: {frozenset({it.a.key, it.b.key}) for it in all_of_them if it.verdict is verdict}
            for verdict in ConflictVerdict
        }
    return told


def programme(conference: Conference) -> dict[int, tuple[Any, ...]]:
    """When and where everything public is."""
    rows = (
        Event.objects.public().filter(conference=conference).values_list("pk", "day", "start", "end", "room", "place", "status")
    )
    return {pk: rest for pk, *rest in rows}


def by_hand(conference: Conference, changed: list[Event]) -> tuple[int, ...]:
    """Do it, and compare all agendas before and after."""
    stood, before = programme(conference), conflicts(conference)
    for event in changed:
        event.save()
    stands, after = programme(conference), conflicts(conference)
    moved = {pk for pk in stood.keys() | stands.keys() if stood.get(pk) != stands.get(pk)}
    holding = [it.pk for it in Agenda.objects.filter(conference=conference) if moved & set(it.bookmarked_ids())]
    rows = [(before[pk], after[pk]) for pk in holding]
    return (
        len(holding),
        sum(bool(new[ConflictVerdict.CLASH] - old[ConflictVerdict.CLASH]) for old, new in rows),
        sum(bool(old[ConflictVerdict.CLASH] - new[ConflictVerdict.CLASH]) for old, new in rows),
        sum(bool(new[ConflictVerdict.TIGHT] - old[ConflictVerdict.TIGHT]) for old, new in rows),
        sum(bool(old[ConflictVerdict.TIGHT] - new[ConflictVerdict.TIGHT] - new[ConflictVerdict.CLASH]) for old, new in rows),
    )


class World:
    """A small programme with everything in it that conflicts are about, and agendas of it."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.conference = make_conference()
        zones = [make_zone(self.conference, name) for name in ("East", "West", "North")]
        make_walk(self.conference, zones[0], zones[1], 10)
        make_walk(self.conference, zones[0], zones[2], 25, minutes_back=35)
        self.rooms = [make_room(self.conference, f"Room {it.name}", zone=it) for it in zones]
        self.events: list[Event] = []
        for number in range(12):
            self.events.append(self.make_event(number))
        for _ in range(8):
            picks = [it for it in self.events if self.random.random() < 0.5]
            agenda, _ = make_agenda(self.conference, *picks)
            for event in self.random.sample(picks, min(1, len(picks))):
                agenda.bookmark(event, on=False)

    def make_event(self, number: int) -> Event:
        kind = KINDS[number % len(KINDS)]
        inside = [it for it in self.events if it.type.kind == "session"]
        session = self.random.choice(inside) if inside and kind in {"talk", "break"} else None
        return make_event(self.conference, kind=kind, announce=False, session=session, **self.fields())

    def fields(self) -> dict[str, Any]:
        start = at("09:00") + 5 * MINUTE * self.random.randrange(60)
        timed = self.random.random() < 0.9
        return {
            "start": start if timed else None,
            "end": start + MINUTE * self.random.choice([15, 30, 60, 240]) if timed else None,
            "room": self.random.choice([None, *self.rooms]),
            "status": self.random.choice(["confirmed"] * 5 + ["cancelled", "draft"]),
        }


@pytest.mark.parametrize("seed", range(12))
def test_impact_is_what_doing_it_finds(seed: int) -> None:
    world = World(seed)
    changed = [planned(it, **world.fields()) for it in world.random.sample(world.events, world.random.choice([1, 1, 2, 5]))]

    result = impact_of(plan(*changed))

    counts = result.counts if result else Impact()
    assert (counts.have, counts.clash, counts.freed, counts.late, counts.in_time) == by_hand(world.conference, changed)


def test_impact_is_none_for_what_touches_nobody() -> None:
    conference = make_conference()
    picked, unpicked = (make_event(conference, start="09:00", end="10:00") for _ in range(2))
    agenda, _ = make_agenda(conference, picked, unpicked)
    agenda.bookmark(unpicked, on=False)

    assert impact_of(plan(planned(unpicked, start=at("11:00"), end=at("12:00")))) is None
    assert impact_of(plan(planned(picked, title="Another title"))) is None
    assert impact_of({}) is None


@pytest.mark.parametrize(
    ("conference_is", "event_is"),
    [pytest.param("draft", "confirmed", id="conference"), pytest.param("published", "draft", id="event")],
)
def test_impact_is_none_for_drafts(conference_is: str, event_is: str) -> None:
    conference = make_conference(status=conference_is)
    event = make_event(conference, start="09:00", end="10:00", status=event_is)
    make_agenda(conference, event)

    assert impact_of(plan(planned(event, start=at("11:00"), end=at("12:00")))) is None


def test_impact_of_hiding_a_session_reaches_what_is_inside() -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", session=session, start="09:00", end="09:15")
    make_agenda(conference, talk)

    assert impact_on(planned(session, status="draft")).counts == Impact(have=1, event_counts=(0, 1))


def test_impact_of_putting_a_talk_into_a_draft_is_that_it_goes() -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", start="10:00", end="11:00")
    draft = make_event(conference, status="draft", start="09:00", end="12:00")
    make_agenda(conference, talk)

    assert has_impact(plan(planned(talk, session=draft)))
    assert impact_on(planned(talk, session=draft)).counts.have == 1


def test_impact_leaves_out_who_watches_it_later() -> None:
    conference = make_conference()
    keynote = make_event(conference, start="09:00", end="10:00")
    other = make_event(conference, start="11:00", end="12:00")
    move = planned(keynote, start=at("11:00"), end=at("12:00"))
    agendas = [make_agenda(conference, keynote, other)[0] for _ in range(3)]
    agendas[0].bookmarks.filter(event=keynote).update(level=BookmarkLevel.LATER)
    agendas[1].bookmarks.filter(event=other).update(level=BookmarkLevel.LATER)

    assert impact_on(move).counts == Impact(have=2, clash=1, event_counts=(2,))

    Bookmark.objects.update(level=BookmarkLevel.LATER)
    assert (impact_of(plan(move)), has_impact(plan(move))) == (None, False)


def test_impact_says_where_more_come_than_there_are_seats_and_which_rooms_are_free() -> None:
    conference = make_conference()
    here, near, far, unknown = (make_zone(conference, name) for name in ("Here", "Near", "Far", "Unknown"))
    make_walk(conference, here, near, 4)
    make_walk(conference, here, far, 12)
    small = make_room(conference, "Small", here, capacity=5)
    make_room(conference, "Too small", here, capacity=5)
    make_room(conference, "Nobody counted", here)
    for name, zone in [("Large", unknown), ("Middle", far), ("Handy", near), ("Next door", here)]:
        make_room(conference, name, zone, capacity=100)
    taken = make_room(conference, "Taken", near, capacity=100)
    make_event(conference, room=taken, start="10:30", end="11:30")
    make_event(
        conference, room=make_room(conference, "Not taken", near, capacity=50), start="10:30", end="11:30", status="cancelled"
    )
    event = make_event(conference, title="Keynote", start="09:00", end="10:00")
    for _ in range(6):
        make_agenda(conference, event)

    seating = impact_on(planned(event, start=at("10:00"), end=at("11:00"), room=small)).seating

    assert seating.short == [RoomShortage("Keynote", "Small", seats=5, have=6)]
    assert seating.freer == [
        FreerRoom("Next door", 100, 0),
        FreerRoom("Not taken", 50, 4),
        FreerRoom("Handy", 100, 4),
        FreerRoom("Middle", 100, 12),
        FreerRoom("Large", 100, None),
        FreerRoom("Nobody counted", None, 0),
    ]


def test_impact_offers_rooms_where_the_one_that_is_meant_is_taken() -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet", capacity=50)
    make_room(conference, "Opal", room.zone, capacity=5)
    make_room(conference, "Jade", room.zone, capacity=4)
    make_event(conference, room=room, start="09:30", end="10:30")
    event = make_event(conference, start="09:00", end="10:00")
    make_agenda(conference, event)

    seating = impact_on(planned(event, room=room)).seating

    # Of the few who have it nothing is told, also not by which rooms are large enough.
    assert (seating.short, seating.offers, seating.freer) == ([], True, [FreerRoom("Opal", 5, 0)])


def test_impact_asks_for_no_other_room_where_all_is_well() -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet", capacity=4)
    session = make_event(conference, room=room, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", room=room, session=session, start="09:00", end="09:15")
    agendas = [make_agenda(conference, talk) for _ in range(4)]

    seating = impact_on(planned(talk, start=at("09:15"), end=at("09:30"))).seating

    assert (len(agendas), seating.short, seating.offers, seating.freer) == (4, [], False, [])


def test_impact_of_two_events_at_once_sees_them_move_together() -> None:
    conference = make_conference()
    first = make_event(conference, start="09:00", end="10:00")
    second = make_event(conference, start="10:00", end="11:00")
    make_agenda(conference, first, second)
    moved = [planned(it, start=it.start + 60 * MINUTE, end=it.end + 60 * MINUTE) for it in (first, second)]

    alone, together = impact_on(moved[0]).counts, impact_on(*moved).counts

    assert ((alone.have, alone.clash), (together.have, together.clash)) == ((1, 1), (1, 0))


@pytest.mark.parametrize("agendas", [1, 3, 50])
def test_impact_takes_a_fixed_number_of_queries(agendas: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    room = make_room(conference, capacity=0)
    event, other = (make_event(conference, start="09:00", end="10:00", room=room) for _ in range(2))
    for _ in range(agendas):
        make_agenda(conference, event, other)
    change = plan(planned(event, start=at("09:30"), end=at("10:30")))

    with django_assert_num_queries(9):
        result = impact_of(change)

    assert result is not None
    assert (result.counts.have, len(result.seating.short)) == (agendas, int(agendas >= 5))
