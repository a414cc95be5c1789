"""Bulk actions say what they do to attendees, over all that was chosen, before they do it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Change, Event
from tests.admin.conftest import logged_in, staff
from tests.admin.pages import act, counts, messages_of, picked, sent_by, url
from tests.factories import at, make_agenda, make_conference, make_event, make_room

pytestmark = pytest.mark.django_db


@pytest.fixture
def two() -> list[Event]:
    """Two events one after the other."""
    conference = make_conference()
    hours = [("First", "09:00", "10:00"), ("Second", "10:00", "11:00")]
    return [make_event(conference, title=title, start=start, end=end) for title, start, end in hours]


def starts() -> list[Any]:
    return list(Event.objects.order_by("pk").values_list("start", flat=True))


def confirm(client: Client, page: Any, **answers: Any) -> Any:
    """Press the button of the page, with all that was chosen."""
    data = sent_by(page) | {"_selected_action": [event.pk for event in page.context["events"]]}
    return client.post(url("changelist", "session"), data | answers)


def test_move_is_shown_over_all_that_was_chosen_and_then_done(organiser: Client, two: list[Event]) -> None:
    at_noon = make_event(two[0].conference, start="11:00", end="12:00")
    picked(5, *two)
    picked(6, two[1], at_noon)

    page = act(organiser, "session", "move", two, minutes="60", reason="Fog.")
    stood = starts()
    answer = confirm(organiser, page)

    assert counts(page) == [
        ("11", "have one of these in their agenda"),
        ("6", "get a new clash"),
        ("0", "cannot get there in time"),
    ]
    assert stood == [at("09:00"), at("10:00"), at("11:00")]
    assert (starts(), messages_of(answer)[-1][:6]) == ([at("10:00"), at("11:00"), at("11:00")], "Moved:")
    assert {change.reason for change in Change.objects.all()} == {"Fog."}


def test_other_minutes_than_those_that_were_seen_are_shown_anew(organiser: Client, two: list[Event]) -> None:
    picked(1, *two)
    page = act(organiser, "session", "move", two, minutes="60")

    again = confirm(organiser, page, minutes="90")

    assert (len(again.context["impact"]["changes"]), starts()) == (2, [at("09:00"), at("10:00")])


def test_what_was_moved_meanwhile_is_shown_anew(organiser: Client, two: list[Event]) -> None:
    picked(1, *two)
    page = act(organiser, "session", "move", two, minutes="60")
    Event.objects.filter(pk=two[0].pk).update(start=at("08:00"))

    again = confirm(organiser, page)

    assert (again.context["impact"]["changes"][0][2], starts()) == ("Thu 24 Apr 09:00–11:00", [at("08:00"), at("10:00")])


def test_cancelling_says_at_once_what_it_does(organiser: Client, two: list[Event]) -> None:
    picked(7, two[0], make_event(two[0].conference, start="09:30", end="10:00"))

    page = act(organiser, "session", "cancel", two)
    answer = confirm(organiser, page, reason="The speaker is ill.")

    assert counts(page) == [("7", "have one of these in their agenda"), ("all", "lose a clash")]
    assert (answer.status_code, list(Event.objects.order_by("pk").values_list("status", flat=True))) == (
        302,
        ["cancelled", "cancelled", "confirmed"],
    )
    assert {change.reason for change in Change.objects.all()} == {"The speaker is ill."}


def test_cancelling_without_what_is_inside_is_counted_anew(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", session=session, start="09:00", end="09:15")
    picked(6, talk)
    picked(5, session)
    page = act(organiser, "session", "cancel", [session])
    data = {name: value for name, value in sent_by(page).items() if name != "include"}

    again = organiser.post(url("changelist", "session"), data | {"reason": "Rain."})

    assert [counts(it)[0] for it in (page, again)] == [
        ("11", "have one of these in their agenda"),
        ("5", "have it in their agenda"),
    ]
    assert Event.objects.filter(status="cancelled").count() == 0


def test_room_of_several_is_shown_with_seats_and_clashes(organiser: Client, two: list[Event]) -> None:
    garnet = make_room(two[0].conference, "Garnet", capacity=4)
    make_room(two[0].conference, "Opal", garnet.zone, capacity=6)
    make_event(two[0].conference, title="There", room=garnet, start="09:30", end="10:30")
    picked(6, two[0])
    picked(2, two[1])

    page = act(organiser, "session", "change_room", two, room=garnet.pk)
    confirm(organiser, page)

    impact = page.context["impact"]
    assert [(it.title, it.seats, it.have) for it in impact["short"]] == [("First", 4, 6)]
    assert [it.name for it in impact["rooms"]] == ["Opal"]
    assert (len(page.context["clashes"]), page.context["button"]) == (2, "Do it anyway")
    assert set(Event.objects.values_list("room", flat=True)) == {garnet.pk}


def test_number_of_all_tells_of_no_few_who_have_both(organiser: Client, two: list[Event]) -> None:
    picked(9, two[0])
    picked(7, two[1])
    picked(1, *two)

    page = act(organiser, "session", "move", two, minutes="60")

    assert counts(page)[0] == ("at least 15", "have one of these in their agenda")


def test_actions_on_what_nobody_has_are_done_at_once(organiser: Client, two: list[Event]) -> None:
    draft = make_event(two[0].conference, status="draft", start="09:00", end="10:00")
    make_agenda(draft.conference, draft)

    answer = act(organiser, "session", "move", [*two, draft], minutes="60")

    assert (answer.status_code, starts()) == (302, [at("10:00"), at("11:00"), at("10:00")])


def test_chair_sees_nothing_of_events_that_are_not_socials(two: list[Event]) -> None:
    chair = logged_in(staff("Barbara", "Social chairs"))
    social = make_event(two[0].conference, kind="social", title="Run", start="09:00", end="10:00")
    inside = make_event(two[0].conference, title="Not theirs", session=social, start="09:00", end="09:30")
    picked(6, inside)

    page = act(chair, "social", "cancel", [social])

    assert (page.status_code, page.context["impact"], "Not theirs" in page.text) == (200, None, False)


@pytest.mark.parametrize("agendas", [1, 3, 50])
def test_page_takes_a_fixed_number_of_queries(
    organiser: Client, two: list[Event], agendas: int, django_assert_num_queries: Any
) -> None:
    picked(agendas, *two)

    with django_assert_num_queries(39):
        page = act(organiser, "session", "move", two, minutes="60")

    assert len(page.context["impact"]["changes"]) == 2
