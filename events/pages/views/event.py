"""The page of one event, and the forms for its bookmark."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.forms import BookmarkForm, PresentingForm
from events.agenda.models.agenda import Agenda, BookmarkLevel
from events.agenda.page_cache import page_cache
from events.agenda.queries.conflicts import AgendaConflicts, conflicts_with_bookmarks
from events.agenda.queries.other_times import other_times_of_event
from events.agenda.visitor import find_agenda, get_or_begin_agenda, remember_visitor
from events.pages.queries import agenda as agenda_queries
from events.pages.queries import event as event_queries
from events.pages.queries.agenda import is_presented
from events.programme.display import BookmarkButton
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries import events as events_queries
from events.sign_up.queries import remaining_seat_text
from events.web.request import Request, conference_view, csrf_by_origin, needs_of, next_url

LEVEL_MESSAGES = {
    "": "In your agenda",
    BookmarkLevel.MUST: "Marked as must",
    BookmarkLevel.MAYBE: "Marked as maybe",
    BookmarkLevel.LATER: "Saved for later",
}


@require_safe
@page_cache
@conference_view
def event_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    event = event_queries.public_event(conference, guid)
    if event is None:
        raise Http404
    page = event_queries.event_page(event, request.clock, request.GET)
    request.event = page.event
    context = {
        **vars(page),
        "abstract": page.abstract,
        "other_title": page.other_title,
        "unnamed_source": page.unnamed_source,
        "has_details": page.has_details,
    }
    return render(request, "events/pages/event_detail.html", context)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def bookmark_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET shows a confirmation, POST sets ``on=1``, ``on=0`` or a ``level``. Repeating it changes nothing."""
    event = events_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    if request.method != "POST":
        return confirm_bookmark(request, conference, event)
    form = BookmarkForm(request.POST)
    if not form.is_valid():
        return confirm_bookmark(request, conference, event, problem=form.problem, status=422)
    on, level = bool(form.cleaned_data["on"]), str(form.cleaned_data["level"])
    agenda, token = get_or_begin_agenda(request, conference)
    changed = agenda.bookmark(event, on=on, level=level)
    agenda_conflicts = AgendaConflicts(agenda, conference, request.clock, needs_of(request))
    message = f"{LEVEL_MESSAGES[level]}: {event}." if on else f"Removed: {event}."
    if not on or level == BookmarkLevel.LATER:
        message += remaining_seat_text(agenda, event)
    new_level = level or (BookmarkLevel.MUST if changed else agenda_conflicts.levels.get(event.pk, "")) if on else ""
    response = bookmark_response(request, event, message, new_level, agenda_conflicts)
    remember_visitor(request, response, token)
    return response


def confirm_bookmark(
    request: Request, conference: Conference, event: Event, *, problem: str = "", status: int = 200
) -> HttpResponse:
    agenda = find_agenda(request, conference)
    card = agenda_queries.one_card(event, agenda, request.clock)
    agenda_conflicts = AgendaConflicts(agenda, conference, request.clock, needs_of(request))
    conflicts = agenda_conflicts.conflicts_of(event)
    context = {
        "card": card,
        "on": not card.bookmarked,
        "problem": problem,
        "next": next_url(request, event.get_absolute_url()),
        "conflicts": conflicts,
        "ways": [] if card.bookmarked else other_times_of_event(event, conflicts, agenda_conflicts),
    }
    return render(request, "events/agenda/bookmark_confirm.html", context, status=status)


def bookmark_response(
    request: Request, event: Event, message: str, level: str, agenda_conflicts: AgendaConflicts
) -> HttpResponse:
    """The pressed control alone for htmx; otherwise a redirect to the previous page, with the message."""
    target = request.htmx.target or ""
    conflicts = agenda_conflicts.conflicts_of(event) if level else []
    # A level in the agenda changes the rows around it, so the whole main part is requested again.
    if not request.htmx or target == "main":
        sentences = [f"{line.sentence} ({line.other.title})." for line in conflicts]
        messages.success(request, " ".join([message, *sentences]))
        return redirect(card_url(next_url(request, event.get_absolute_url()), event))
    context = {
        "card": BookmarkButton(event, bookmarked=bool(level)),
        "level": level,
        "conflicts": conflicts,
        "sentence": message,
        "ways": other_times_of_event(event, conflicts, agenda_conflicts),
        "button_id": request.htmx.trigger or "",
        "pressed": "message" if target == "status" else "levels" if target.startswith("levels-") else "button",
    }
    return render(request, "events/agenda/_bookmark_answer.html", context)


def card_url(url: str, event: Event) -> str:
    return url if "#" in url else f"{url}#e-{event.guid}"


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def bookmark_exchange(request: Request, conference: Conference, guid: UUID, other: UUID) -> HttpResponse:
    """GET shows a confirmation, POST bookmarks the event and removes the other. Repeating it changes nothing."""
    event, of = events_queries.bare_event(conference, guid), events_queries.bare_event(conference, other)
    if event is None or of is None or event == of:
        raise Http404
    back = next_url(request, reverse("events:agenda-detail", args=[conference.slug]))
    if request.method != "POST":
        agenda = find_agenda(request, conference)
        taken, given_up = (agenda_queries.one_card(row, agenda, request.clock) for row in (event, of))
        return render(request, "events/agenda/bookmark_exchange.html", {"taken": taken, "given_up": given_up, "next": back})
    agenda, token = get_or_begin_agenda(request, conference)
    agenda.exchange(event, of=of)
    messages.success(request, exchange_message(request, event, of))
    response = redirect(card_url(back, event))
    remember_visitor(request, response, token)
    return response


def exchange_message(request: Request, event: Event, of: Event) -> str:
    agenda = find_agenda(request, event.conference)
    lines = conflicts_with_bookmarks(event, agenda, request.clock, needs_of(request))
    sentences = [f"{line.sentence} ({line.other.title})." for line in lines]
    # An oral and its poster have one title.
    taken, given_up = (str(event), str(of)) if event.title != of.title else (f"{event} ({event.type.name})", of.type.name)
    return " ".join(
        [f"In your agenda: {taken}, in place of {given_up}.{remaining_seat_text(agenda, of) if agenda else ''}", *sentences]
    )


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def present_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """GET shows a confirmation, POST sets ``on=1`` or ``on=0`` and redirects. Repeating it changes nothing."""
    event = events_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    form = PresentingForm(request.POST)
    if request.method != "POST" or not form.is_valid():
        return confirm_presenting(request, event, form.problem if request.method == "POST" else "")
    agenda, token = get_or_begin_agenda(request, conference)
    agenda.present(event, on=form.cleaned_data["on"])
    messages.success(request, presenting_message(request, event, agenda, on=form.cleaned_data["on"]))
    response = redirect(card_url(next_url(request, event.get_absolute_url()), event))
    remember_visitor(request, response, token)
    return response


def confirm_presenting(request: Request, event: Event, problem: str) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    context = {
        "card": BookmarkButton(event, bookmarked=False),
        "url": event.get_absolute_url(),
        "presents": agenda is not None and is_presented(agenda, event.pk),
        "problem": problem,
        "next": next_url(request, event.get_absolute_url()),
    }
    return render(request, "events/agenda/present_confirm.html", context, status=422 if problem else 200)


def presenting_message(request: Request, event: Event, agenda: Agenda, *, on: bool) -> str:
    if not on:
        return f"You do not present this: {event}. It stays in your agenda."
    lines = conflicts_with_bookmarks(event, agenda, request.clock, needs_of(request))
    return " ".join([f"You present this: {event}.", *(f"{line.sentence} ({line.other.title})." for line in lines)])
