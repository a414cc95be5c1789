"""A move from the timetable: nothing is saved before the page that shows what it does."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from events.admin.timetable.day import event_token
from events.models import Change, ChangeGroup, Conference, Event
from tests.admin.pages import counts, messages_of, picked, sent_by
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db

MOVE = "/organise/events/event/move/"
FRIDAY = THURSDAY + dt.timedelta(days=1)


@pytest.fixture
def conference() -> Conference:
    return make_conference()


@pytest.fixture
def talk(conference: Conference) -> Event:
    return make_event(conference, title="Adam", start="09:00", end="10:00", room=make_room(conference, "Hall 1"))


def stored(event: Event) -> tuple[Any, ...]:
    return Event.objects.values_list("day__date", "start", "end", "room__name").get(pk=event.pk)


def look(client: Client, event: Event, **answers: Any) -> Any:
    event = Event.objects.get(pk=event.pk)
    return client.get(MOVE, {"event": event_token(event), "day": "", "start": "", "room": "", **answers})


def confirm(client: Client, page: Any, **answers: Any) -> Any:
    return client.post(MOVE, {**sent_by(page), **answers})


def test_drop_saves_nothing_and_shows_what_it_does(organiser: Client, talk: Event) -> None:
    picked(6, talk)
    before = stored(talk)

    page = look(organiser, talk, start="11:05")

    assert counts(page) == [("6", "have it in their agenda"), ("0", "get a new clash"), ("0", "cannot get there in time")]
    assert "Thu 24 Apr 11:05–12:05, Hall 1" in page.text
    assert stored(talk) == before


def test_confirmed_move_is_saved_announced_and_can_be_undone(organiser: Client, conference: Conference, talk: Event) -> None:
    garnet = make_room(conference, "Garnet")

    response = confirm(organiser, look(organiser, talk, start="11:05", room=garnet.pk), reason="The flight is late.")

    assert stored(talk) == (THURSDAY, at("11:05"), at("12:05"), "Garnet")
    assert response["Location"] == f"/organise/events/event/timetable/?conference={conference.pk}&day=2025-04-24"
    assert messages_of(response) == ["Moved: “Adam” Thu 24 Apr 09:00–10:00, Hall 1 → Thu 24 Apr 11:05–12:05, Garnet."]
    assert set(Change.objects.values_list("reason", flat=True)) == {"The flight is late."}

    organiser.post(reverse("admin:events_changegroup_undo", args=[ChangeGroup.objects.get().pk]))
    assert stored(talk) == (THURSDAY, at("09:00"), at("10:00"), "Hall 1")


def test_event_that_nobody_has_is_shown_first_too(organiser: Client, talk: Event) -> None:
    page = look(organiser, talk, start="11:05")

    assert "Nobody has it in their agenda." in page.text
    assert stored(talk)[1] == at("09:00")
    assert client_posts_without_look(organiser, talk).status_code == 200
    assert stored(talk)[1] == at("09:00")


def client_posts_without_look(client: Client, event: Event) -> Any:
    return client.post(MOVE, {"event": event_token(Event.objects.get(pk=event.pk)), "start": "11:05"})


def test_answers_changed_on_the_page_are_shown_again(organiser: Client, talk: Event) -> None:
    page = confirm(organiser, look(organiser, talk, start="11:05"), start="12:00")

    assert page.status_code == 200
    assert stored(talk)[1] == at("09:00")
    confirm(organiser, page)
    assert stored(talk)[1] == at("12:00")


def test_new_clash_is_named_and_may_be_made(organiser: Client, conference: Conference, talk: Event) -> None:
    make_event(conference, title="Eve", start="11:00", end="12:00", room=talk.room)

    page = look(organiser, talk, start="11:30")

    assert "This would make 1 clash" in page.text
    assert page.context["button"] == "Save anyway"
    confirm(organiser, page)
    assert stored(talk)[1] == at("11:30")


def test_two_editors_do_not_overwrite_each_other_unseen(organiser: Client, other_organiser: Client, talk: Event) -> None:
    page = look(organiser, talk, start="11:05")
    confirm(other_organiser, look(other_organiser, talk, start="15:00"))

    again = confirm(organiser, page)

    assert (
        "Edsger changed this after you opened it: Start: 24 Apr 2025 09:00, Singapore → 24 Apr 2025 15:00, Singapore"
        in again.text
    )
    assert stored(talk)[1] == at("15:00")
    confirm(organiser, again)
    assert stored(talk)[1] == at("11:05")


def test_drop_on_an_old_timetable_says_who_changed_it(organiser: Client, other_organiser: Client, talk: Event) -> None:
    old = event_token(Event.objects.get(pk=talk.pk))
    confirm(other_organiser, look(other_organiser, talk, start="15:00"))

    page = organiser.get(MOVE, {"event": old, "start": "11:05"})

    assert "Edsger changed this after you opened it" in page.text


def test_session_takes_what_is_inside_along(organiser: Client, conference: Conference) -> None:
    hall, garnet, small = (make_room(conference, name) for name in ("Hall 1", "Garnet", "Small"))
    session = make_event(conference, title="Orals", start="09:00", end="12:00", room=hall)
    inside = make_event(conference, kind="talk", session=session, start="09:30", end="10:00", room=hall)
    elsewhere = make_event(conference, kind="talk", session=session, start="10:00", end="10:30", room=small)

    confirm(organiser, look(organiser, session, start="13:00", room=garnet.pk, day="2025-04-24"))

    assert stored(session)[1:] == (at("13:00"), at("16:00"), "Garnet")
    assert stored(inside)[1:] == (at("13:30"), at("14:00"), "Garnet")
    assert stored(elsewhere)[1:] == (at("14:00"), at("14:30"), "Small")


def test_cancelled_talk_stays_where_it_was(organiser: Client, conference: Conference) -> None:
    session = make_event(conference, start="09:00", end="12:00")
    talk = make_event(conference, title="Off", kind="talk", status="cancelled", session=session, start="09:30", end="10:00")

    response = confirm(organiser, look(organiser, session, start="13:00"))

    assert (messages_of(response)[-1], stored(talk)[1]) == ("Unchanged: “Off” is cancelled.", at("09:30"))
    assert {change.event for change in Change.objects.all()} == {session}


def test_room_takes_the_place_of_one_in_words(organiser: Client, conference: Conference) -> None:
    make_room(conference, "Garnet")
    session = make_event(conference, start="09:00", end="12:00", place="Garden")
    inside = make_event(conference, kind="talk", session=session, start="09:30", end="10:00", place="Garden")
    elsewhere = make_event(conference, kind="talk", session=session, start="10:00", end="10:30", place="Quay")

    confirm(organiser, look(organiser, session, room=conference.rooms.get().pk))

    places = [Event.objects.values_list("room__name", "place").get(pk=it.pk) for it in (session, inside, elsewhere)]
    assert places == [("Garnet", ""), ("Garnet", ""), (None, "Quay")]


def test_what_is_inside_may_stay(organiser: Client, conference: Conference) -> None:
    session = make_event(conference, title="Orals", start="09:00", end="12:00")
    inside = make_event(conference, kind="talk", session=session, start="09:30", end="10:00")
    page = look(organiser, session, start="13:00")

    answers = {name: value for name, value in sent_by(page).items() if name != "include"}
    shown_again = organiser.post(MOVE, answers)
    organiser.post(MOVE, {name: value for name, value in sent_by(shown_again).items() if name != "include"})

    assert (stored(session)[1], stored(inside)[1]) == (at("13:00"), at("09:30"))


def test_event_without_an_hour_gets_the_usual_length_of_its_type(organiser: Client, conference: Conference) -> None:
    event = make_event(conference, title="Town hall")
    Event.objects.filter(pk=event.pk).update(day=None)
    hall = make_room(conference, "Hall 1")

    confirm(organiser, look(organiser, event, day="2025-04-24", start="13:00", room=hall.pk))

    assert stored(event) == (THURSDAY, at("13:00"), at("14:00"), "Hall 1")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        pytest.param({"start": "01:30"}, (THURSDAY, at("01:30", FRIDAY), at("02:30", FRIDAY)), id="past-midnight"),
        pytest.param({"day": "2025-04-25"}, (FRIDAY, at("09:00", FRIDAY), at("10:00", FRIDAY)), id="another-day"),
        pytest.param({"day": "2025-04-25", "start": "08:05"}, (FRIDAY, at("08:05", FRIDAY), at("09:05", FRIDAY)), id="both"),
    ],
)
def test_time_is_that_of_the_day_at_the_venue(
    organiser: Client, conference: Conference, talk: Event, answers: dict[str, str], expected: tuple[Any, ...]
) -> None:
    make_day(conference, FRIDAY)

    confirm(organiser, look(organiser, talk, **answers))

    assert stored(talk) == (*expected, "Hall 1")


@pytest.mark.parametrize("minutes", [1, 600], ids=["one-minute", "ten-hours"])
def test_length_stays(organiser: Client, conference: Conference, minutes: int) -> None:
    start = at("09:00")
    event = make_event(conference, start=start, end=start + dt.timedelta(minutes=minutes))

    confirm(organiser, look(organiser, event, start="10:35"))

    assert stored(event)[1:3] == (at("10:35"), at("10:35") + dt.timedelta(minutes=minutes))


def test_hour_that_does_not_exist_is_refused_with_a_sentence(organiser: Client) -> None:
    conference = make_conference(timezone="Europe/Berlin")
    day = make_day(conference, dt.date(2025, 3, 29))
    event = make_event(conference, day=day, start=at("12:00", day.date), end=at("13:00", day.date))

    page = look(organiser, event, start="02:30")

    assert page.context["form"].errors == {
        "start": ["02:30 on Sun 30 March 2025 does not exist there: the clocks go forward that night."]
    }


def test_drop_where_it_was_changes_nothing(organiser: Client, talk: Event) -> None:
    response = look(organiser, talk, start="09:00")

    assert messages_of(response) == ["Nothing was changed: “Adam” is there already."]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Choose the event to move."),
        ({"event": "999999-x"}, "Nothing was changed: what you chose does not exist any more. Somebody may have deleted it."),
        ({"event": "9" * 40}, "Nothing was changed: what you chose does not exist any more. Somebody may have deleted it."),
        ({"event": "²-x"}, "Nothing was changed: what you chose does not exist any more. Somebody may have deleted it."),
    ],
    ids=["nothing", "unknown", "huge", "not-a-number"],
)
def test_no_event_leads_back_to_the_timetable(organiser: Client, sent: dict[str, str], said: str) -> None:
    response = organiser.get(MOVE, sent)

    assert (response.status_code, messages_of(response)) == (302, [said])


@pytest.mark.parametrize(
    "answers", [{"start": "25:00"}, {"day": "soon"}, {"day": "1999-01-01"}, {"room": "x"}, {"room": "999999"}], ids=str
)
def test_wrong_answers_are_named(organiser: Client, talk: Event, answers: dict[str, str]) -> None:
    page = look(organiser, talk, **answers)

    assert list(page.context["form"].errors) == list(answers)
    assert stored(talk)[1] == at("09:00")


def test_room_of_another_conference_is_refused(organiser: Client, talk: Event) -> None:
    page = look(organiser, talk, room=make_room(make_conference(), "Far").pk)

    assert list(page.context["form"].errors) == ["room"]


def test_who_may_not_change_an_event_moves_none(talk: Event) -> None:
    user = User.objects.create_user("reader", password="a long password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_", content_type__app_label="events"))
    client = Client()
    client.force_login(user)

    assert look(client, talk, start="11:00").status_code == 403
    assert client.post(MOVE, {"event": event_token(talk), "start": "11:00"}).status_code == 403
    assert client.get("/organise/events/event/timetable/", {"conference": talk.conference_id}).context["timetable"].movable == []
