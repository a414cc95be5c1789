"""Telling attendees what is different: each event is compared with what was announced of it last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from django.apps import apps
from django.db import transaction
from django.utils import timezone

from events.models.bulk import update_rows
from events.models.conference import Conference
from events.models.face import face

if TYPE_CHECKING:
    from events.models.changes import Change
    from events.models.event import EventQuerySet

ANNOUNCED_FIELDS = ("announced", "sequence", "revised_at")
"""What announce() alone writes."""
# By event the guids of what it was and is part of; and what is told.
Told: TypeAlias = tuple[dict[int, set[str]], list["Change"]]
AT_ONCE = 500
"""Events that announce() holds in memory together."""


def announce(events: EventQuerySet, *, reason: str, quiet: bool) -> list[Change]:
    """What ``EventQuerySet.announce`` promises."""
    everything: EventQuerySet = events.model._default_manager.all()
    changes: list[Change] = []
    with transaction.atomic():
        for conference_id in events.order_by("conference").values_list("conference", flat=True).distinct():
            conference = Conference.objects.select_for_update().get(pk=conference_id)
            pks = list(events.filter(conference=conference).order_by("pk").values_list("pk", flat=True))
            moved, told = _announce_all(everything, pks, reason, quiet)
            # Where a talk was and where it is now list it otherwise.
            around, more = _announce_all(everything, _sessions_of(everything, moved, known=pks), reason, quiet)
            changes += told + more
            if moved or around:
                conference.bump()
                apps.get_model("events", "SignUp").objects.follow(conference.pk)
    return changes


def _announce_all(everything: EventQuerySet, pks: Sequence[int], reason: str, quiet: bool) -> Told:
    """A part at a time: a whole programme at once would be read into memory with all its authors."""
    moved: dict[int, set[str]] = {}
    changes: list[Change] = []
    for start in range(0, len(pks), AT_ONCE):
        some, told = _announce(everything, pks[start : start + AT_ONCE], reason, quiet)
        moved |= some
        changes += told
    return moved, changes


def _announce(everything: EventQuerySet, pks: Sequence[int], reason: str, quiet: bool) -> Told:
    """Which of these events look different, with the guids of what they were and are part of; and what is told of it."""
    events = everything.filter(pk__in=pks).order_by("pk").for_faces()
    now = timezone.now()
    moved = [event for event in events if face(event) != event.announced]
    within: dict[int, set[str]] = {}
    change = apps.get_model("events", "Change")
    changes: list[Change] = []
    for event in moved:
        seen, event.announced = event.announced, face(event)
        within[event.pk] = {it["within"] for it in (seen, event.announced) if "within" in it}
        changes += change.between(event, seen, reason=reason, at=now, quiet=quiet)
        event.sequence += change.raises_sequence(seen, event.announced)
        event.revised_at = now
    change.objects.bulk_create(changes)
    update_rows(everything.model, moved, ANNOUNCED_FIELDS)
    return within, changes


def _sessions_of(everything: EventQuerySet, moved: dict[int, set[str]], known: Sequence[int]) -> list[int]:
    """What these are or were part of, where it has not been compared with its talks yet."""
    guids = set().union(*moved.values())
    if not guids:
        return []
    compared = set(known)
    around = everything.filter(guid__in=guids).order_by("pk").values_list("pk", flat=True)
    return [pk for pk in around if pk not in compared]
