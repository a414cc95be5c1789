"""What is part of a session, as lines on its card."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from events.models import Kind
from events.models.event import EventQuerySet
from events.queries.cards import Card, inside_line
from events.schedule.clock import Clock

MOST_INSIDE = 12


def put_inside(cards: Iterable[Card], events: EventQuerySet, clock: Clock) -> None:
    """Give each card lines of the first few of these events that are part of it; many posters are only counted."""
    by_key = {card.event.pk: card for card in cards}
    crowded = [pk for pk, card in by_key.items() if card.posters_count > MOST_INSIDE]
    parts = events.filter(session__in=by_key).exclude(session__in=crowded, type__kind=Kind.POSTER)
    # Two that claim to be part of each other have a card each.
    parts = parts.exclude(pk__in=by_key)
    nth = Window(RowNumber(), partition_by=F("session"), order_by=["start", "position", "title", "pk"])
    first = parts.annotate(nth=nth).filter(nth__lte=MOST_INSIDE).order_by("session", "nth")
    lines = first.select_related("conference").only("guid", "title", "start", "status", "session", "conference__slug")
    for event in lines:
        if (card := by_key.get(event.session_id or 0)) is not None:
            card.inside.append(inside_line(event, clock))
