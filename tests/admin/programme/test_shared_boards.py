"""A board of two posters of one session: saved, named after saving, and listed above the events."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from events.models import Conference, Event
from tests.admin.pages import messages_of, move, open_form, save, url
from tests.factories import make_conference, make_event, make_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def make_poster(session: Event, title: str, board: str, **fields: Any) -> Event:
    times = {"start": "10:00", "end": "12:00"}
    return make_event(session.conference, kind="poster", title=title, board=board, session=session, **times, **fields)


def make_session(conference: Conference, title: str = "Posters 1") -> Event:
    return make_event(conference, title=title, start="10:00", end="12:00")


def board_messages(page: Any) -> list[str]:
    return [text for text in messages_of(page) if "oard" in text and "this session" in text]


def link(poster: Event) -> str:
    return f'<a href="{url("change", "session", poster.pk)}">“{poster.title}”</a>'


def test_board_of_another_poster_of_the_session_is_named_with_a_link(organiser: Client, conference: Conference) -> None:
    session = make_session(conference)
    first, second = make_poster(session, "First", "#6"), make_poster(session, "Second", "7")

    page = move(organiser, second, board="6")

    second.refresh_from_db()
    assert (second.board, board_messages(page)) == ("6", [f"Board 6 is also {link(first)} in this session."])


def test_board_of_another_session_or_a_cancelled_poster_is_free(organiser: Client, conference: Conference) -> None:
    session = make_session(conference)
    make_poster(make_session(conference, "Posters 2"), "There", "6")
    make_poster(session, "Gone", "6", status="cancelled")
    poster = make_poster(session, "Here", "7")

    assert board_messages(move(organiser, poster, board="6")) == []


def test_board_that_was_shared_before_is_not_named_again(organiser: Client, conference: Conference) -> None:
    session = make_session(conference)
    make_poster(session, "First", "6")
    poster = make_poster(session, "Second", "6")

    assert board_messages(move(organiser, poster, title="Another title")) == []


def test_new_poster_with_a_board_that_is_taken_is_named(organiser: Client, conference: Conference) -> None:
    session = make_session(conference)
    first = make_poster(session, "First", "6")
    address = url("add", "session")
    data = open_form(organiser, f"{address}?conference={conference.pk}")
    times = {"day": session.day_id, "start_1": "10:00", "end_1": "12:00"}
    typed = {"type": make_type(conference, "poster").pk, "title": "New", "board": "6", "session": session.pk}

    page = save(organiser, address, data, **typed, **times)

    assert board_messages(page) == [f"Board 6 is also {link(first)} in this session."]


def test_board_typed_in_the_form_of_the_session_is_named_with_both_posters(organiser: Client, conference: Conference) -> None:
    session = make_session(conference)
    first, second = make_poster(session, "First", "6"), make_poster(session, "Second", "7")

    page = move(organiser, session, **{"children-1-board": "6"})

    second.refresh_from_db()
    assert (second.board, board_messages(page)) == ("6", [f"“Second”: Board 6 is also {link(first)} in this session."])


def test_boards_given_twice_stand_above_the_list_of_what_it_shows(organiser: Client, conference: Conference) -> None:
    session = make_session(conference, "Posters <1>")
    posters = [make_poster(session, title, "6") for title in ("First", "Second")]
    make_poster(session, "Alone", "7")

    pages = [organiser.get(url("changelist", "session"), query) for query in ({}, {"q": "Second"}, {"q": "Alone"})]

    assert [len(page.context["cl"].clash_notice().boards) for page in pages] == [1, 1, 0]
    assert "1 board given to several posters of a session" in pages[0].text
    assert "in “Posters &lt;1&gt;”" in pages[0].text
    for poster in posters:
        assert f'<a href="{url("change", "session", poster.pk)}">{poster.title}</a>' in pages[0].text


def test_social_chair_reads_nothing_of_boards(chair: Client, conference: Conference) -> None:
    session = make_session(conference)
    for title in ("Secret one", "Secret two"):
        make_poster(session, title, "6", status="draft")

    assert "Secret" not in chair.get(url("changelist", "social")).text


def test_check_schedule_names_them_and_exits_with_1(conference: Conference, capsys: pytest.CaptureFixture[str]) -> None:
    session = make_session(conference)
    for title in ("First", "Second"):
        make_poster(session, title, "6")

    with pytest.raises(SystemExit) as ended:
        call_command("check_schedule", "demo")

    assert ended.value.code == 1
    assert capsys.readouterr().out.splitlines()[::2] == [
        "Board 6 has 2 posters in “Posters 1”: “First”, “Second”. Give each its board.",
        "1 board has several posters of one session.",
    ]
