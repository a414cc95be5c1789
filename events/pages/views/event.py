"""The page of one event, and the forms for its bookmark."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseForbidden, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.forms import BookmarkForm, ExchangeForm, PresentingForm
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkLevel, BookmarkState
from events.agenda.page_cache import page_cache
from events.agenda.queries.conflicts import AgendaConflicts, ConflictLine, conflicts_with_bookmarks
from events.agenda.queries.other_times import other_times_of_event
from events.agenda.visitor import agenda_mark, find_agenda, get_or_begin_agenda, remember_visitor
from events.core.languages import isolated
from events.pages.link_previews import event_preview
from events.pages.queries import agenda as agenda_queries
from events.pages.queries import event as event_queries
from events.pages.queries.agenda import is_presented
from events.pages.shared_cards import shared_cards
from events.programme.addresses import page_name, pk_in_page_name
from events.programme.display import BookmarkButton
from events.programme.drafts import drafts_are_shown
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries import events as events_queries
from events.programme.rules.subjects import event_page_subjects
from events.sign_up.queries import remaining_seat_text
from events.web.caching import MOVED_CACHE_CONTROL, NO_STORE_CACHE_CONTROL
from events.web.drafts import shows_drafts
from events.web.request import Request, conference_view, csrf_by_origin, needs_of, next_url
from events.web.toasts import Undo, add_toast

LEVEL_MESSAGES = {
    "": "In your agenda",
    BookmarkLevel.MUST: "Marked as must",
    BookmarkLevel.MAYBE: "Marked as maybe",
    BookmarkLevel.LATER: "Saved for later",
}
MAX_PORTRAITS = 8


@require_safe
@shows_drafts
@page_cache
@conference_view
def event_detail(request: Request, conference: Conference, name: str) -> HttpResponse:
    """``name`` has the event's primary key at its end, after words of its title; with other words it leads to the page."""
    event = event_queries.public_event(conference, pk_in_page_name(name))
    if event is None:
        raise Http404
    if name != page_name(event.pk, event.title):
        return redirect_to_page(event, request.sent_query)
    request.subjects = event_page_subjects(str(event.guid), event.announced)
    page = event_queries.event_page(event, request.clock, request.GET)
    if page.crowd and page.crowd.is_too_full:
        # The events elsewhere that it offers may be anywhere.
        request.subjects = None
    request.event = page.event
    listed = timezone.localtime(event.start).date() if event.start else None
    context = {
        **vars(page),
        "preview": event_preview(page.event),
        "portraits": [person for person in page.people if person.photo][:MAX_PORTRAITS],
        "is_draft": drafts_are_shown() and event.is_draft,
        "is_bookmarkable": not (drafts_are_shown() and (event.is_draft or conference.is_draft)),
        "cards": shared_cards(request, page.nearby.by_spot, listed),
        "listed": listed,
        "texts": page.texts,
        "texts_language": page.texts_language,
        "other_title": page.other_title,
        "unnamed_source": page.unnamed_source,
        "has_details": page.has_details,
        "open_poll": page.open_poll,
        "closed_polls": page.closed_polls,
    }
    return render(request, "events/pages/event_detail.html", context)


@require_safe
@shows_drafts
@conference_view
def event_by_guid(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """The former address, which is in calendars and bookmarks."""
    event = events_queries.bare_event(conference, guid)
    if event is None:
        raise Http404
    return redirect_to_page(event, request.META.get("QUERY_STRING", ""))


def redirect_to_page(event: Event, query: str) -> HttpResponse:
    url = event.get_absolute_url()
    response = HttpResponsePermanentRedirect(f"{url}?{query}" if query else url)
    response["Cache-Control"] = MOVED_CACHE_CONTROL
    return response


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
    if form.cleaned_data["whose"] not in {"", agenda_mark(find_agenda(request, conference))}:
        # The browser has another agenda now, and asks the visitor.
        return HttpResponseForbidden("This was chosen for another agenda.\n", content_type="text/plain; charset=utf-8")
    agenda, token = get_or_begin_agenda(request, conference)
    answer = set_bookmark(request, agenda, event, form)
    response = bookmark_response(request, answer) if form.decided_at is None else late_response(answer, agenda, form)
    # For the service worker: the agenda may have begun just now.
    response["Hallway-Whose"] = agenda_mark(agenda)
    remember_visitor(request, response, token)
    return response


@dataclass(frozen=True)
class BookmarkAnswer:
    event: Event
    level: str
    sentence: str
    undo: Undo | None
    agenda_conflicts: AgendaConflicts
    # What the page shows besides the pressed button.
    shown_event: UUID | None
    shown_date: dt.date | None
    has_leave_line: bool

    @cached_property
    def conflicts(self) -> list[ConflictLine]:
        return self.agenda_conflicts.conflicts_of(self.event) if self.level else []


def set_bookmark(request: Request, agenda: Agenda, event: Event, form: BookmarkForm) -> BookmarkAnswer:
    on, level, former = (form.cleaned_data[name] for name in ("on", "level", "undo"))
    before = agenda.bookmark_state(event)
    if former:
        agenda.restore({event: BookmarkState.read(former)})
    elif not before.is_already(on=on, level=level):
        agenda.bookmark(event, on=on, level=level, decided_at=form.decided_at)
    level = (level or before.level or BookmarkLevel.MUST) if on else ""
    sentence = bookmark_sentence(event, before, form)
    if level in {"", BookmarkLevel.LATER}:
        sentence += remaining_seat_text(agenda, event)
    return BookmarkAnswer(
        event,
        level,
        sentence,
        None if former or before.level == level else undo_of(event, before),
        AgendaConflicts(agenda, event.conference, request.clock, needs_of(request)),
        form.cleaned_data["shown_event"],
        form.cleaned_data["shown_date"],
        form.cleaned_data["has_leave_line"],
    )


def late_response(answer: BookmarkAnswer, agenda: Agenda, form: BookmarkForm) -> HttpResponse:
    """What became of a decision made without network, for the script that sent it."""
    state = agenda.bookmark_state(answer.event)
    sentence = " ".join([answer.sentence, *(line.message for line in answer.conflicts)])
    if not state.is_already(on=form.cleaned_data["on"], level=form.cleaned_data["level"]):
        where = "in" if state.level else "out of"
        sentence = f"Changed on another device since: {isolated(answer.event.title)} stays {where} your agenda."
    return JsonResponse({"sentence": sentence, "level": state.level}, headers={"Cache-Control": NO_STORE_CACHE_CONTROL})


def bookmark_sentence(event: Event, before: BookmarkState, form: BookmarkForm) -> str:
    title = isolated(event.title)
    if not form.cleaned_data["on"]:
        return f"Removed: {title}."
    if form.cleaned_data["undo"] and not before.level:
        return f"Back in your agenda: {title}."
    return f"{LEVEL_MESSAGES[form.cleaned_data['level']]}: {title}."


def undo_of(event: Event, before: BookmarkState) -> Undo:
    return Undo(BookmarkButton(event, bookmarked=False).bookmark_url, {"undo": str(before)})


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


def bookmark_response(request: Request, answer: BookmarkAnswer) -> HttpResponse:
    """The pressed control, and what depends on it, for htmx; otherwise a redirect to the previous page, with the message."""
    event, target = answer.event, request.htmx.target or ""
    # On a page of the visitor's own a bookmark changes what is around it, so the whole main part is requested again.
    if not request.htmx or target == "main":
        sentences = [line.message for line in answer.conflicts]
        add_toast(request, " ".join([answer.sentence, *sentences]), answer.undo, stays=bool(sentences))
        return redirect(url_after_bookmark(request, answer))
    pressed = "message" if target == "status" else "levels" if target.startswith("levels-") else "button"
    button_id = target or request.htmx.trigger or ""
    # Undo presses the same star, so that it is drawn again.
    undo_target, swap_style = (button_id, "outerHTML") if pressed == "button" else ("status", "innerHTML")
    context = {
        "card": BookmarkButton(event, bookmarked=bool(answer.level)),
        "level": answer.level,
        "conflicts": answer.conflicts,
        "sentence": answer.sentence,
        "undo": answer.undo,
        "ways": other_times_of_event(event, answer.conflicts, answer.agenda_conflicts),
        "button_id": button_id,
        "swap": format_html('hx-target="#{}" hx-swap="{}"', undo_target, swap_style),
        "asks": pressed != "levels" and answer.shown_event != event.guid,
        "pressed": pressed,
        "shown_event": shown_event(request, answer),
        "shown_date": answer.shown_date.isoformat() if answer.shown_date else "",
        "has_leave_line": answer.has_leave_line,
    }
    return render(request, "events/agenda/_bookmark_answer.html", context)


def shown_event(request: Request, answer: BookmarkAnswer) -> Event | None:
    """The event whose page is open: its level and its conflicts depend on every bookmark."""
    if answer.shown_event is None or answer.shown_event == answer.event.guid:
        return answer.event if answer.shown_event else None
    return events_queries.bare_event(request.conference, answer.shown_event)


def url_after_bookmark(request: Request, answer: BookmarkAnswer) -> str:
    """A card that is gone from the agenda cannot be returned to, so that is the one beside it."""
    url, agenda = next_url(request, answer.event.get_absolute_url()), answer.agenda_conflicts.agenda
    own_page = reverse("events:agenda-detail", args=[request.conference.slug])
    if answer.level or agenda is None or "#" in url or urlsplit(url).path != own_page:
        return card_url(url, answer.event)
    beside = agenda_queries.stop_beside(agenda, answer.event)
    return f"{url}#{beside}" if beside else url


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
        return render_exchange(request, event, of, back)
    form = ExchangeForm(request.POST)
    if not form.is_valid():
        return render_exchange(request, event, of, back, status=422)
    agenda, token = get_or_begin_agenda(request, conference)
    former = form.states
    before = agenda.bookmark_state(event), agenda.bookmark_state(of)
    if former:
        agenda.restore(dict(zip((event, of), former, strict=True)))
        add_toast(request, f"Undone: {isolated(event.title)} is as before, and so is {isolated(of.title)}.")
    else:
        agenda.exchange(event, of=of)
        fields = {"undo": str(before[0]), "undo_other": str(before[1])}
        sentences = exchange_sentences(request, event, of)
        add_toast(request, " ".join(sentences), Undo(request.path, fields), stays=len(sentences) > 1)
    response = redirect(card_url(back, event))
    remember_visitor(request, response, token)
    return response


def render_exchange(request: Request, event: Event, of: Event, back: str, *, status: int = 200) -> HttpResponse:
    agenda = find_agenda(request, event.conference)
    taken, given_up = (agenda_queries.one_card(row, agenda, request.clock) for row in (event, of))
    context = {"taken": taken, "given_up": given_up, "next": back}
    return render(request, "events/agenda/bookmark_exchange.html", context, status=status)


def exchange_sentences(request: Request, event: Event, of: Event) -> list[str]:
    agenda = find_agenda(request, event.conference)
    lines = conflicts_with_bookmarks(event, agenda, request.clock, needs_of(request))
    sentences = [line.message for line in lines]
    # An oral and its poster have one title.
    taken, given_up = isolated(event.title), isolated(of.title)
    if taken == given_up:
        taken, given_up = f"{taken} ({event.type.name})", of.type.name
    return [f"In your agenda: {taken}, in place of {given_up}.{remaining_seat_text(agenda, of) if agenda else ''}", *sentences]


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
    before = agenda.bookmark_state(event)
    changed = agenda.present(event, on=form.cleaned_data["on"])
    sentences = presenting_sentences(request, event, agenda, on=form.cleaned_data["on"])
    add_toast(request, " ".join(sentences), undo_of(event, before) if changed else None, stays=len(sentences) > 1)
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


def presenting_sentences(request: Request, event: Event, agenda: Agenda, *, on: bool) -> list[str]:
    if not on:
        return [f"You do not present this: {isolated(event.title)}. It stays in your agenda."]
    lines = conflicts_with_bookmarks(event, agenda, request.clock, needs_of(request))
    return [f"You present this: {isolated(event.title)}.", *(line.message for line in lines)]
