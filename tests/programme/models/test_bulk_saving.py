"""Saving many events at once leaves what saving each of them leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from events.models import Conference, Event
from events.programme.models.bulk_saving import save_changed_events
from tests.factories import make_conference, make_event, make_room

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

REASON = "The hall is flooded."


def one_by_one(events: Sequence[Event]) -> None:
    for event in events:
        event._change_reason = REASON  # type: ignore[attr-defined]
        event.save_changed()


def at_once(events: Sequence[Event]) -> None:
    save_changed_events(events, REASON)


def left_by(save: Callable[[Sequence[Event]], None], change: Callable[[list[Event]], None]) -> dict[str, Any]:
    """What a way of saving leaves, taken back afterwards."""
    with transaction.atomic():
        events, revision = list(Event.objects.select_related("conference").order_by("pk")), Conference.objects.get().revision
        change(events)
        save(events)
        history = Event.history.order_by("id", "history_id").values()
        left = {
            "events": list(Event.objects.order_by("pk").values()),
            "history": [{key: it[key] for key in it if key not in {"history_id", "history_date"}} for it in history],
            "is_new_revision": Conference.objects.get().revision > revision,
        }
        transaction.set_rollback(True)
    return left


@pytest.mark.parametrize("change", ["several", "position", "room", "namesake", "nothing"])
def test_rows_history_and_revision_are_those_of_saving_each(change: str) -> None:
    conference = make_conference()
    hall, attic, other_hall = (make_room(conference, name) for name in ("Hall", "Attic", "Hall 2"))
    type(hall).objects.filter(pk=other_hall.pk).update(name="Hall")
    for hour in ("09:00", "10:00", "11:00"):
        make_event(conference, start=hour, end="12:00", room=hall)

    def apply(events: list[Event]) -> None:
        first, second, _ = events
        if change == "several":
            first.title, second.status, second.place = "Other", "cancelled", "Garden"
        elif change == "position":
            second.position = 5
        elif change != "nothing":
            first.room = second.room = attic if change == "room" else other_hall

    expected = left_by(one_by_one, apply)

    assert left_by(at_once, apply) == expected
    assert expected["is_new_revision"] == (change in {"position", "namesake"})


def test_number_of_queries_does_not_depend_on_the_rows() -> None:
    conference = make_conference()
    counts = []
    for _ in range(2):
        for _ in range(3):
            make_event(conference)
        events = list(Event.objects.select_related("conference"))
        for event in events:
            event.position += 1
        with CaptureQueriesContext(
            connection,
        ) as queries:
            save_changed_events(events)
        counts.append(len(queries))

    assert counts[0] == counts[1]
