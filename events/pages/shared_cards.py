"""Cards of events that many pages show, rendered once for all of them."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from django.template.loader import get_template
from django.utils.safestring import SafeString

from events.agenda.page_cache import PagePart, parts_html, render_parts
from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import PageClock, PageEnd
from events.core.spans import utc
from events.pages.cards import make_cards, read_few_cards
from events.programme.queries.revisions import KnownRevisions, known_revisions
from events.programme.rules.subjects import card_subjects
from events.web.request import Request


@dataclass(frozen=True, slots=True)
class SharedCard:
    """A card as it was at a revision; like a page it lasts until something on it changes, begins or ends."""

    parts: tuple[PagePart, ...]
    revision: int
    subjects: frozenset[str]
    end: PageEnd

    def is_current(self, request: Request, known: KnownRevisions) -> bool:
        revision = request.conference.revision
        if not self.end.made_at <= request.page_end.made_at < self.end.moment:
            return False
        return self.revision == revision or (known.revision >= revision and known.holds(self.revision, self.subjects))


def shared_cards(request: Request, keys: Mapping[str, Sequence[int]], listed: dt.date | None) -> dict[str, list[SafeString]]:
    """Return the HTML of cards by spot, for ids of public events by spot. The page lasts no longer than they do.

    Events of another date than that where they are ``listed`` name it.
    """
    wanted = [(spot, pk) for spot, pks in keys.items() for pk in pks]
    known, shown = known_revisions(request.conference.pk), _shown_time(request, listed)
    kept: dict[tuple[str, int], SharedCard | None] = {it: PROCESS_CACHE.get(("card", *it, *shown)) for it in wanted}
    found = {it: card for it, card in kept.items() if card is not None and card.is_current(request, known)}
    if missing := [it for it in kept if it not in found]:
        found |= _render_cards(request, missing, listed)
    for card in found.values():
        request.page_end.note(card.end.moment)
    return {spot: [parts_html(request, found[spot, pk].parts) for pk in keys[spot]] for spot in keys}


def _render_cards(
    request: Request, missing: Sequence[tuple[str, int]], listed: dt.date | None
) -> dict[tuple[str, int], SharedCard]:
    template, end = get_template("events/pages/_event_card.html"), PageEnd.of_page_made(request.page_end.made_at)
    # What begins or ends on one of these cards ends all of them.
    clock = PageClock.of_page(request.clock, end)
    events = read_few_cards({pk for _, pk in missing}, request.conference)
    cards = {card.key: card for card in make_cards(events, clock)}
    shared = {"request": request, "conference": request.conference, "clock": clock, "listed": listed, "dated": True}
    rendered = {}
    for spot, pk in missing:
        context, event = shared | {"card": cards[pk], "spot": f"{spot}-"}, cards[pk].event
        parts = render_parts(request, functools.partial(template.render, context))
        card = SharedCard(parts, request.conference.revision, card_subjects(str(event.guid), event.announced), end)
        PROCESS_CACHE.put(("card", spot, pk, *_shown_time(request, listed)), card)
        rendered[spot, pk] = card
    return rendered


def _shown_time(request: Request, listed: dt.date | None) -> tuple[Hashable, ...]:
    clock = request.clock
    return clock.zone.key, utc(clock.made_at) if clock.pinned else None, listed
