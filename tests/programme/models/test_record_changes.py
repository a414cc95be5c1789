from __future__ import annotations

import pytest

from events.models import Event
from tests.factories import at, make_conference, make_event
from tests.programme.models.snapshots import changes_of, revision, snapshot

pytestmark = pytest.mark.django_db


def test_first_publication_of_one_event_is_recorded_as_new() -> None:
    event = make_event(make_conference(), status="draft", title="Surprise")

    event.status = "confirmed"
    event.revise()

    assert changes_of(event) == [("status", "", "confirmed")]
    assert event.sequence == 0
    assert [change.is_new_event for change in event.changes.all()] == [True]


def test_first_publication_of_a_programme_is_quiet() -> None:
    conference = make_conference()
    events = [make_event(conference, announce=False) for _ in range(2)]
    before = revision(conference)

    changes = conference.events.all().record_changes(quiet=True)

    assert changes == []
    assert [it.announced for it in conference.events.order_by("pk")] == [it.public_snapshot() for it in events]
    assert revision(conference) == before + 1


def test_quiet_leaves_out_what_is_new_and_records_what_moved() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    event.end = at("11:00")
    event.save()

    Event.objects.all().record_changes(quiet=True)

    assert [field for field, _, _ in changes_of(event)] == ["end"]


def test_draft_is_announced_to_nobody() -> None:
    conference = make_conference()
    event = make_event(conference, status="draft", title="Secret")
    before = revision(conference)

    event.title = "Secret still"
    event.revise()

    assert (event.announced, changes_of(event), event.sequence) == ({}, [], 0)
    assert revision(conference) == before
    assert event.history.count() == 2


def test_withdrawing_records_nothing_and_raises_sequence() -> None:
    event = make_event(make_conference())

    event.status = "draft"
    event.revise()

    assert (event.sequence, event.announced, changes_of(event)) == (1, {}, [])


def test_republishing_is_newer_than_the_first_life() -> None:
    event = make_event(make_conference())
    first_life = event.sequence

    for status in ["draft", "confirmed"]:
        event.status = status
        event.revise()

    assert event.sequence == first_life + 1
    assert changes_of(event) == [("status", "", "confirmed")]


def test_cancelling_and_bringing_back_each_raise_sequence() -> None:
    event = make_event(make_conference())

    sequences = []
    for status in ["cancelled", "confirmed"]:
        event.status = status
        event.revise()
        sequences.append(event.sequence)

    assert sequences == [1, 2]
    assert changes_of(event) == [("status", "confirmed", "cancelled"), ("status", "cancelled", "confirmed")]


def test_draft_session_hides_its_talks_and_brings_them_back() -> None:
    conference = make_conference()
    session = make_event(conference)
    talk = make_event(conference, kind="talk", session=session)

    shown = []
    for status in ["draft", "confirmed"]:
        session.status = status
        session.revise()
        shown.append([set(Event.objects.public()) == {session, talk}, bool(Event.objects.get(pk=talk.pk).announced)])

    assert shown == [[False, False], [True, True]]
    assert snapshot(talk).sequence == 1


def test_draft_workshop_hides_the_talks_of_its_sessions() -> None:
    conference = make_conference()
    workshop = make_event(conference)
    session = make_event(conference, session=workshop)
    talk = make_event(conference, kind="talk", session=session)

    workshop.status = "draft"
    workshop.revise()

    assert list(Event.objects.public()) == []
    assert [Event.objects.get(pk=it.pk).is_public for it in (workshop, session, talk)] == [False, False, False]
    assert Event.objects.get(pk=talk.pk).announced == {}


def test_draft_conference_hides_everything_and_leaves_what_was_seen_for_its_return() -> None:
    conference = make_conference()
    event = make_event(conference)
    seen = snapshot(event).announced

    conference.status = "draft"
    conference.revise()

    assert list(Event.objects.public()) == []
    assert (snapshot(event).announced, Event.objects.get().public_snapshot()) == (seen, {})


def test_publishing_a_conference_records_nothing_as_new() -> None:
    conference = make_conference(status="draft")
    event = make_event(conference)

    conference.status = "published"
    conference.revise()

    assert changes_of(event) == []
    assert snapshot(event).announced == Event.objects.get(pk=event.pk).public_snapshot()


def test_renaming_a_session_is_a_change_of_its_talks() -> None:
    conference = make_conference()
    session = make_event(conference, title="Oral 1A")
    talk = make_event(conference, kind="talk", session=session)

    session.title = "Oral 1B"
    session.revise()

    assert changes_of(talk) == [("session", "Oral 1A", "Oral 1B")]
    assert snapshot(talk).sequence == 0


def test_record_changes_covers_two_conferences_at_once() -> None:
    events = [make_event(make_conference()) for _ in range(2)]
    Event.objects.update(title="Renamed")

    changes = Event.objects.all().record_changes()

    assert [change.event for change in changes] == events
    assert [revision(it.conference) for it in events] == [2, 2]
