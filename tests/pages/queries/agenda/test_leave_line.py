from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.core.clock import PageClock, PageEnd
from events.models import Agenda, Conference, Leg, PrivateEntry, Route, StartingPoint
from events.pages.queries.leaving import LeaveLine, leave_line
from events.programme.rules.walking import Need
from tests.factories import SINGAPORE, THURSDAY, at, make_agenda, make_conference, make_day, make_event, make_room, make_walk
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


@pytest.fixture
def conference() -> Conference:
    return make_conference()


@pytest.fixture
def agenda(conference: Conference) -> Agenda:
    """A keynote, a panel six minutes away, and a talk after it in the same room."""
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    make_walk(conference, hall.zone, garnet.zone, 6, step_free=False)
    found, _ = make_agenda(
        conference,
        make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall),
        make_event(conference, title="Panel", start="10:30", end="11:00", room=garnet),
        make_event(conference, title="Talk", start="11:00", end="11:30", room=garnet),
    )
    found.conference = conference
    return found


def shown(found: LeaveLine | None) -> tuple[Any, ...] | None:
    if found is None:
        return None
    leave = found.leave_at and f"{found.leave_at.astimezone(SINGAPORE):%H:%M}"
    return found.event.title, found.name, found.minutes, leave, found.is_due


def line(agenda: Agenda, now: str, *needs: Need, **more: Any) -> tuple[Any, ...] | None:
    for name in ("bookmarked_events", "extras"):
        agenda.__dict__.pop(name, None)
    return shown(leave_line(agenda, clock(now), frozenset(needs), **more))


def test_line_names_the_next_room_and_when_to_leave(agenda: Agenda) -> None:
    assert {now: line(agenda, now) for now in ("08:00", "09:00", "10:10", "10:23", "10:24", "10:29", "10:30", "11:00")} == {
        "08:00": ("Keynote", "Hall 1", None, None, False),
        "09:00": ("Panel", "Garnet", 6, "10:24", False),
        "10:10": ("Panel", "Garnet", 6, "10:24", False),
        "10:23": ("Panel", "Garnet", 6, "10:24", False),
        "10:24": ("Panel", "Garnet", 6, "10:24", True),
        "10:29": ("Panel", "Garnet", 6, "10:24", True),
        # Nobody leaves for the room where they are.
        "10:30": ("Talk", "Garnet", None, None, False),
        "11:00": None,
    }


def test_who_stays_in_the_room_is_not_sent_anywhere(agenda: Agenda) -> None:
    found = {now: leave_line(agenda, clock(now)) for now in ("10:10", "10:40")}

    assert {now: it and it.is_same_room for now, it in found.items()} == {"10:10": False, "10:40": True}


def test_step_free_visitor_is_told_no_walk_with_steps(agenda: Agenda) -> None:
    assert line(agenda, "10:10", Need.STEP_FREE) == ("Panel", "Garnet", None, None, False)


def test_who_is_online_walks_nowhere(agenda: Agenda) -> None:
    assert line(agenda, "10:10", is_online=True) == ("Panel", "Garnet", None, None, False)


def test_moved_and_cancelled_events_are_followed(agenda: Agenda, conference: Conference) -> None:
    panel = conference.events.get(title="Panel")
    panel.start, panel.end = at("10:45"), at("11:15")
    panel.save()
    moved = line(agenda, "10:10")
    panel.status = "cancelled"
    panel.save()

    assert (moved, line(agenda, "10:10")) == (("Panel", "Garnet", 6, "10:39", False), ("Talk", "Garnet", 6, "10:54", False))


def test_private_meeting_before_it_claims_nothing(agenda: Agenda) -> None:
    PrivateEntry.objects.create(agenda=agenda, title="Ada", start=at("10:05"), end=at("10:20"))

    assert {now: line(agenda, now) for now in ("09:30", "10:10", "10:25")} == dict.fromkeys(
        ("09:30", "10:10", "10:25"), ("Panel", "Garnet", None, None, False)
    )


def test_clash_is_settled_by_the_level(agenda: Agenda, conference: Conference) -> None:
    other = make_event(conference, title="Other", start="10:30", end="11:00", room=make_room(conference, "Opal"))
    agenda.bookmark(other, on=True)
    levels = {}

    for title in ("Other", "Panel"):
        agenda.bookmarks.update(level="must")
        agenda.bookmarks.filter(event__title=title).update(level="maybe")
        found = line(agenda, "10:10")
        levels[title] = found and found[0]

    assert levels == {"Other": "Panel", "Panel": "Other"}


def test_evening_goes_on_past_midnight(conference: Conference) -> None:
    bar, hall = make_room(conference, "Bar"), make_room(conference, "Hall 1")
    make_walk(conference, hall.zone, bar.zone, 10)
    late = at("00:30", THURSDAY + dt.timedelta(days=1))
    dinner = make_event(conference, title="Dinner", start="20:00", end="23:00", room=hall)
    party = make_event(conference, title="Party", start=late, end=late + dt.timedelta(hours=2), room=bar)
    friday = make_day(conference, THURSDAY + dt.timedelta(days=1))
    morning = make_event(conference, title="Morning", day=friday, start="09:00", end="10:00", room=hall)
    agenda, _ = make_agenda(conference, dinner, party, morning)
    agenda.conference = conference
    night = THURSDAY + dt.timedelta(days=1)

    found = [
        shown(leave_line(agenda, clock("23:30"))),
        shown(leave_line(agenda, clock("00:20", night))),
        # The next day of the programme begins at 04:00.
        shown(leave_line(agenda, clock("03:00", night))),
        shown(leave_line(agenda, clock("04:00", night))),
    ]

    assert found == [
        ("Party", "Bar", 10, "00:20", False),
        ("Party", "Bar", 10, "00:20", True),
        None,
        ("Morning", "Hall 1", None, None, False),
    ]


def test_day_is_that_of_the_venue_in_every_zone(agenda: Agenda) -> None:
    found = (
        leave_line(agenda, clock("08:00", own="Pacific/Auckland")),
        leave_line(agenda, clock("08:00", own="America/Los_Angeles")),
    )

    assert [shown(it) for it in found] == [("Keynote", "Hall 1", None, None, False)] * 2


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        pytest.param({"place": "A bar"}, "A bar", id="a-place-in-words"),
        pytest.param({}, "Dinner", id="to-be-announced"),
    ],
)
def test_event_without_a_room_is_named_by_what_is_known(conference: Conference, fields: dict[str, Any], name: str) -> None:
    talk = make_event(conference, start="17:00", end="18:00", room=make_room(conference))
    agenda, _ = make_agenda(conference, talk, make_event(conference, title="Dinner", start="19:00", end="21:00", **fields))
    agenda.conference = conference

    assert line(agenda, "17:30") == ("Dinner", name, None, None, False)


def test_way_off_site_takes_its_travel_minutes(conference: Conference) -> None:
    talk = make_event(conference, start="17:00", end="18:00", room=make_room(conference))
    dinner = make_event(conference, title="Dinner", start="19:00", end="21:00", place="A bar", travel_minutes=25)
    agenda, _ = make_agenda(conference, talk, dinner)
    agenda.conference = conference

    found = leave_line(agenda, clock("17:30"))

    assert found is not None
    assert (shown(found), found.way_text) == (("Dinner", "A bar", 25, "18:35", False), "25 min from Hall 1")


def test_first_event_of_the_day_is_reached_from_the_chosen_start(agenda: Agenda, conference: Conference) -> None:
    hotel = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    zone = conference.events.get(title="Keynote").room.zone  # type: ignore[union-attr]
    route = Route.objects.create(conference=conference, start=hotel, zone=zone, title="MRT")
    leg = Leg.objects.create(route=route, instruction="Go.", minutes=40)

    found = leave_line(agenda, clock("08:00"), start=hotel.pk)
    assert found is not None
    assert (shown(found), found.way_text) == (("Keynote", "Hall 1", 40, "08:20", False), "40 min from Hotel")

    # Not after something else, not if it is not known to be step-free, and not without its length.
    assert line(agenda, "09:30", start=hotel.pk) == ("Panel", "Garnet", 6, "10:24", False)
    assert line(agenda, "08:00", Need.STEP_FREE, start=hotel.pk) == ("Keynote", "Hall 1", None, None, False)
    PrivateEntry.objects.create(agenda=agenda, title="Breakfast", start=at("07:00"), end=at("08:30"))
    assert line(agenda, "08:00", start=hotel.pk) == ("Keynote", "Hall 1", None, None, False)
    PrivateEntry.objects.all().delete()
    leg.minutes = None
    leg.save()
    assert line(agenda, "08:00", start=hotel.pk) == ("Keynote", "Hall 1", None, None, False)


def test_line_ends_at_the_moment_when_it_changes(agenda: Agenda) -> None:
    ends = {}

    for now in ("09:00", "10:20", "10:24"):
        end = PageEnd.of_page_made(at(now))
        leave_line(agenda, PageClock.of_page(clock(now), end))
        ends[now] = f"{end.moment.astimezone(SINGAPORE):%H:%M}"

    # At the latest after fifteen minutes; when it is time to leave; when it begins.
    assert ends == {"09:00": "09:15", "10:20": "10:24", "10:24": "10:30"}


@pytest.mark.parametrize("size", [1, 3])
def test_line_takes_as_many_queries_for_three_picks_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    times = [("09:00", "10:00"), ("10:00", "11:00"), ("11:00", "12:00"), ("12:00", "13:00")]
    picks = [make_event(conference, start=start, end=end, room=make_room(conference, start)) for start, end in times[: size + 1]]
    agenda, _ = make_agenda(conference, *picks)
    agenda.conference = conference

    # The bookmarks, what else the agenda has, the two events, and the walks.
    with django_assert_num_queries(4):
        assert leave_line(agenda, clock("09:30")) is not None
