"""The timetable of a day in the admin: what is on it, beside it and folded."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from events.admin.timetable.day import TimetableDay
from events.models import Conference, Event
from tests.factories import THURSDAY, at, make_appearance, make_conference, make_day, make_event, make_person, make_room
from tests.proposals.proposing import make_proposal

pytestmark = pytest.mark.django_db

PAGE = "/organise/events/event/timetable/"


@pytest.fixture
def conference() -> Conference:
    return make_conference()


def open_page(client: Client, conference: Conference, **query: Any) -> Any:
    return client.get(PAGE, {"conference": conference.pk, "day": THURSDAY.isoformat(), **query})


def timetable(client: Client, conference: Conference) -> TimetableDay:
    found: TimetableDay = open_page(client, conference).context["timetable"]
    return found


def titles(items: Any) -> list[str]:
    return [item.event.title for item in items]


def copies(event: Event, number: int, **fields: Any) -> None:
    names = [field.attname for field in Event._meta.concrete_fields if field.attname not in {"id", "guid"}]
    values = {name: getattr(event, name) for name in names}
    Event.objects.bulk_create([Event(**values | fields) for _ in range(number)])


def test_events_with_room_and_time_are_placed_and_others_wait(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 1")
    make_event(conference, title="Keynote", start="09:00", end="10:00", room=hall)
    make_event(conference, title="Lunch", kind="break", start="12:00", end="13:00", place="Foyer")
    make_event(conference, title="No hour", room=hall)
    make_event(conference, title="Gone", start="10:00", end="11:00", room=hall, status="cancelled")
    Event.objects.filter(pk=make_event(conference, title="No day").pk).update(day=None)
    make_event(conference, title="Friday", day=make_day(conference, dt.date(2025, 4, 25)), start="09:00", end="10:00", room=hall)

    shown = timetable(organiser, conference)

    assert (titles(shown.placed), titles(shown.tray)) == (["Keynote"], ["Lunch", "No hour", "No day"])


def test_talks_are_folded_into_their_session_unless_in_another_room(organiser: Client, conference: Conference) -> None:
    hall, garnet = make_room(conference, "Hall 1"), make_room(conference, "Garnet")
    session = make_event(conference, title="Posters", start="09:00", end="12:00", room=hall)
    poster = make_event(conference, kind="poster", start="09:00", end="12:00", session=session, announce=False)
    copies(poster, 100)
    copies(poster, 99, room=hall)
    make_event(conference, kind="talk", title="Elsewhere", start="09:00", end="09:15", session=session, room=garnet)

    shown = timetable(organiser, conference)

    assert {it.event.title: it.inside for it in shown.placed} == {"Posters": 201, "Elsewhere": 0}


def test_many_at_once_in_a_room_are_folded(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 1")
    copies(make_event(conference, kind="poster", start="09:00", end="12:00", room=hall, announce=False), 199)

    page = open_page(organiser, conference)

    [cell] = [cell for row in page.context["timetable"].rows for cell in row.cells if cell.items]
    assert (len(cell.items), cell.is_folded, cell.has_clash) == (200, True, False)
    assert "<summary>200 at once</summary>" in page.text


def test_clash_of_a_room_is_marked(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 1")
    for start, end in [("09:00", "10:00"), ("09:30", "10:30")]:
        make_event(conference, start=start, end=end, room=hall)

    page = open_page(organiser, conference)

    cells = [cell for row in page.context["timetable"].rows for cell in row.cells if cell.items]
    assert [(cell.rows, cell.lanes, cell.has_clash) for cell in cells] == [(12, 1, True), (12, 1, True)]
    assert f'data-room="{hall.pk}" colspan="2"' in page.text


def test_night_and_drafts_and_proposals_are_marked(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 1")
    late = at("01:30", dt.date(2025, 4, 25))
    make_event(conference, kind="social", title="Night", start=late, end=late + dt.timedelta(hours=1), room=hall)
    make_event(conference, title="Secret", start="09:00", end="10:00", room=hall, status="draft")
    make_proposal(conference, "Karaoke", start=None, end=None, date=None)
    make_proposal(conference, "With an hour")

    page = open_page(organiser, conference)
    shown = page.context["timetable"]

    assert [(it.event.title, it.times, it.status_text) for it in shown.placed] == [
        ("Secret", "09:00–10:00", "Draft"),
        ("Night", "01:30–02:30", ""),
    ]
    assert [it.title for it in shown.proposals] == ["Karaoke"]
    assert "Proposed: decide first" in page.text


def test_rest_of_a_night_takes_its_room_until_it_ends(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference, "Hall 1")
    wednesday = make_day(conference, dt.date(2025, 4, 23))
    night = make_event(conference, title="Hackathon", day=wednesday, start="22:00", end="23:00", room=hall)
    party = make_event(conference, title="Party", day=wednesday, start="22:00", end="23:00", place="A bar")
    Event.objects.filter(pk__in=[night.pk, party.pk]).update(start=at("22:00", wednesday.date), end=at("06:30"))
    make_event(conference, title="Breakfast", kind="session", start="06:00", end="07:00", room=hall)

    page = timetable(organiser, conference)

    night_cell, morning_cell = (cell for row in page.rows for cell in row.cells if cell.items)
    assert (titles(morning_cell.items), morning_cell.has_clash, titles(page.tray)) == (["Breakfast"], True, [])
    (rest,) = night_cell.items
    assert rest.event == night
    assert (rest.times, rest.is_movable) == ("22:00–06:30 (+1 days), since the night before", False)


def test_event_of_another_date_waits_and_says_so(organiser: Client, conference: Conference) -> None:
    friday = dt.date(2025, 4, 25)
    event = make_event(conference, title="Wrong", start="09:00", end="10:00", room=make_room(conference))
    Event.objects.filter(pk=event.pk).update(start=at("09:00", friday), end=at("10:00", friday))

    assert [it.times for it in timetable(organiser, conference).tray] == ["09:00–10:00, starts on another day"]


def test_event_says_who_is_busy_when_in_minutes_of_the_page(organiser: Client, conference: Conference) -> None:
    ada = make_person(conference, "Ada Lovelace")
    hall = make_room(conference, "Hall 1")
    session = make_event(conference, start="09:00", end="10:00", room=hall)
    make_appearance(make_event(conference, kind="talk", start="09:30", end="09:45", room=hall, session=session), ada)

    [shown] = timetable(organiser, conference).placed

    assert (shown.start, shown.minutes, json.loads(shown.claims_json)) == (60, 60, [[ada.pk, "Ada Lovelace", 90, 105]])


def test_sessions_in_a_circle_are_shown(organiser: Client, conference: Conference) -> None:
    hall = make_room(conference)
    first, second = (make_event(conference, start="09:00", end="10:00", room=hall) for _ in range(2))
    Event.objects.filter(pk=first.pk).update(session=second)
    Event.objects.filter(pk=second.pk).update(session=first)

    assert open_page(organiser, conference).status_code == 200


def test_chosen_event_is_in_the_form(organiser: Client, conference: Conference) -> None:
    event = make_event(conference, start="09:20", end="10:00", room=make_room(conference, "Hall 1"))

    page = open_page(organiser, conference, chosen=event.pk)

    assert page.context["chosen"].event == event
    assert 'value="09:20"' in page.text
    assert open_page(organiser, conference, chosen="nothing").context["chosen"] is None


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: None, "There is no conference yet."),
        (make_conference, "has no days yet"),
        (lambda: make_day(make_conference()), "has no rooms yet"),
        (lambda: make_day(make_conference()), "No event is on this day yet."),
    ],
    ids=["no-conference", "no-day", "no-room", "no-event"],
)
def test_empty_timetable_says_what_to_do(organiser: Client, made: Any, words: str) -> None:
    made()

    assert words in organiser.get(PAGE).text


def test_number_of_queries_does_not_depend_on_rows(
    organiser: Client, conference: Conference, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    hall, ada = make_room(conference), make_person(conference)
    for count in (1, 3):
        while Event.objects.count() < count * 2:
            start = at(f"{10 + Event.objects.count()}:00")
            session = make_event(conference, start=start, end=start + dt.timedelta(hours=1), room=hall)
            make_appearance(make_event(conference, kind="talk", session=session), ada)
        open_page(organiser, conference)
        with django_assert_num_queries(13):
            open_page(organiser, conference)


def test_chairs_see_no_timetable(chair: Client, conference: Conference) -> None:
    make_event(conference)

    assert (open_page(chair, conference).status_code, chair.get("/organise/events/event/move/").status_code) == (403, 403)
    assert PAGE not in chair.get("/organise/").text
