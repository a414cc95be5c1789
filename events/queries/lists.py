"""Invited talks and socials, by day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.http import QueryDict

from events.models import Conference, Event, Kind
from events.queries.cards import Card, for_cards, make_cards
from events.queries.filters import Choice, Filters, filters_for, narrowed, replaced
from events.queries.moves import FRESH, moved_from
from events.queries.sign_up import without_a_place
from events.schedule.clock import Clock
from events.schedule.days import by_day


@dataclass(frozen=True)
class SocialPage:
    days: list[tuple[dt.date | None, list[Card]]]
    filters: Filters
    hide_full: Choice | None
    any_asterisk: bool
    changed_at: dt.datetime | None
    count: int


def invited_talks(conference: Conference, clock: Clock) -> list[tuple[dt.date | None, list[Card]]]:
    talks = Event.objects.public().filter(conference=conference).of_kind(Kind.INVITED_TALK)
    return by_day(_cards(list(for_cards(talks).in_order()), clock))


def socials(conference: Conference, clock: Clock, query: QueryDict) -> SocialPage:
    everything = Event.objects.public().filter(conference=conference).of_kind(Kind.SOCIAL)
    hiding = bool(query.get("places"))
    shown = narrowed(everything, query)
    full = without_a_place(clock.now)
    n_full = shown.filter(full).count()
    cards = _cards(list(for_cards(shown.exclude(full) if hiding else shown).in_order()), clock)
    hide = Choice("Hide what is full", "1", replaced(query, "places", "" if hiding else "1"), hiding, n_full)
    return SocialPage(
        days=by_day(cards),
        filters=filters_for(everything, query),
        hide_full=hide if n_full or hiding else None,
        any_asterisk=any(card.asterisk for card in cards),
        changed_at=everything.aggregate(last=Max("revised_at"))["last"],
        count=len(cards),
    )


def _cards(events: Sequence[Event], clock: Clock) -> list[Card]:
    return make_cards(events, clock, moved=moved_from(events, clock.now - FRESH, clock.zone))
