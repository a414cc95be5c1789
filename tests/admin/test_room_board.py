"""The board of rooms: what is on now, and what helpers report with one press."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from events.models import Conference, CrowdReport, Event, Room
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import messages_of
from tests.factories import at, make_agenda, make_conference, make_event, make_report, make_room

pytestmark = pytest.mark.django_db

BOARD = "/organise/events/room/board/"


@pytest.fixture(autouse=True)
def _at_ten_past_nine() -> Iterator[None]:
    with time_machine.travel(at("09:10"), tick=False):
        yield


@pytest.fixture
def helper(db: None) -> Client:
    return logged_in(staff("Hedy", "Room helpers"))


@pytest.fixture
def conference() -> Conference:
    return make_conference()


@pytest.fixture
def hall(conference: Conference) -> Room:
    return make_room(conference, "Hall 1")


@pytest.fixture
def talk(conference: Conference, hall: Room) -> Event:
    return make_event(conference, title="Adam", start="09:00", end="10:00", room=hall)


def press(client: Client, room: Room, state: str, **headers: str) -> Any:
    return client.post(f"/organise/events/room/{room.pk}/board/", {"state": state}, headers=headers)


def board(client: Client) -> list[tuple[str, str]]:
    return [(it.room.name, it.event.title) for it in client.get(BOARD).context["rooms"]]


def words(page: Any) -> str:
    return " ".join(page.text.partition("data-words>")[2].partition("</p>")[0].split())


def test_board_shows_rooms_with_an_event_on_or_about_to_begin(helper: Client, conference: Conference, talk: Event) -> None:
    garnet, later, hidden = (make_room(conference, name, position=1) for name in ("Garnet", "Later", "Hidden"))
    session = make_event(conference, title="Orals", start="09:20", end="10:00", room=garnet)
    make_event(conference, title="Inside", kind="talk", start="09:20", end="09:40", room=garnet, session=session)
    make_event(conference, title="Lunch", start="12:00", end="13:00", room=later)
    make_event(conference, title="Draft", start="09:00", end="10:00", room=hidden, status="draft")
    make_event(conference, title="Gone", start="09:00", end="10:00", room=hidden, status="cancelled")
    make_event(conference, title="Over", start="08:00", end="09:10", room=later)

    assert board(helper) == [("Hall 1", "Adam"), ("Garnet", "Orals")]


@pytest.mark.parametrize("state", ["open", "filling", "full"])
def test_press_sets_the_state_however_often(helper: Client, hall: Room, talk: Event, state: str) -> None:
    responses = [press(helper, hall, state) for _ in range(2)]

    assert [it["Location"] for it in responses] == [f"{BOARD}?conference={hall.conference_id}#room-{hall.pk}"] * 2
    assert set(CrowdReport.objects.values_list("room", "event", "state", "by_staff", "staff_name")) == {
        (hall.pk, talk.pk, state, True, "Hedy")
    }
    [shown] = helper.get(BOARD).context["rooms"]
    assert (shown.crowd.state, shown.crowd.sure) == (state, True)


def test_mail_address_of_a_helper_is_not_shown(hall: Room, talk: Event) -> None:
    press(logged_in(staff("hedy.lamarr@example.org", "Room helpers")), hall, "full")

    assert CrowdReport.objects.get().staff_name == "hedy.lamarr"


def test_board_says_when_by_whom_and_until_when(helper: Client, hall: Room, talk: Event) -> None:
    assert words(helper.get(BOARD)) == "Not reported yet."

    press(helper, hall, "full")

    assert words(helper.get(BOARD)) == "Full: reported at 09:10 by Hedy, counts until 09:25."
    with time_machine.travel(at("09:25"), tick=False):
        assert words(helper.get(BOARD)) == "No report in the last 15 minutes."


def test_board_shows_what_attendees_report(helper: Client, talk: Event) -> None:
    for _ in range(2):
        make_report(talk, "filling", "09:05", make_agenda(talk.conference)[0], weight=2)

    assert words(helper.get(BOARD)) == "Nearly full: reported by attendees at 09:05."


def test_report_is_withdrawn(helper: Client, hall: Room, talk: Event) -> None:
    press(helper, hall, "full")

    press(helper, hall, "nothing")

    assert CrowdReport.objects.count() == 0


def test_htmx_gets_the_room_alone(helper: Client, conference: Conference, hall: Room, talk: Event) -> None:
    make_event(conference, start="09:00", end="10:00", room=make_room(conference, "Garnet"))

    page = press(helper, hall, "full", hx_request="true")

    assert (page.status_code, [it.room for it in page.context["rooms"]]) == (200, [hall])
    assert page.text.strip().startswith(f'<li class="board-room" id="room-{hall.pk}"')


@pytest.mark.parametrize("state", ["", "FULL", "\x00", "x" * 10_000])
def test_unknown_state_is_refused(helper: Client, hall: Room, talk: Event, state: str) -> None:
    plain, htmx = press(helper, hall, state), press(helper, hall, state, hx_request="true")

    assert messages_of(plain) == ["Nothing was reported on Hall 1: please use the buttons."]
    assert (htmx.status_code, CrowdReport.objects.count()) == (422, 0)


def test_board_without_events_names_the_next(helper: Client, conference: Conference, hall: Room) -> None:
    make_event(conference, title="Keynote", start="14:00", end="15:00", room=hall)

    page = " ".join(helper.get(BOARD).text.split())

    assert "Nothing is on in a room now. Next: Thu 24 Apr 14:00 Keynote, Hall 1." in page


def test_board_opens_at_the_conference_that_is_on(helper: Client, talk: Event) -> None:
    make_conference(slug="next-year", start="2026-04-24", end="2026-04-28")

    assert helper.get(BOARD).context["conference"] == talk.conference


def test_board_without_a_conference_is_a_page(helper: Client) -> None:
    assert "There is no conference yet" in helper.get(BOARD).text


def test_helpers_see_the_board_and_nothing_else(helper: Client, hall: Room, talk: Event) -> None:
    assert BOARD in helper.get("/organise/").text
    for page in ("room/", "room/pressure/", f"room/{hall.pk}/change/", "session/", "event/timetable/"):
        assert helper.get(f"/organise/events/{page}").status_code == 403


def test_helpers_cannot_report_on_a_draft_conference(helper: Client) -> None:
    room = make_room(make_conference(status="draft"))

    assert press(helper, room, "full").status_code == 404
    assert CrowdReport.objects.count() == 0


def test_who_is_no_helper_reports_nothing(chair: Client, hall: Room, talk: Event) -> None:
    assert (chair.get(BOARD).status_code, press(chair, hall, "full").status_code) == (403, 403)
    assert CrowdReport.objects.count() == 0


def test_number_of_queries_does_not_depend_on_rooms(
    helper: Client, conference: Conference, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 3):
        while Room.objects.count() < count:
            make_event(conference, start="09:00", end="10:00", room=make_room(conference, f"Room {Room.objects.count()}"))
        helper.get(BOARD)
        with django_assert_num_queries(8):
            helper.get(BOARD)
