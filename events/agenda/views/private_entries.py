"""Adding, changing and removing private entries."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from events.agenda.forms import PrivateEntryForm
from events.agenda.models.private_entries import PrivateEntry, TooManyEntriesError
from events.agenda.queries.private_entries import private_entry
from events.agenda.visitor import find_agenda, get_or_begin_agenda, remember_visitor
from events.core.clock import Clock
from events.programme.models.conference import Conference
from events.web.request import Request, conference_view


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
    messages.success(request, "Added to your agenda. Only you see what it is.")
    response = redirect_to_agenda(conference, entry)
    remember_visitor(request, response, token)
    return response


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
        return redirect_to_agenda(conference)
    if request.POST.get("remove") == "1":
        entry.remove()
        messages.success(request, "Removed from your agenda.")
        return redirect_to_agenda(conference)
    form = PrivateEntryForm(conference, request.clock.zone, request.POST)
    if not form.is_valid():
        return render_entry_form(request, form, entry, status=422)
    entry.revise(**form.entry_values)
    messages.success(request, "Your changes are saved.")
    return redirect_to_agenda(conference, entry)


def render_entry_form(
    request: Request, form: PrivateEntryForm, entry: PrivateEntry | None = None, *, status: int = 200
) -> HttpResponse:
    return render(request, "events/agenda/private_entry.html", {"form": form, "entry": entry}, status=status)


def redirect_to_agenda(conference: Conference, entry: PrivateEntry | None = None) -> HttpResponse:
    return redirect(reverse("events:agenda-detail", args=[conference.slug]) + (f"#private-{entry.guid}" if entry else ""))


def initial_values(conference: Conference, clock: Clock) -> dict[str, object]:
    """Today during the conference, otherwise its first day."""
    today = clock.now.astimezone(clock.zone).date()
    return {"date": min(max(today, conference.start), conference.end), "guid": uuid4()}


def entry_initial(entry: PrivateEntry) -> dict[str, object]:
    start, end = timezone.localtime(entry.start), timezone.localtime(entry.end)
    return {"title": entry.title, "place": entry.place, "date": start.date(), "start": start.time(), "end": end.time()}
