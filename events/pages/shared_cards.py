"""Cards of events that many pages show, rendered once for all of them."""

from __future__ import annotations

import functools
from collections.abc import Hashable, Mapping, Sequence

from django.template.loader import get_template
from django.utils.safestring import SafeString

from events.agenda.page_cache import PagePart, current_minute, parts_html, render_parts
from events.core.byte_cache import PROCESS_CACHE
from events.core.spans import utc
from events.pages.cards import for_cards, make_cards
from events.programme.models.event import Event
from events.web.request import Request


def shared_cards(request: Request, keys: Mapping[str, Sequence[int]]) -> dict[str, list[SafeString]]:
    """Return the HTML of cards by spot, for ids of public events by spot; each is kept for one revision and minute."""
    found = {(spot, pk): PROCESS_CACHE.get(_key(request, spot, pk), _version(request)) for spot in keys for pk in keys[spot]}
    missing = [it for it, parts in found.items() if parts is None]
    if missing:
        found |= _render_cards(request, missing)
    return {spot: [parts_html(request, found[spot, pk]) for pk in keys[spot]] for spot in keys}


def _render_cards(request: Request, missing: Sequence[tuple[str, int]]) -> dict[tuple[str, int], tuple[PagePart, ...]]:
    template, clock = get_template("events/pages/_event_card.html"), request.clock
    events = for_cards(Event.objects.filter(pk__in={pk for _, pk in missing}))
    cards = {card.key: card for card in make_cards(events, clock)}
    shared = {"request": request, "conference": request.conference, "clock": clock}
    rendered = {}
    for spot, pk in missing:
        context = shared | {"card": cards[pk], "spot": f"{spot}-"}
        parts = render_parts(request, functools.partial(template.render, context))
        PROCESS_CACHE.put(_key(request, spot, pk), parts, _version(request))
        rendered[spot, pk] = parts
    return rendered


def _key(request: Request, spot: str, pk: int) -> Hashable:
    clock = request.clock
    return ("card", spot, pk, clock.zone.key, utc(clock.now) if clock.pinned else None)


def _version(request: Request) -> Hashable:
    """As of the page: what is stored for a minute was read and rendered by its clock."""
    clock = request.clock
    return request.conference.revision, current_minute() if clock.pinned else int(clock.now.timestamp() // 60)
