"""One event, and the bookmark on it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from events.forms import BookmarkForm
from events.http import (
    VISITOR_COOKIE,
    Request,
    by_origin,
    find_agenda,
    get_or_begin_agenda,
    in_conference,
    needs_of,
    next_url,
    remember,
)
from events.models import Conference, Event, Level
from events.pages.page_cache import page_cache
from events.queries import agenda as agenda_queries
from events.queries import event as event_queries
from events.queries.cards import PickButton
from events.queries.elsewhere import ways_out_of
from events.queries.own_time import OwnTime
from events.queries.seats import still_held

SAID = {"": "In your agenda", Level.MUST: "A must", Level.MAYBE: "A maybe", Level.LATER: "To watch later"}


@require_safe
@page_cache
@in_conference
def event_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = event_queries.public_event(conference, guid)
    if event is None:
        raise Http404
    page = event_queries.event_page(event, request.clock, request.GET)
    request.event = page.event
    return render(request, "events/event_detail.html", vars(page))


@by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def bookmark_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET asks, POST sets ``on=1``, ``on=0`` or a ``level``; sent twice it does the same."""
    event = event_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    if request.method != "POST":
        return confirm(request, conference, event)
    form = BookmarkForm(request.POST)
    if not form.is_valid():
        return confirm(request, conference, event, problem=form.problem, status=422)
    on, level = bool(form.cleaned_data["on"]), str(form.cleaned_data["level"])
    agenda, token = get_or_begin_agenda(request, conference)
    changed = agenda.bookmark(event, on=on, level=level)
    own = OwnTime(agenda, conference, request.clock, needs_of(request))
    said = f"{SAID[level]}: {event}." if on else f"No longer in your agenda: {event}."
    if not on or level == Level.LATER:
        said += still_held(agenda, event)
    wanted = level or (Level.MUST if changed else own.levels.get(event.pk, "")) if on else ""
    response = answer(request, event, said, wanted, own)
    remember(response, VISITOR_COOKIE, token)
    return response


def confirm(request: Request, conference: Conference, event: Event, *, problem: str = "", status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, conference)
    card = agenda_queries.one_card(event, agenda, request.clock)
    own = OwnTime(agenda, conference, request.clock, needs_of(request))
    conflicts = own.conflicts_of(event)
    context = {
        "card": card,
        "on": not card.bookmarked,
        "problem": problem,
        "next": next_url(request, event.get_absolute_url()),
        "conflicts": conflicts,
        "ways": [] if card.bookmarked else ways_out_of(event, conflicts, own),
    }
    return render(request, "events/bookmark_confirm.html", context, status=status)


def answer(request: Request, event: Event, said: str, level: str, own: OwnTime) -> HttpResponse:
    """What was pressed alone for htmx; otherwise back to where the visitor was, with the same words as a message."""
    target = request.htmx.target or ""
    conflicts = own.conflicts_of(event) if level else []
    # A page whose main part is asked for is made anew: in the agenda a level moves what stands around it.
    if not request.htmx or target == "main":
        told = [f"{line.sentence} with {line.other.title}." for line in conflicts]
        messages.success(request, " ".join([said, *told]))
        return redirect(at_card(next_url(request, event.get_absolute_url()), event))
    context = {
        "card": PickButton(event, bookmarked=bool(level)),
        "level": level,
        "conflicts": conflicts,
        "sentence": said,
        "ways": ways_out_of(event, conflicts, own),
        "button_id": request.htmx.trigger or "",
        "target": target,
    }
    of_level = target == "status" or target.startswith("levels-")
    return render(request, "events/_level_answer.html" if of_level else "events/_bookmark_answer.html", context)


def at_card(url: str, event: Event) -> str:
    """The page, scrolled to the card that was pressed."""
    return url if "#" in url else f"{url}#e-{event.guid}"
