from __future__ import annotations

from collections.abc import Collection

import pytest
from django.db import transaction

from events.accounts.alerts import follow_changes
from events.models import Conference, Event, SignUp
from events.programme import lifecycle
from events.search.following import follow_revision, index_in_revision
from tests.factories import at, make_conference, make_event, make_room


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Which callbacks were called, with the revision that was stored by then."""
    called: list[tuple[str, int]] = []

    def record(name: str, conference_id: int) -> None:
        called.append((name, Conference.objects.get(pk=conference_id).revision))

    names = {"AFTER_EVENTS_CHANGED": ("events, first", "events, second"), "AFTER_REVISION_COMMITTED": ("revision",)}
    for registry, callbacks in names.items():
        monkeypatch.setattr(lifecycle, registry, [lambda pk, *_, name=name: record(name, pk) for name in callbacks])
    return called


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[Collection[int] | None]:
    """Which events each committed revision changed."""
    events: list[Collection[int] | None] = []
    monkeypatch.setattr(lifecycle, "AFTER_REVISION_COMMITTED", [lambda _, changed: events.append(changed)])
    return events


@pytest.mark.django_db(transaction=True)
def test_revision_names_the_events_whose_texts_differ(touched: list[Collection[int] | None]) -> None:
    conference = make_conference()
    session, other = make_event(conference, title="Session", kind="session"), make_event(conference)
    talks = [make_event(conference, title=f"Talk {number}", session=session) for number in range(2)]
    Event.objects.all().record_changes()
    touched.clear()

    for event in (other, session):
        event.title += ", renamed"
        event.revise()
    talks[0].room = make_room(conference)
    talks[0].revise()
    talks[0].room.name = "Another room"
    talks[0].room.revise()
    talks[0].start, talks[0].end = at("11:00"), at("12:00")
    talks[0].revise()

    assert touched == [
        # A session lists the rooms of its talks, but not in its texts.
        *([other.pk], [session.pk, *(talk.pk for talk in talks)], [talks[0].pk]),
        # A row that events show may be shown elsewhere too.
        *(None, [talks[0].pk]),
        # No text has hours.
        [],
    ]


def test_sign_up_alerts_and_search_are_registered() -> None:
    programme = (lifecycle.IN_REVISION, lifecycle.AFTER_EVENTS_CHANGED)
    committed = (lifecycle.AFTER_CHANGES_RECORDED, lifecycle.AFTER_REVISION_COMMITTED)

    assert programme == ([index_in_revision], [SignUp.objects.promote_waiting])
    assert committed == ([follow_changes], [follow_revision])


@pytest.mark.django_db(transaction=True)
def test_changed_event_calls_in_order_and_the_committed_revision_last(calls: list[tuple[str, int]]) -> None:
    event = make_event(make_conference())
    before = Conference.objects.get().revision
    calls.clear()

    with transaction.atomic():
        event.title = "Another title"
        event.revise()
        in_transaction = list(calls)

    assert in_transaction == [("events, first", before + 1), ("events, second", before + 1)]
    assert calls == [*in_transaction, ("revision", before + 1)]


@pytest.mark.django_db(transaction=True)
def test_revision_without_a_changed_event_calls_after_the_commit_alone(calls: list[tuple[str, int]]) -> None:
    conference = make_conference()
    calls.clear()

    conference.bump_revision()

    assert calls == [("revision", Conference.objects.get().revision)]


@pytest.mark.django_db(transaction=True)
def test_change_that_is_rolled_back_calls_nothing(calls: list[tuple[str, int]]) -> None:
    conference = make_conference()
    calls.clear()

    with transaction.atomic():
        conference.bump_revision()
        transaction.set_rollback(True)

    assert calls == []


@pytest.mark.django_db
def test_save_without_a_change_calls_nothing(calls: list[tuple[str, int]]) -> None:
    event = make_event(make_conference())
    calls.clear()

    event.revise()

    assert calls == []
