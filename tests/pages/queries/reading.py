"""What a read is asked with, and its cards made short enough to compare."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.http import QueryDict

from events.core.clock import Clock
from events.models import Event
from events.pages.cards import Card, for_cards, make_card
from tests.factories import SINGAPORE, THURSDAY, at


def clock(time: str = "08:00", date: dt.date = THURSDAY, *, own: str = "", pinned: bool = False) -> Clock:
    return Clock(at(time, date), SINGAPORE, ZoneInfo(own) if own else None, pinned=pinned)


def card_of(event: Event, now: Clock | None = None) -> Card:
    return make_card(for_cards(Event.objects.filter(pk=event.pk)).get(), now or clock())


def titles(cards: Iterable[Card]) -> list[str]:
    return [card.title for card in cards]


def flags(card: Card) -> list[tuple[str, str]]:
    return [(flag.name, flag.text) for flag in card.flags]


def query(**values: str | list[str]) -> QueryDict:
    """The part of an address after the question mark."""
    asked = QueryDict(mutable=True)
    for name, value in values.items():
        asked.setlist(name, value if isinstance(value, list) else [value])
    return asked
