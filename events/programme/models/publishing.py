"""Recording of changes that attendees see: Change rows, SEQUENCE, and the conference's revision."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from events.core.db.bulk import insert_rows
from events.core.db.writing import update_rows
from events.programme import lifecycle
from events.programme.drafts import drafts_are_shown
from events.programme.models.changes import Change, ChangeGroup
from events.programme.models.conference import Conference
from events.programme.models.labels import TALK_KINDS
from events.programme.rules.changes import RecordedChange
from events.programme.rules.subjects import MAX_SUBJECTS, changed_subjects, differing_fields

SEQUENCE_FIELDS = frozenset({"title", "day", "start", "end", "room", "status"})
"""A change of these raises SEQUENCE (RFC 5545 3.8.7.4)."""

CHANGE_FIELDS = (
    *("status", "day", "start", "end", "room", "title", "people", "session", "board", "signup_state", "official"),
    *("recording_from", "track", "type", "signup_url", "signup_until", "cost", "capacity", "overflow", "do_not_record"),
)
"""A change of these is a Change row; a change of others (a corrected abstract, a renamed venue) only updates the calendars."""

HOUR_FIELDS = frozenset({"start", "end", "talks"})
"""A change of these alone changes no text that the search looks in: of the times of an event it has only the day."""

SNAPSHOT_FIELDS = ("announced", "sequence", "revised_at")
"""Fields of an event that only ``record_changes`` writes."""

EVENTS_PER_BATCH = 500
"""A whole programme at once would be read into memory with all its authors."""

MAX_JOINED_EVENTS = 20
"""More are read with twenty queries instead of five, but without one row of each kind for each event."""


def record_changes(
    conference: Conference, pks: Sequence[int], *, reason: str, quiet: bool, group: ChangeGroup | None = None
) -> list[Change]:
    """Record differences from the last published snapshots; the caller has locked the conference."""
    if drafts_are_shown():
        raise RuntimeError("Drafts are shown here: a snapshot would publish them.")
    if conference.is_draft:
        # Nobody sees it. What differs once it is published, also again, is recorded then.
        return []
    recorder = _Recorder(conference, reason=reason, quiet=quiet, group=group)
    recorder.record(pks)
    # A session lists its talks: the sessions that a changed talk was and is in may look different too.
    recorder.record(recorder.other_sessions(pks))
    if recorder.has_differences:
        conference.bump_revision(recorder.reworded_pks, recorder.subjects)
        lifecycle.call_after_events_changed(conference.pk)
    if recorder.changes and group is not None and not group.is_public:
        ChangeGroup.objects.filter(pk=group.pk).update(is_public=True)
    if recorder.changes:
        recorded = [RecordedChange(it.field, it.old, it.new, it.at, it.event.start) for it in recorder.changes]
        lifecycle.call_after_changes_recorded(recorded)
    return recorder.changes


class _Recorder:
    def __init__(self, conference: Conference, *, reason: str, quiet: bool, group: ChangeGroup | None) -> None:
        self.conference = conference
        self.events = conference.events.all()
        self.told: dict[str, Any] = {"reason": reason, "group": group}
        self.quiet = quiet
        self.changes: list[Change] = []
        self.session_guids: set[str] = set()
        """Of the sessions that the changed talks were and are in."""
        self.has_differences = False
        self.reworded_pks: list[int] = []
        """Of the events of which more than the hour differs."""
        self.subjects: frozenset[str] | None = frozenset()
        """What the differences are about; None for every page."""

    def record(self, pks: Sequence[int]) -> None:
        for start in range(0, len(pks), EVENTS_PER_BATCH):
            self._record_batch(pks[start : start + EVENTS_PER_BATCH])

    def other_sessions(self, pks: Collection[int]) -> list[int]:
        if not self.session_guids:
            return []
        compared = set(pks)
        sessions = self.events.filter(guid__in=self.session_guids).order_by("pk").values_list("pk", flat=True)
        return [pk for pk in sessions if pk not in compared]

    def _record_batch(self, pks: Sequence[int]) -> None:
        now = timezone.now()
        changes: list[Change] = []
        changed = []
        events = self.events.filter(pk__in=pks).order_by("pk")
        for event in events.read_for_snapshots() if len(pks) > MAX_JOINED_EVENTS else events.for_snapshots():
            old, new = event.announced, event.public_snapshot()
            if old == new:
                continue
            event.announced, event.revised_at = new, now
            event.sequence += _raises_sequence(old, new)
            changed.append(event)
            if not differing_fields(old, new) <= HOUR_FIELDS:
                self.reworded_pks.append(event.pk)
            # With another type it may have been a talk before.
            if event.type.kind in TALK_KINDS or old.get("type") != new.get("type"):
                self.session_guids.update(snapshot["within"] for snapshot in (old, new) if "within" in snapshot)
            session = event.session.announced if event.session else {}
            self._add_subjects(changed_subjects(str(event.guid), event.type.kind, old, new, session))
            changes += [
                Change(event=event, field=field, old=old.get(field, ""), new=new.get(field, ""), at=now, **self.told)
                for field in _changed_fields(old, new, quiet=self.quiet)
            ]
        if changes and self.subjects is not None and not self._has_changes():
            # Every menu gets the page of changes.
            self.subjects = None
        insert_rows(Change, changes)
        update_rows(self.events.model, changed, SNAPSHOT_FIELDS)
        self.changes += changes
        self.has_differences |= bool(changed)

    def _add_subjects(self, more: frozenset[str] | None) -> None:
        together = None if self.subjects is None or more is None else self.subjects | more
        self.subjects = together if together is not None and len(together) <= MAX_SUBJECTS else None

    def _has_changes(self) -> bool:
        return Change.objects.public().filter(event__conference=self.conference).exists()


def _changed_fields(old: Mapping[str, str], new: Mapping[str, str], *, quiet: bool) -> list[str]:
    """Return the fields that get a Change row; only "status" for a new event."""
    if not new or (quiet and not old):
        return []
    fields = CHANGE_FIELDS if old else ("status",)
    return [field for field in fields if old.get(field, "") != new.get(field, "")]


def _raises_sequence(old: Mapping[str, str], new: Mapping[str, str]) -> bool:
    """Return True also for an event that is withdrawn, so that calendars accept its later return."""
    return bool(old) and any(old.get(field) != new.get(field) for field in SEQUENCE_FIELDS)


# More than anybody does to one event, and to a conference, between two backups.
RESTORE_SEQUENCE_GAP = 100
RESTORE_REVISION_GAP = 1_000_000


def bump_past_backup(conference: Conference) -> None:
    """Raise every number of a restored conference above those that calendars and caches saw before."""
    with transaction.atomic():
        # Adds a row to its history, for queries of what changed since a date.
        conference.save()
        conference.events.update(sequence=F("sequence") + RESTORE_SEQUENCE_GAP)
        Conference.objects.filter(pk=conference.pk).update(revision=F("revision") + RESTORE_REVISION_GAP)
        conference.bump_revision()
