from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Change, Event
from tests.factories import at, make_conference, make_event, make_room, make_type

pytestmark = pytest.mark.django_db


def seen(event: Event) -> tuple[int, Any]:
    event.refresh_from_db()
    return event.sequence, event.revised_at


def retitle(talk: Event) -> None:
    talk.title = "Other"


def move(talk: Event) -> None:
    talk.start, talk.end = at("10:00"), at("10:15")


def elsewhere(talk: Event) -> None:
    talk.room = make_room(talk.conference, "Hall 9")


def cancel(talk: Event) -> None:
    talk.status = "cancelled"


def hide(talk: Event) -> None:
    talk.status = "draft"


def take_out(talk: Event) -> None:
    talk.session = None


@pytest.mark.parametrize("edit", [retitle, move, elsewhere, cancel, hide, take_out])
def test_session_is_new_where_its_talks_are_listed_and_keeps_its_sequence(edit: Any) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    talk = make_event(conference, kind="talk", session=session, start="09:00", end="09:15")
    sequence, revised_at = seen(session)

    edit(talk)
    talk.revise()

    assert seen(session)[0] == sequence
    assert seen(session)[1] > revised_at
    assert list(Change.objects.filter(event=session)) == []


def test_both_sessions_are_new_when_a_talk_goes_from_one_to_the_other() -> None:
    conference = make_conference()
    first, second = (make_event(conference, start="09:00", end="12:00") for _ in range(2))
    talk = make_event(conference, kind="talk", session=first, start="09:00", end="09:15")
    before = [seen(first), seen(second)]

    talk.session = second
    talk.revise()

    assert [now != was for now, was in zip([seen(first), seen(second)], before, strict=True)] == [True, True]


@pytest.mark.parametrize("kind", ["poster", "break"])
def test_session_does_not_move_for_what_it_does_not_list(kind: str) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    inside = make_event(conference, kind=kind, session=session, start="09:00", end="09:15")
    before = seen(session)

    retitle(inside)
    inside.revise()

    assert seen(session) == before


def test_poster_is_recorded_without_its_session() -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    poster = make_event(conference, kind="poster", session=session)
    read_at_once = '"events_event"."session_id" IN'

    with CaptureQueriesContext(connection) as asked:
        retitle(poster)
        poster.save()
        Event.objects.filter(pk=poster.pk).record_changes()

    assert len([it for it in asked.captured_queries if read_at_once in it["sql"]]) == 1


def test_session_is_new_when_a_talk_becomes_a_poster() -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    talk = make_event(conference, kind="talk", session=session, start="09:00", end="09:15")
    before = seen(session)

    talk.type = make_type(conference, "poster")
    talk.revise()

    assert seen(session) != before


@pytest.mark.parametrize("talks", [1, 3])
def test_recording_a_session_reads_its_talks_at_once(talks: int) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    for number in range(talks):
        make_event(conference, kind="talk", session=session, start=f"0{number}:00", end=f"0{number}:15", announce=False)

    with CaptureQueriesContext(
        connection,
    ) as asked:
        Event.objects.filter(pk=session.pk).record_changes()

    assert len([it for it in asked.captured_queries if '"events_event"."session_id" IN' in it["sql"]]) == 1


def test_keys_inside_are_those_of_two_levels() -> None:
    conference = make_conference()
    workshop, other = make_event(conference, title="Workshop"), make_event(conference, title="Other workshop")
    panel = make_event(conference, title="Panel", session=workshop)
    statement = make_event(conference, title="Opening statement", session=panel)
    make_event(conference, title="A level too deep", session=statement)
    make_event(conference, title="Talk", session=other)

    inside = Event.objects.keys_inside([workshop.pk])

    assert inside == {panel.pk, statement.pk}
    assert Event.objects.keys_inside([statement.pk, panel.pk]) == {statement.pk, *statement.children.values_list("pk", flat=True)}
    assert Event.objects.keys_inside([]) == set()
