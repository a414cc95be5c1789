"""Adding, changing and removing private entries."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from events.agenda.forms import PrivateEntryForm
from events.agenda.models.private_entries import PrivateEntry, TooManyEntriesError
from events.agenda.queries.conflicts import AgendaConflicts
from events.agenda.queries.private_entries import private_entry
from events.agenda.visitor import find_agenda, get_or_begin_agenda, remember_visitor
from events.core.clock import Clock, with_pinned_time
from events.core.languages import isolated
from events.programme.models.conference import Conference
from events.web.request import Request, conference_view, csrf_by_origin, needs_of
from events.web.toasts import Undo, add_toast


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def entry_add(request: Request, conference: Conference) -> HttpResponse:
    if request.method != "POST":
        return render_entry_form(
            request, PrivateEntryForm(conference, request.clock.zone, initial=initial_values(conference, request.clock))
        )
    form = PrivateEntryForm(conference, request.clock.zone, request.POST)
    if not form.is_valid():
        return render_entry_form(request, form, status=422)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        entry = PrivateEntry.add(agenda, form.cleaned_data["guid"], **form.entry_values)
    except TooManyEntriesError:
        form.add_error(None, "Your agenda has as many entries as it can have. Please remove one first.")
        return render_entry_form(request, form, status=422)
    if request.POST.get("undo"):
        add_toast(request, f"Back in your agenda: {isolated(entry.title)}.")
    else:
        sentence = "Added to your agenda. Only you see what it is."
        add_toast(request, f"{sentence}{conflicts_sentence(request, entry)}", undo_adding(entry))
    response = redirect_to_agenda(request, entry)
    remember_visitor(request, response, token)
    return response


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def entry_change(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """POST changes the entry, or removes it with ``remove=1``; a removed entry stays removed."""
    agenda = find_agenda(request, conference)
    entry = private_entry(agenda, guid)
    if request.method != "POST":
        if entry is None:
            raise Http404
        return render_entry_form(request, PrivateEntryForm(conference, request.clock.zone, initial=entry_initial(entry)), entry)
    if entry is None:
        messages.info(request, "That entry is no longer in your agenda.")
        return redirect_to_agenda(request)
    if request.POST.get("remove") == "1":
        # A removed entry keeps no text and never returns, so Undo adds another one.
        undo = Undo(reverse("events:private-entry-add", args=[conference.slug]), entry_fields(entry))
        entry.remove()
        add_toast(request, f"Removed: {isolated(undo.fields['title'])}.", None if request.POST.get("undo") else undo)
        return redirect_to_agenda(request)
    form = PrivateEntryForm(conference, request.clock.zone, request.POST)
    if not form.is_valid():
        return render_entry_form(request, form, entry, status=422)
    before = entry_fields(entry)
    changed = entry.revise(**form.entry_values)
    undone = request.POST.get("undo")
    sentence = "Your changes are undone." if undone else "Your changes are saved."
    back = Undo(request.path, before) if changed and not undone else None
    add_toast(request, f"{sentence}{conflicts_sentence(request, entry)}", back)
    return redirect_to_agenda(request, entry)


def render_entry_form(
    request: Request, form: PrivateEntryForm, entry: PrivateEntry | None = None, *, status: int = 200
) -> HttpResponse:
    return render(request, "events/agenda/private_entry.html", {"form": form, "entry": entry}, status=status)


def conflicts_sentence(request: Request, entry: PrivateEntry) -> str:
    """The worst of its conflicts, as the message about a bookmark says it, and how many more there are; empty without any."""
    conflicts = AgendaConflicts(entry.agenda, request.conference, request.clock, needs_of(request)).conflicts_of_entry(entry.pk)
    more = f" And {len(conflicts) - 1} more." if len(conflicts) > 1 else ""
    return f" {conflicts[0].message}{more}" if conflicts else ""


def redirect_to_agenda(request: Request, entry: PrivateEntry | None = None) -> HttpResponse:
    url = with_pinned_time(reverse("events:agenda-detail", args=[request.conference.slug]), request.clock)
    return redirect(url + (f"#private-{entry.guid}" if entry else ""))


def initial_values(conference: Conference, clock: Clock) -> dict[str, object]:
    """Today during the conference, otherwise its first day."""
    today = clock.now.astimezone(clock.zone).date()
    return {"date": min(max(today, conference.start), conference.end), "guid": uuid4()}


def entry_fields(entry: PrivateEntry) -> dict[str, str]:
    """The fields of the form that set the entry as it is now."""
    values = entry_initial(entry)
    return {
        "title": entry.title,
        "place": entry.place,
        "date": f"{values['date']:%Y-%m-%d}",
        "start": f"{values['start']:%H:%M}",
        "end": f"{values['end']:%H:%M}",
        "guid": str(uuid4()),
        "undo": "1",
    }


def undo_adding(entry: PrivateEntry) -> Undo:
    url = reverse("events:private-entry", args=[entry.agenda.conference.slug, entry.guid])
    return Undo(url, {"remove": "1", "undo": "1"})


def entry_initial(entry: PrivateEntry) -> dict[str, Any]:
    start, end = timezone.localtime(entry.start), timezone.localtime(entry.end)
    return {"title": entry.title, "place": entry.place, "date": start.date(), "start": start.time(), "end": end.time()}
