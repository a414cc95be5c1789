"""Callbacks for changes of a programme: a registry that ``EventsConfig.ready`` fills once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from django.db import transaction

from events.programme.rules.changes import RecordedChange

ConferenceCallback: TypeAlias = Callable[[int], object]
"""Takes the primary key of the conference."""

ChangesCallback: TypeAlias = Callable[[Sequence[RecordedChange]], object]
"""Takes the changes of one call of ``record_changes``."""

RevisionCallback: TypeAlias = Callable[[int, Collection[int] | None], object]
"""Takes the primary keys of the conference and of the events whose texts differ; None if anything may look different."""

IndexCallback: TypeAlias = Callable[[int, Collection[int]], Collection[str]]
"""Takes the primary keys of the conference and of the events whose texts differ; returns subjects of what it updated."""

IN_REVISION: list[IndexCallback] = []
"""Called in this order by ``bump_revision``, in its transaction; whatever they write is there with the revision."""

AFTER_EVENTS_CHANGED: list[ConferenceCallback] = []
"""Called in this order by ``record_changes``, in its transaction; an error undoes the change."""

AFTER_CHANGES_RECORDED: list[ChangesCallback] = []
"""Called likewise, if attendees can read changes: not for what nobody has seen yet, and not for what is hidden."""

AFTER_REVISION_COMMITTED: list[RevisionCallback] = []
"""Called in this order after the commit of a new revision; an error is logged and undoes nothing."""


def register(
    *,
    in_revision: Sequence[IndexCallback],
    after_events_changed: Sequence[ConferenceCallback],
    after_changes_recorded: Sequence[ChangesCallback],
    after_revision_committed: Sequence[RevisionCallback],
) -> None:
    """Set all lists, because the programme cannot import the packages above it."""
    IN_REVISION[:] = in_revision
    AFTER_EVENTS_CHANGED[:] = after_events_changed
    AFTER_CHANGES_RECORDED[:] = after_changes_recorded
    AFTER_REVISION_COMMITTED[:] = after_revision_committed


def call_in_revision(conference_id: int, events: Collection[int]) -> set[str]:
    return {subject for callback in IN_REVISION for subject in callback(conference_id, events)}


def call_after_events_changed(conference_id: int) -> None:
    for callback in AFTER_EVENTS_CHANGED:
        callback(conference_id)


def call_after_changes_recorded(changes: Sequence[RecordedChange]) -> None:
    for callback in AFTER_CHANGES_RECORDED:
        callback(changes)


def call_after_commit(conference_id: int, events: Collection[int] | None = None) -> None:
    for callback in AFTER_REVISION_COMMITTED:
        _call_after_commit(callback, conference_id, events)


def _call_after_commit(callback: RevisionCallback, conference_id: int, events: Collection[int] | None) -> None:
    # Not a partial: Django logs the __qualname__ of what fails.
    transaction.on_commit(lambda: callback(conference_id, events), robust=True)
