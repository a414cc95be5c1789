"""The lists of events: what they show, filter, find and warn of."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.admin.programme.clash_notice import ClashNotice
from tests.admin.pages import url
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
)

pytestmark = pytest.mark.django_db
LISTS = [("session", "session"), ("invitedtalk", "invited-talk"), ("social", "social")]


def listed(response: Any) -> list[str]:
    return [event.title for event in response.context["cl"].result_list]


def row(response: Any, column: str) -> list[str]:
    """What a column says, tags and all."""
    admin, rows = response.context["cl"].model_admin, response.context["cl"].result_list
    return [str(getattr(admin, column)(event)) for event in rows]


def notice(response: Any) -> ClashNotice:
    """The clashes above the list."""
    found: ClashNotice | None = response.context["notice"]
    assert found is not None
    return found


@pytest.mark.parametrize(("model", "kind"), LISTS)
def test_list_shows_its_kinds_only(organiser: Client, model: str, kind: str) -> None:
    conference = make_conference()
    for each in ("session", "talk", "poster", "break", "service", "invited-talk", "social"):
        make_event(conference, kind=each, title=each)

    response = organiser.get(url("changelist", model))

    expected = {"session": ["break", "poster", "service", "session", "talk"]}.get(model, [kind])
    assert listed(response) == expected


def test_list_shows_venue_time_with_its_zone(organiser: Client) -> None:
    make_event(make_conference(), start="09:00", end="10:30")
    make_event(make_conference(city="Vienna", timezone="Europe/Vienna", start=dt.date(2024, 5, 7)), title="To be announced")

    response = organiser.get(url("changelist", "session"), {"conference__id__exact": "all"})

    assert row(response, "at_time") == [
        '<time datetime="2025-04-24T01:00:00+00:00">09:00–10:30</time><span class="hallway-zone">Singapore time</span>',
        "time to be announced",
    ]


def test_list_counts_bookmarks_that_stand(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference)
    make_agenda(conference, event)
    taken_back, _ = make_agenda(conference, event)
    taken_back.bookmark(event, on=False)

    response = organiser.get(url("changelist", "session"))

    assert row(response, "bookmarked") == ["1"]


def test_list_says_where_who_and_in_which_state(organiser: Client) -> None:
    conference = make_conference()
    event = make_event(conference, room=make_room(conference, "Garnet"), status="draft")
    make_appearance(event, make_person(conference, "Ada Lovelace"))
    make_appearance(event, make_person(conference, "Mary Somerville"))

    response = organiser.get(url("changelist", "session"))

    assert [row(response, column) for column in ("on_day", "in_room", "people", "in_status")] == [
        ["Thu 24 Apr"],
        ["Garnet"],
        ["Ada Lovelace, Mary Somerville"],
        ['<span class="hallway-status" data-status="draft">Draft</span>'],
    ]


def test_list_shows_boards_and_finds_posters_without_one(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, kind="poster", title="Placed", board="#17")
    make_event(conference, kind="poster", title="Waiting")
    make_event(conference, title="Talks")

    everything, without, placed = (
        organiser.get(url("changelist", "session"), query) for query in ({}, {"has_board": "no"}, {"has_board": "yes"})
    )

    assert dict(zip(listed(everything), row(everything, "on_board"), strict=True)) == {
        "Placed": "#17",
        "Waiting": "none",
        "Talks": "",
    }
    assert (listed(without), listed(placed)) == (["Waiting"], ["Placed"])


@pytest.mark.parametrize("model", ["invitedtalk", "social"])
def test_lists_without_posters_have_no_boards(organiser: Client, model: str) -> None:
    make_event(make_conference(), kind={"invitedtalk": "invited-talk"}.get(model, model))

    response = organiser.get(url("changelist", model))

    assert "on_board" not in response.context["cl"].list_display
    assert "Posters without a board" not in response.text


@pytest.mark.parametrize("search", ["Turing", "turing", "Lovelace", "A paper", "#17"])
def test_list_finds_by_title_person_paper_and_board(organiser: Client, search: str) -> None:
    conference = make_conference()
    paper = make_paper(conference, title="A paper on engines")
    event = make_event(conference, title="The Turing lecture", paper=paper, board="#17")
    make_appearance(event, make_person(conference, "Ada Lovelace"))
    make_event(conference, title="Lunch")

    response = organiser.get(url("changelist", "session"), {"q": search})

    assert listed(response) == ["The Turing lecture"]


def test_list_finds_a_talk_once_by_the_authors_of_its_paper_and_shows_them(organiser: Client) -> None:
    conference = make_conference()
    authors = [make_person(conference, name) for name in ("Ada Lovelace", "Adam Smith", "Mary Somerville", "Grace Hopper")]
    make_event(conference, kind="talk", title="Engines", paper=make_paper(conference, *authors))
    make_event(conference, title="Lunch")

    lists = [organiser.get(url("changelist", "session"), {"q": search}) for search in ("hopper", "ada", "lovelace ada")]

    assert [(listed(page), row(page, "people")) for page in lists] == [
        (["Engines"], ["Ada Lovelace, Adam Smith, Mary Somerville and 1 more"])
    ] * 3


def test_list_shows_who_presents_rather_than_all_authors(organiser: Client) -> None:
    conference = make_conference()
    authors = [make_person(conference, name) for name in ("Ada Lovelace", "Mary Somerville")]
    talk = make_event(conference, kind="talk", paper=make_paper(conference, *authors))
    make_appearance(talk, make_person(conference, "Grace Hopper"))

    assert row(organiser.get(url("changelist", "session")), "people") == ["Grace Hopper"]


@pytest.mark.parametrize("count", [1, 3])
def test_authors_of_a_list_are_one_more_query(organiser: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    for number in range(count):
        make_event(conference, kind="talk", paper=make_paper(conference, make_person(conference, f"Person {number}")))

    with django_assert_num_queries(19 + 1):
        organiser.get(url("changelist", "session"))


@pytest.mark.parametrize("search", ["%00", "((((", "'*", '"NEAR', "x" * 5000, "\u202e"])
def test_list_finds_nothing_for_nonsense(organiser: Client, search: str) -> None:
    make_event(make_conference())

    response = organiser.get(url("changelist", "session"), {"q": search})

    assert (response.status_code, listed(response)) == (200, [])


def test_list_filters_offer_what_is_in_use_at_the_chosen_conference(organiser: Client) -> None:
    conference, other = make_conference(), make_conference()
    room = make_room(conference, "Garnet")
    make_room(conference, "Empty room")
    make_event(conference, room=room)
    make_event(other, room=make_room(other, "Elsewhere"))

    response = organiser.get(url("changelist", "session"), {"conference__id__exact": conference.pk})

    rooms = next(spec for spec in response.context["cl"].filter_specs if getattr(spec, "field_path", "") == "room")
    assert [label for _, label in rooms.lookup_choices] == ["Garnet"]


def test_list_drills_down_by_the_date_at_the_venue(organiser: Client) -> None:
    # 07:00 in Singapore is still the evening before in UTC.
    conference = make_conference()
    make_event(conference, title="Early", start="07:00", end="08:00")
    make_event(conference, title="Next day", day=make_day(conference, dt.date(2025, 4, 25)), start="07:00", end="08:00")

    response = organiser.get(url("changelist", "session"), {"start__year": 2025, "start__month": 4, "start__day": 24})

    assert listed(response) == ["Early"]


@pytest.mark.parametrize(("model", "kind"), LISTS)
@pytest.mark.parametrize("count", [1, 3])
def test_list_takes_a_fixed_number_of_queries(
    organiser: Client, model: str, kind: str, count: int, django_assert_num_queries: Any
) -> None:
    conference = make_conference()
    person, room = make_person(conference), make_room(conference)
    for _ in range(count):
        event = make_event(conference, kind=kind, start="09:00", end="10:00", room=room)
        make_appearance(event, person)
        make_agenda(conference, event)

    # One of them reads the languages in use, for their filter; where events clash, one reads which of them are listed.
    with django_assert_num_queries(19 + (count > 1)):
        response = organiser.get(url("changelist", model))

    assert (len(listed(response)), len(notice(response).past)) == (count, 2 * count * (count - 1) // 2)


@pytest.mark.parametrize(("model", "kind"), LISTS)
@pytest.mark.parametrize("count", [1, 3])
def test_form_takes_a_fixed_number_of_queries(
    organiser: Client, model: str, kind: str, count: int, django_assert_max_num_queries: Any
) -> None:
    conference = make_conference()
    event = make_event(conference, kind=kind, start="09:00", end="10:00", room=make_room(conference))
    for number in range(count):
        make_appearance(event, make_person(conference, f"Person {number}"))
        make_event(conference, kind="talk", session=event, start="09:00", end="09:15")

    with django_assert_max_num_queries(26):
        response = organiser.get(url("change", model, event.pk))

    people = next(inline for inline in response.context["inline_admin_formsets"] if inline.formset.prefix == "appearances")
    assert len(people.formset.initial_forms) == count


def test_clashes_stand_above_the_list_with_links_to_both(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    session = make_event(conference, title="Session", room=room, start="09:00", end="10:00")
    social = make_event(conference, kind="social", title="Breakfast", room=room, start="09:30", end="11:00")

    page = organiser.get(url("changelist", "session")).text

    assert page.index("Garnet") < page.index('id="changelist"')
    assert f'<a href="{url("change", "session", session.pk)}">Session</a> (09:00–10:00)' in page
    assert f'<a href="{url("change", "social", social.pk)}">Breakfast</a> (09:30–11:00)' in page
    assert "Thu 24 April, 09:30–10:00 · 30 min" in page


def test_clashes_are_those_of_the_chosen_conference(organiser: Client) -> None:
    conferences = [make_conference(), make_conference()]
    for conference in conferences:
        room = make_room(conference)
        for _ in range(2):
            make_event(conference, room=room, start="09:00", end="10:00")

    every = organiser.get(url("changelist", "session"), {"conference__id__exact": "all"})
    one = organiser.get(url("changelist", "session"), {"conference__id__exact": conferences[1].pk})

    assert [[it.clash.conference for it in notice(page).past] for page in (every, one)] == [[conferences[0]], [conferences[1]]]


def test_clashes_are_those_of_what_the_list_shows(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference)
    for title in ("Yoga", "Juggling"):
        make_event(conference, title=title, room=room, start="09:00", end="10:00")

    lists = [("session", {}), ("session", {"q": "Yoga"}), ("session", {"q": "Chess"}), ("social", {})]
    found = [len(notice(organiser.get(url("changelist", model), query)).past) for model, query in lists]

    assert found == [1, 1, 0, 0]


@pytest.mark.parametrize(
    ("now", "expected"), [("08:00", (2, 0)), ("09:45", (1, 1)), ("12:00", (0, 2))], ids=["before", "between", "after"]
)
def test_clashes_that_are_over_are_folded_apart(organiser: Client, now: str, expected: tuple[int, int]) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    for start, end in [("09:00", "09:40"), ("09:10", "09:30"), ("10:00", "11:00"), ("10:30", "11:30")]:
        make_event(conference, room=room, start=start, end=end)

    with time_machine.travel(at(now), tick=False):
        page = organiser.get(url("changelist", "session"))

    assert (len(notice(page).coming), len(notice(page).past)) == expected
    assert ("next: Garnet, Thu 24 April, " in page.text) == (expected[0] > 0)


def test_clashes_show_hostile_names_as_text(organiser: Client) -> None:
    hostile = "<script>alert(1)</script>"
    conference = make_conference(name=hostile, city=hostile)
    room = make_room(conference, hostile)
    for _ in range(2):
        event = make_event(conference, title=hostile, room=room, start="09:00", end="10:00")
        make_appearance(event, make_person(conference, hostile))

    page = organiser.get(url("changelist", "session")).text

    assert (hostile in page, page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 8) == (False, True)


def test_clashes_do_not_tell_a_social_chair_what_a_session_is_called(chair: Client) -> None:
    conference = make_conference()
    room = make_room(conference)
    make_event(conference, title="Secret session", room=room, status="draft", start="09:00", end="10:00")
    make_event(conference, kind="social", title="Breakfast", room=room, start="09:30", end="11:00")

    page = chair.get(url("changelist", "social")).text

    assert ("Secret session" in page, "something that is not a social (09:00–10:00)" in page) == (False, True)


def test_events_on_another_day_than_their_start_stand_above_the_list(organiser: Client) -> None:
    conference = make_conference()
    friday = THURSDAY + dt.timedelta(days=1)
    event = make_event(conference, title="Opening <b>", start=at("09:00", friday), end=at("10:00", friday))

    page = organiser.get(url("changelist", "session"))

    assert "1 on another day than its start" in page.text
    assert f'<a href="{url("change", "session", event.pk)}">“Opening &lt;b&gt;” is listed under Thu 24 April' in page.text


def test_social_chair_reads_no_title_of_a_session_on_a_wrong_day(chair: Client) -> None:
    friday = THURSDAY + dt.timedelta(days=1)
    make_event(make_conference(), title="Secret keynote", start=at("09:00", friday), end=at("10:00", friday))

    page = chair.get(url("changelist", "social"))

    assert ("Secret keynote" in page.text, notice(page).wrong_days) == (False, [])


def test_clash_does_not_keep_anybody_from_saving(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference)
    make_event(conference, room=room, start="09:00", end="10:00")
    event = make_event(conference, start=at("09:00", THURSDAY), end="10:00")

    data = {"type": event.type_id, "title": "T", "status": "confirmed", "day": event.day_id, "start_1": "09:00", "end_1": "10:00"}
    for prefix in ("children", "sign_up", "appearances", "links"):
        data |= {f"{prefix}-TOTAL_FORMS": 0, f"{prefix}-INITIAL_FORMS": 0}
    organiser.post(url("change", "session", event.pk), {**data, "room": room.pk, "position": 0})

    event.refresh_from_db()
    assert event.room_id == room.pk
