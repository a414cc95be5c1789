"""What somebody has besides the programme: adding it, saying it anew, taking it out."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from events.http import VISITOR_COOKIE, Request, find_agenda, get_or_begin_agenda, in_conference, remember
from events.models import Conference, PrivateEntry
from events.models.private_entries import TooManyEntriesError
from events.private_entry_form import PrivateEntryForm
from events.queries.private_entries import private_entry
from events.schedule.clock import Clock


@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def entry_add(request: Request, conference: Conference) -> HttpResponse:
    if request.method != "POST":
        return asked(request, PrivateEntryForm(conference, request.clock.zone, initial=beginning(conference, request.clock)))
    form = PrivateEntryForm(conference, request.clock.zone, request.POST)
    if not form.is_valid():
        return asked(request, form, status=422)
    agenda, token = get_or_begin_agenda(request, conference)
    try:
        entry = PrivateEntry.add(agenda, form.cleaned_data["guid"], **form.said)
    except TooManyEntriesError:
        form.add_error(None, "That are more entries than an agenda keeps: take one out first.")
        return asked(request, form, status=422)
    messages.success(request, "Your entry is in your agenda. Only you see what it is.")
    response = to_agenda(conference, entry)
    remember(response, VISITOR_COOKIE, token)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@in_conference
def entry_change(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """POST says it anew, or takes it out with ``remove=1``; what is out already stays out."""
    agenda = find_agenda(request, conference)
    entry = private_entry(agenda, guid)
    if request.method != "POST":
        if entry is None:
            raise Http404
        return asked(request, PrivateEntryForm(conference, request.clock.zone, initial=stored(entry)), entry)
    if entry is None:
        messages.info(request, "That entry is not in your agenda any more.")
        return to_agenda(conference)
    if request.POST.get("remove") == "1":
        entry.remove()
        messages.success(request, "Your entry is out of your agenda.")
        return to_agenda(conference)
    form = PrivateEntryForm(conference, request.clock.zone, request.POST)
    if not form.is_valid():
        return asked(request, form, entry, status=422)
    entry.revise(**form.said)
    messages.success(request, "Your entry is kept as you wrote it now.")
    return to_agenda(conference, entry)


def asked(request: Request, form: PrivateEntryForm, entry: PrivateEntry | None = None, *, status: int = 200) -> HttpResponse:
    return render(request, "events/private_entry.html", {"form": form, "entry": entry}, status=status)


def to_agenda(conference: Conference, entry: PrivateEntry | None = None) -> HttpResponse:
    return redirect(reverse("events:agenda-detail", args=[conference.slug]) + (f"#private-{entry.guid}" if entry else ""))


def beginning(conference: Conference, clock: Clock) -> dict[str, object]:
    """Today if the conference is on, else its first day."""
    today = clock.now.astimezone(clock.zone).date()
    return {"date": min(max(today, conference.start), conference.end), "guid": uuid4()}


def stored(entry: PrivateEntry) -> dict[str, object]:
    start, end = timezone.localtime(entry.start), timezone.localtime(entry.end)
    return {"title": entry.title, "place": entry.place, "date": start.date(), "start": start.time(), "end": end.time()}
