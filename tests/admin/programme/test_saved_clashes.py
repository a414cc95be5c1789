"""Clashes that the form of an event adds: saved, and named in the messages."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from events.admin.programme import clash_notice
from events.models import Appearance, Conference, Event, Room
from tests.admin.pages import LATER, messages_of, move, open_form, picked, save, sent_by, url
from tests.factories import make_appearance, make_conference, make_event, make_person, make_room, make_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference()


@pytest.fixture
def garnet(conference: Conference) -> Room:
    return make_room(conference, "Garnet")


@pytest.fixture
def taken(conference: Conference, garnet: Room) -> Event:
    return make_event(conference, title="There", room=garnet, start="09:00", end="10:00")


def clashes_in(page: Any) -> list[str]:
    return [text for text in messages_of(page) if "clash" in text or "two events" in text]


def sentence(first: str, second: str, linked: Event, what: str = "Garnet holds") -> str:
    advice = "Move one, or give it another room." if what.endswith("holds") else "Move one, or ask somebody else."
    return (
        f"Thu 24 April, 09:00–10:00: {what} two events for 60 min: “{first}” (09:00–10:00) and “{second}” (09:00–10:00). "
        f'{advice} <a href="{url("change", "session", linked.pk)}">Open “{linked.title}”</a>'
    )


def test_room_that_is_taken_then_is_named(organiser: Client, conference: Conference, garnet: Room, taken: Event) -> None:
    event = make_event(conference, title="Workshop", start="09:00", end="10:00", room=make_room(conference, "Opal"))

    page = move(organiser, event, room=garnet.pk)

    event.refresh_from_db()
    assert (event.room, clashes_in(page)) == (garnet, [sentence("There", "Workshop", taken)])


def test_person_who_is_added_to_another_event_at_the_same_time_is_named(organiser: Client, conference: Conference) -> None:
    ada = make_person(conference, "Ada")
    first, second = (make_event(conference, title=title, start="09:00", end="10:00") for title in ("Oral", "Other oral"))
    make_appearance(first, ada)

    row = {"appearances-0-person": ada.pk, "appearances-0-role": "speaker", "appearances-0-position": 0}
    page = move(organiser, second, **{"appearances-TOTAL_FORMS": 1, **row})

    assert Appearance.objects.count() == 2
    assert clashes_in(page) == [sentence("Oral", "Other oral", first, "Ada is in")]


def test_room_of_a_new_event_that_is_taken_then_is_named(
    organiser: Client, conference: Conference, garnet: Room, taken: Event
) -> None:
    address = url("add", "session")
    data = open_form(organiser, f"{address}?conference={conference.pk}")
    typed = {"type": make_type(conference).pk, "day": taken.day_id, "title": "New", "start_1": "09:00", "end_1": "10:00"}

    page = save(organiser, address, data, **typed, room=garnet.pk)

    assert clashes_in(page) == [sentence("There", "New", taken)]


def test_talk_that_is_added_inside_links_to_both(organiser: Client, conference: Conference, garnet: Room) -> None:
    session = make_event(conference, title="Session", room=garnet, start="09:00", end="10:00")
    other = make_event(conference, kind="talk", title="First", session=session, room=garnet, start="09:00", end="09:30")
    kind = make_type(conference, "talk")
    row = {"title": "Second", "type": kind.pk, "status": "confirmed", "start_1": "09:15", "end_1": "09:45"}

    page = move(organiser, session, **{"children-TOTAL_FORMS": 2}, **{f"children-1-{name}": it for name, it in row.items()})

    (text,) = clashes_in(page)
    second = Event.objects.get(title="Second")
    assert [f'<a href="{url("change", "session", it.pk)}">Open “{it.title}”</a>' in text for it in (other, second)] == [True] * 2


def test_clash_that_was_there_before_is_not_named_again(
    organiser: Client, conference: Conference, garnet: Room, taken: Event
) -> None:
    event = make_event(conference, title="Workshop", room=garnet, start="09:00", end="10:00")

    pages = [move(organiser, event, title="Another title"), move(organiser, event, end_1="09:45")]

    assert [clashes_in(page) for page in pages] == [[], []]


def test_form_that_cannot_clash_does_not_read_the_programme(organiser: Client, conference: Conference, taken: Event) -> None:
    with patch.object(clash_notice, "clashes_since", side_effect=AssertionError):
        move(organiser, taken, title="Another title")

    taken.refresh_from_db()
    assert taken.title == "Another title"


def test_more_than_a_few_are_counted(organiser: Client, conference: Conference, garnet: Room) -> None:
    for number in range(5):
        make_event(conference, title=f"Event {number}", room=garnet, start="09:00", end="10:00")
    event = make_event(conference, start="09:00", end="10:00")

    found = clashes_in(move(organiser, event, room=garnet.pk))

    assert (len(found), found[-1]) == (4, "And 2 more clashes: the list of events has all of them.")


def test_clash_is_named_after_the_page_before_saving_too(
    organiser: Client, conference: Conference, garnet: Room, taken: Event
) -> None:
    event = make_event(conference, title="Run", room=garnet, start="11:00", end="12:00")
    picked(1, event)

    asked = move(organiser, event, start_1="09:00", end_1="10:00")
    saved = save(organiser, url("change", "session", event.pk), sent_by(asked))

    assert (len(asked.context["clashes"]), clashes_in(asked)) == (1, [])
    assert clashes_in(saved) == [sentence("There", "Run", taken)]


def test_social_chair_reads_no_title_of_a_session(chair: Client, conference: Conference, garnet: Room) -> None:
    make_event(conference, title="Secret <draft>", room=garnet, status="draft", start="11:00", end="12:00")
    social = make_event(conference, kind="social", title="Run <b>", room=garnet, start="09:00", end="10:00")

    (text,) = clashes_in(move(chair, social, "social", **LATER))

    assert ("Secret" in text, "“something that is not a social” (11:00–12:00)" in text, "<a" in text) == (False, True, False)
    assert "Run &lt;b&gt;" in text
