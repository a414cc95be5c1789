"""What a change does to attendees is shown before it is saved, wherever it touches anybody."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Change, Conference, Event
from tests.admin.pages import LATER, asks, counts, move, open_form, picked, save, sent_by, url
from tests.factories import (
    at,
    make_agenda,
    make_conference,
    make_event,
    make_room,
    make_type,
    make_walk,
    make_zone,
)

pytestmark = pytest.mark.django_db

TOO_FEW = "Too few people to show more without identifying them."


def test_move_of_what_people_have_is_shown_before_it_is_saved(organiser: Client, keynote: Event) -> None:
    other = make_event(keynote.conference, start="11:30", end="12:30")
    earlier = make_event(keynote.conference, start="08:30", end="09:30")
    picked(5, keynote, other)
    picked(6, keynote, earlier)
    before, revision = list(Event.objects.order_by("pk").values()), Conference.objects.get().revision

    page = move(organiser, keynote, **LATER)

    assert asks(page)
    assert counts(page) == [
        ("11", "have it in their agenda"),
        ("5", "get a new clash"),
        ("0", "cannot get there in time"),
        ("6", "lose a clash"),
    ]
    assert page.context["impact"]["changes"] == [("Keynote", "Thu 24 Apr 09:00–10:00", "Thu 24 Apr 11:00–12:00")]
    assert list(Event.objects.order_by("pk").values()) == before
    assert (Change.objects.count(), Conference.objects.get().revision) == (0, revision)
    assert LogEntry.objects.count() == 0


def test_page_says_who_cannot_walk_it(organiser: Client) -> None:
    conference = make_conference()
    here, there = (make_room(conference, name) for name in ("Hall 1", "Hall 9"))
    make_walk(conference, here.zone, there.zone, 10)
    event = make_event(conference, start="09:00", end="10:00", room=here)
    picked(7, event, make_event(conference, start="10:05", end="11:00", room=here))

    page = move(organiser, event, room=there.pk)

    assert counts(page)[1:] == [("0", "get a new clash"), ("all", "cannot get there in time")]


def test_talk_that_is_moved_inside_its_session_is_shown(organiser: Client) -> None:
    session = make_event(make_conference(), start="09:00", end="10:00")
    talk = make_event(session.conference, kind="talk", title="First", session=session, start="09:00", end="09:15")
    picked(5, talk)

    page = move(organiser, session, **{"children-0-start_1": "09:30", "children-0-end_1": "09:45"})

    assert (counts(page)[0][0], page.context["impact"]["changes"]) == (
        "5",
        [("First", "Thu 24 Apr 09:00–09:15", "Thu 24 Apr 09:30–09:45")],
    )


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"title": "Another title", "abstract": "New."}, id="no-time-or-place"),
        pytest.param({"start_1": "09:00", "reason": "Why not."}, id="nothing"),
        pytest.param({"official": "on", "capacity": "20"}, id="other-fields"),
    ],
)
def test_what_moves_nothing_is_saved_straight(organiser: Client, keynote: Event, changes: dict[str, str]) -> None:
    picked(1, keynote)

    assert move(organiser, keynote, **changes).status_code == 302


@pytest.mark.parametrize(
    ("conference", "event"),
    [
        pytest.param({"status": "draft"}, {}, id="a-draft-conference"),
        pytest.param({}, {"status": "draft"}, id="a-draft"),
    ],
)
def test_what_nobody_can_see_is_saved_straight(organiser: Client, conference: dict[str, Any], event: dict[str, Any]) -> None:
    hidden = make_event(make_conference(**conference), start="09:00", end="10:00", **event)
    picked(1, hidden)

    assert (move(organiser, hidden, **LATER).status_code, Event.objects.get().start) == (302, at("11:00"))


def test_what_nobody_has_is_saved_straight(organiser: Client, keynote: Event) -> None:
    agenda, _ = make_agenda(keynote.conference, keynote)
    agenda.bookmark(keynote, on=False)

    assert (move(organiser, keynote, **LATER).status_code, Event.objects.get().start) == (302, at("11:00"))


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"day": ""}, id="day"),
        pytest.param({"end_1": "10:30"}, id="end"),
        pytest.param({"place": "By the sea"}, id="place"),
        pytest.param({"status": "cancelled"}, id="cancelled"),
        pytest.param({"status": "tentative"}, id="tentative"),
        pytest.param({"status": "draft"}, id="hidden"),
    ],
)
def test_each_thing_that_those_who_come_must_know_is_shown_first(
    organiser: Client, keynote: Event, changes: dict[str, str]
) -> None:
    picked(1, keynote)
    before = Event.objects.filter(pk=keynote.pk).values().get()
    changes |= {"start_1": "", "end_1": ""} if "day" in changes else {}

    page = move(organiser, keynote, **changes)
    stored = Event.objects.get()
    answer = organiser.post(url("change", "session", keynote.pk), sent_by(page))

    assert (asks(page), answer.status_code) == (True, 302)
    assert (stored.day_id, stored.end, stored.place, stored.status) == (keynote.day_id, at("10:00"), "", "confirmed")
    assert Event.objects.filter(pk=keynote.pk).values().get() != before


@pytest.mark.parametrize(("model", "kind"), [("invitedtalk", "invited-talk"), ("social", "social"), ("session", "session")])
def test_every_list_of_events_shows_it(organiser: Client, model: str, kind: str) -> None:
    event = make_event(make_conference(), kind=kind, start="09:00", end="10:00")
    picked(1, event)

    page = move(organiser, event, model, **LATER)
    answer = organiser.post(url("change", model, event.pk), sent_by(page))

    assert (asks(page), answer.status_code, Event.objects.get().start) == (True, 302, at("11:00"))


def test_few_people_are_not_counted(organiser: Client, keynote: Event) -> None:
    picked(4, keynote, make_event(keynote.conference, start="11:00", end="12:00"))

    page = move(organiser, keynote, **LATER)

    assert (counts(page), page.context["impact"]["short"]) == ([("<5", "have it in their agenda")], [])
    assert ("<strong>&lt;5</strong>" in page.text, TOO_FEW in page.text) == (True, True)


def test_few_who_are_left_are_not_to_be_worked_out(organiser: Client, keynote: Event) -> None:
    other = make_event(keynote.conference, start="11:00", end="12:00")
    picked(6, keynote, other)
    picked(3, keynote)

    page = move(organiser, keynote, **LATER)

    assert counts(page)[:2] == [("9", "have it in their agenda"), ("all but <5", "get a new clash")]


def test_room_that_is_too_small_and_rooms_that_are_not_are_named(organiser: Client, keynote: Event) -> None:
    zone = make_zone(keynote.conference, "Hall 1")
    small, large = (make_room(keynote.conference, name, zone, capacity=seats) for name, seats in (("Small", 3), ("Large", 90)))
    make_walk(keynote.conference, zone, make_room(keynote.conference, "Far", capacity=20).zone, 7)
    picked(6, keynote)

    page = move(organiser, keynote, room=small.pk)

    text = " ".join(page.text.split())
    assert "<strong>Small</strong> has 3 seats, 6 have it in their agenda." in text
    assert "2 rooms with enough seats are free then, the nearest first:" in text
    assert [(it.name, it.seats, it.walk_minutes) for it in page.context["impact"]["rooms"]] == [
        (large.name, 90, 0),
        ("Far", 20, 7),
    ]


@pytest.mark.parametrize(
    ("known", "sentence", "rooms"),
    [
        pytest.param(
            [20],
            "1 room with enough seats is free then; of 2 more the seats are unknown:",
            [("Known 20", 20), ("Annex", None), ("Barn", None)],
            id="after those with enough seats",
        ),
        pytest.param(
            [2],
            "2 other rooms are free then; how many seats they have is unknown:",
            [("Annex", None), ("Barn", None)],
            id="where no room has enough",
        ),
    ],
)
def test_rooms_with_unknown_seats_are_offered_last(
    organiser: Client, keynote: Event, known: list[int], sentence: str, rooms: list[tuple[str, int | None]]
) -> None:
    conference = keynote.conference
    small = make_room(conference, "Small", capacity=3)
    for name, seats in [("Barn", None), ("Annex", None), *((f"Known {it}", it) for it in known)]:
        make_room(conference, name, capacity=seats)
    picked(6, keynote)

    page = move(organiser, keynote, room=small.pk)

    text = " ".join(page.text.split())
    assert sentence in text
    assert [(it.name, it.seats) for it in page.context["impact"]["rooms"]] == rooms
    assert text.count("<span> seats unknown </span>") == 2


def test_clashes_it_would_make_stand_on_the_page(chair: Client, organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    make_event(conference, title="Secret draft", room=room, start="11:30", end="12:30", status="draft")
    social = make_event(conference, kind="social", title="Run", room=room, start="09:00", end="10:00")
    picked(1, social)

    pages = [move(client, social, "social", **LATER) for client in (organiser, chair)]

    assert [[(it.a.title, it.b.title) for it in page.context["clashes"]] for page in pages] == [
        [("Run", "Secret draft")],
        [("Run", "something that is not a social")],
    ]
    assert "Secret draft" not in pages[1].text


def test_clash_of_a_reinstated_event_is_shown(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, title="Back", room=room, start="09:00", end="10:00", status="cancelled")
    make_event(conference, title="Instead", room=room, start="09:30", end="10:30")
    picked(1, event)

    page = move(organiser, event, status="confirmed")

    assert [(it.a.title, it.b.title) for it in page.context["clashes"]] == [("Back", "Instead")]


def test_new_event_is_saved_straight(organiser: Client) -> None:
    conference = make_conference()
    kind = make_type(conference)
    data = open_form(organiser, f"{url('add', 'session')}?conference={conference.pk}")

    answer = save(organiser, url("add", "session"), data, type=kind.pk, title="New", status="confirmed")

    assert (answer.status_code, Event.objects.get().title) == (302, "New")


@pytest.mark.parametrize("agendas", [1, 3, 50])
def test_page_takes_a_fixed_number_of_queries(
    organiser: Client, keynote: Event, agendas: int, django_assert_num_queries: Any
) -> None:
    other = make_event(keynote.conference, start="11:00", end="12:00")
    picked(agendas, keynote, other)
    address = url("change", "session", keynote.pk)
    data = open_form(organiser, address)

    with django_assert_num_queries(35):
        page = save(organiser, address, data, **LATER)

    assert asks(page)
