"""The public events that a planned edit changes, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from events.agenda.queries.conflicts import SessionBreak, breaks_in_sessions, slot_rows, slots_with_breaks
from events.core.spans import Span
from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.rules.slots import TimeSlot

PREVIEW_FIELDS = ("day_id", "start", "end", "room_id", "place", "status")
"""A plan that changes none of these is not shown as a change to attendees."""


@dataclass(frozen=True)
class ChangePreview:
    """The changed events by id; an event that is not public is missing."""

    before: dict[int, Event]
    after: dict[int, Event]

    @property
    def keys(self) -> list[int]:
        return sorted({*self.before, *self.after})

    @property
    def spans(self) -> list[Span]:
        events = (*self.before.values(), *self.after.values())
        return [span for it in events if (span := Span.from_times(it.start, it.end))]

    def title(self, pk: int) -> str:
        return (self.before.get(pk) or self.after[pk]).title

    def slots(self, near: Iterable[Event]) -> tuple[dict[int, TimeSlot], dict[int, TimeSlot]]:
        """Slots of the changed events and of those near them, before and after."""
        others = {it.pk: it for it in near if it.pk not in self.before.keys() | self.after.keys()}
        before, after = {**others, **self.before}, {**others, **self.after}
        stored = breaks_in_sessions(slot_rows({**before, **after}.values()), Event.objects.public())
        planned = [it for it in stored if it.pk not in self.before] + list(
            map(_session_break, filter(_is_break, self.after.values()))
        )
        return _by_key(before, stored), _by_key(after, planned)


def change_preview(planned: Mapping[int, Event], *, every_event: bool = False) -> ChangePreview:
    """``every_event`` includes those of which only words or people change."""
    stored = {it.pk: it for it in _with_sessions(Event.objects.filter(pk__in=planned))}
    drafts = {pk for pk, it in planned.items() if _is_draft(it)}
    confirmed = planned.keys() - drafts

    def would_be_public(it: Event) -> bool:
        hidden = any(
            above.pk in drafts or (_is_draft(above) and above.pk not in confirmed) for above in _session_chain(it, planned)
        )
        return not hidden and it.conference.status == "published"

    changed = {
        pk: it for pk, it in stored.items() if every_event or _differ(it, planned[pk]) or it.is_public != would_be_public(it)
    }
    turned = [pk for pk, it in changed.items() if _is_draft(it) != _is_draft(planned[pk])]
    if turned:
        # What is inside a draft is hidden with it.
        inside = _with_sessions(Event.objects.filter(pk__in=Event.objects.keys_inside(turned)))
        changed |= {it.pk: it for it in inside if it.pk not in changed}
    return ChangePreview(
        before={pk: it for pk, it in changed.items() if it.is_public},
        after={pk: planned.get(pk, it) for pk, it in changed.items() if would_be_public(it)},
    )


def _with_sessions(events: EventQuerySet) -> EventQuerySet:
    return events.select_related("conference", "type", "day", "room", "session__session")


def _differ(a: Event, b: Event) -> bool:
    return any(getattr(a, name) != getattr(b, name) for name in PREVIEW_FIELDS)


def _is_draft(event: Event) -> bool:
    return event.status == Status.DRAFT


def _session_chain(stored: Event, planned: Mapping[int, Event]) -> list[Event]:
    """The event with its planned sessions: a draft hides everything inside it."""
    plan = planned.get(stored.pk, stored)
    # The stored one has been read with all of these.
    session = stored.session if plan.session_id == stored.session_id else plan.session
    return [it for it in (stored, session, session and session.session) if it]


def _is_break(event: Event) -> bool:
    return event.type.kind == Kind.BREAK and event.start is not None


def _session_break(event: Event) -> SessionBreak:
    assert event.start and event.end  # noqa: S101, PT018 - an event has both times or neither
    return SessionBreak(event.pk, event.session_id, event.start, event.end)


def _by_key(events: Mapping[int, Event], breaks: Iterable[SessionBreak]) -> dict[int, TimeSlot]:
    return dict(zip(events, slots_with_breaks(slot_rows(events.values()), breaks), strict=True))
