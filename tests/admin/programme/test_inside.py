"""A form that moves an event offers to take along what is inside it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Change, Event
from tests.admin.pages import LATER, asks, messages_of, move, open_form, picked, save, sent_by, url
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db

FRIDAY = THURSDAY + dt.timedelta(days=1)


@pytest.fixture
def session(db: None) -> Event:
    """Two talks, of which one is cancelled, in its room and at its hours."""
    session = make_event(make_conference(), title="Orals", start="09:00", end="10:00", place="Garden")
    inside = {"kind": "talk", "session": session, "start": "09:15", "end": "09:30", "place": "Garden"}
    make_event(session.conference, title="First", **inside)
    make_event(session.conference, title="Off", status="cancelled", **inside)
    return session


def where(title: str) -> tuple[Any, ...]:
    return Event.objects.values_list("day__date", "start", "end", "room__name", "place").get(title=title)


def test_talks_come_along_to_another_hour_day_and_room(organiser: Client, session: Event) -> None:
    friday, room = make_day(session.conference, FRIDAY), make_room(session.conference)
    answers = {**LATER, "day": friday.pk, "room": room.pk, "place": "", "reason": "Rain."}

    page = move(organiser, session, **answers)
    unsaved = where("First")
    response = save(organiser, url("change", "session", session.pk), sent_by(page))

    words = "“First” Thu 24 Apr 09:15–09:30, Garden → Fri 25 Apr 11:15–11:30, Hall 1"
    assert (page.context["descriptions"], page.context["impact"]) == ([words], None)
    assert "1 talk inside: otherwise it stays behind" in page.text
    assert unsaved == where("Off") == (THURSDAY, at("09:15"), at("09:30"), None, "Garden")
    assert where("First") == (FRIDAY, at("11:15", FRIDAY), at("11:30", FRIDAY), "Hall 1", "")
    assert messages_of(response)[0] == f"Moved with it: {words}."
    assert set(Change.objects.values_list("event__title", "reason")) == {("Orals", "Rain."), ("First", "Rain.")}


def test_impact_counts_the_talks_that_come_along(organiser: Client, session: Event) -> None:
    picked(6, session.children.get(title="First"))

    page = move(organiser, session, **LATER)

    assert [title for title, *_ in page.context["impact"]["changes"]] == ["Orals", "First"]


def test_row_that_is_typed_over_comes_along_with_what_was_typed(organiser: Client, session: Event) -> None:
    page = move(organiser, session, **LATER, **{"children-0-title": "First of all"})
    save(organiser, url("change", "session", session.pk), sent_by(page))

    assert where("First of all")[1:3] == (at("11:15"), at("11:30"))


def test_talk_with_other_times_typed_does_not_come_along(organiser: Client, session: Event) -> None:
    typed = {"children-0-start_1": "11:30", "children-0-end_1": "12:00"}

    response = move(organiser, session, **LATER, **typed)

    assert (response.status_code, where("First")[1:3]) == (302, (at("11:30"), at("12:00")))


def test_later_end_alone_asks_nothing(organiser: Client, session: Event) -> None:
    response = move(organiser, session, end_1="11:00")

    assert (response.status_code, where("First")[1]) == (302, at("09:15"))


def test_talk_for_which_there_is_no_day_stays_and_says_why(organiser: Client) -> None:
    session = make_event(make_conference(), start="23:00", end="23:30")
    make_event(session.conference, title="Late", kind="talk", session=session, start="23:20", end="23:30")
    date = FRIDAY.isoformat()

    response = move(organiser, session, start_0=date, start_1="03:40", end_0=date, end_1="04:10")

    why = "“Late” would be on Fri 25 April 2025, which is no day of ICLR 2025: add it under Days first."
    assert (where("Late")[1], why in messages_of(response)) == (at("23:20"), True)


def leave_inside(organiser: Client, address: str, data: dict[str, str], **changes: Any) -> Any:
    """Save a move, and leave what is inside where it is."""
    page = save(organiser, address, data, **changes)
    for _ in range(2):
        assert asks(page)
        answers = {name: value for name, value in sent_by(page).items() if name != "include"}
        page = save(organiser, address, answers)
    return page


def test_save_says_which_talks_stay_in_the_former_room(organiser: Client) -> None:
    conference = make_conference()
    hall, attic = make_room(conference), make_room(conference, "Attic")
    session = make_event(conference, start="09:00", end="10:00", room=hall)
    for room in (hall, attic):
        make_event(conference, kind="talk", start="09:00", end="09:15", session=session, room=room)
    data = open_form(organiser, url("change", "session", session.pk))

    response = leave_inside(organiser, url("change", "session", session.pk), data, room=attic.pk)

    assert "1 talk inside stays in Hall 1: select and move what is left." in messages_of(response)
    again = save(organiser, url("change", "session", session.pk), open_form(organiser, url("change", "session", session.pk)))
    assert not any("stays in" in it for it in messages_of(again))


def test_save_says_which_talks_are_left_outside_of_their_session(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    make_event(conference, kind="talk", start="09:00", end="09:15", session=session)
    data = open_form(organiser, url("change", "session", session.pk))

    response = leave_inside(organiser, url("change", "session", session.pk), data, start_1="11:00", end_1="12:00")

    assert messages_of(response)[0] == "1 talk inside is outside its time: select and move what is left behind."


def test_cancelling_offers_to_cancel_what_is_inside(organiser: Client, session: Event) -> None:
    make_event(session.conference, title="Draft", kind="talk", session=session, status="draft")

    page = move(organiser, session, status="cancelled", reason="The hall is flooded.")
    response = save(organiser, url("change", "session", session.pk), sent_by(page))

    assert (page.context["along"], page.context["descriptions"]) == ("What is cancelled too", ["“First”"])
    assert page.context["form"]["include"].label == "Cancel what is inside it too"
    assert dict(Event.objects.values_list("title", "status")) == {
        **dict.fromkeys(("Orals", "First", "Off"), "cancelled"),
        "Draft": "draft",
    }
    assert messages_of(response)[0] == "Cancelled with it: “First”."
    assert set(Change.objects.values_list("event__title", "reason")) == {
        ("Orals", "The hall is flooded."),
        ("First", "The hall is flooded."),
    }


def test_talks_that_go_on_are_named_with_a_link_to_their_list(organiser: Client, session: Event) -> None:
    make_event(session.conference, kind="talk", session=session, status="draft")
    address = url("change", "session", session.pk)

    response = leave_inside(organiser, address, open_form(organiser, address), status="cancelled")

    query = f"conference__id__exact={session.conference_id}&amp;session__id__exact={session.pk}"
    link = f"{url('changelist', 'session')}?{query}"
    assert messages_of(response)[0] == f'1 talk inside is still on: <a href="{link}">select and cancel it too</a>.'
    assert list(session.children.order_by("pk").values_list("status", flat=True)) == ["confirmed", "cancelled", "draft"]


def test_status_typed_for_a_talk_stays_when_its_session_is_cancelled(organiser: Client, session: Event) -> None:
    response = move(organiser, session, status="cancelled", **{"children-0-status": "tentative"})

    assert (response.status_code, session.children.get(title="First").status) == (302, "tentative")
