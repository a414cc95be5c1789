"""The events of a plan, as attendees see them and as they would."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q

from events.models import Event, Kind, Status
from events.models.event import EventQuerySet
from events.queries.slots import Break, breaks_inside, slot_rows, slots_around
from events.schedule.slots import Slot
from events.schedule.spans import Span

PLANNED = ("day_id", "start", "end", "room_id", "place", "status")
"""What somebody who comes must know: a plan that changes none of these changes nothing for them."""


@dataclass(frozen=True)
class Scene:
    """What changes, before and after; an event that attendees see nothing of is in neither."""

    before: dict[int, Event]
    after: dict[int, Event]

    @property
    def keys(self) -> list[int]:
        return sorted({*self.before, *self.after})

    @property
    def spans(self) -> list[Span]:
        events = (*self.before.values(), *self.after.values())
        return [span for it in events if (span := Span.of(it.start, it.end))]

    def title(self, pk: int) -> str:
        return (self.before.get(pk) or self.after[pk]).title

    def slots(self, near: Iterable[Event]) -> tuple[dict[int, Slot], dict[int, Slot]]:
        """Slots of what changes and of what is near it, before and after."""
        others = {it.pk: it for it in near if it.pk not in self.before.keys() | self.after.keys()}
        before, after = {**others, **self.before}, {**others, **self.after}
        stored = breaks_inside(slot_rows({**before, **after}.values()), Event.objects.public())
        planned = [it for it in stored if it.pk not in self.before] + list(map(_break, filter(_is_break, self.after.values())))
        return _by_key(before, stored), _by_key(after, planned)


def scene_of(planned: Mapping[int, Event]) -> Scene:
    """What a plan changes of what attendees see."""
    stored = {it.pk: it for it in _with_above(Event.objects.filter(pk__in=planned))}
    drafts = {pk for pk, it in planned.items() if _is_draft(it)}
    confirmed = planned.keys() - drafts

    def would_be_public(it: Event) -> bool:
        hidden = any(
            above.pk in drafts or (_is_draft(above) and above.pk not in confirmed) for above in _with_those_above(it, planned)
        )
        return not hidden and it.conference.status == "published"

    changed = {pk: it for pk, it in stored.items() if _differ(it, planned[pk]) or it.is_public != would_be_public(it)}
    turned = [pk for pk, it in changed.items() if _is_draft(it) != _is_draft(planned[pk])]
    if turned:
        # What is inside a draft is hidden with it.
        inside = _with_above(Event.objects.filter(Q(session__in=turned) | Q(session__session__in=turned)))
        changed |= {it.pk: it for it in inside if it.pk not in changed}
    return Scene(
        before={pk: it for pk, it in changed.items() if it.is_public},
        after={pk: planned.get(pk, it) for pk, it in changed.items() if would_be_public(it)},
    )


def _with_above(events: EventQuerySet) -> EventQuerySet:
    return events.select_related("conference", "type", "day", "room", "session__session")


def _differ(a: Event, b: Event) -> bool:
    return any(getattr(a, name) != getattr(b, name) for name in PLANNED)


def _is_draft(event: Event) -> bool:
    return event.status == Status.DRAFT


def _with_those_above(stored: Event, planned: Mapping[int, Event]) -> list[Event]:
    """The event and what it would be part of: a draft hides all that is in it."""
    plan = planned.get(stored.pk, stored)
    # The stored one has been read with all of these.
    session = stored.session if plan.session_id == stored.session_id else plan.session
    return [it for it in (stored, session, session and session.session) if it]


def _is_break(event: Event) -> bool:
    return event.type.kind == Kind.BREAK and event.start is not None


def _break(event: Event) -> Break:
    assert event.start and event.end  # noqa: S101, PT018 - an event has both times or neither
    return Break(event.pk, event.session_id, event.start, event.end)


def _by_key(events: Mapping[int, Event], breaks: Iterable[Break]) -> dict[int, Slot]:
    return dict(zip(events, slots_around(slot_rows(events.values()), breaks), strict=True))
