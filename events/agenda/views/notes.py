"""Writing the private note about an event."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from events.agenda.forms import AgendaNoteForm
from events.agenda.models.notes import MAX_NOTES_PER_AGENDA, Note, TooManyNotesError
from events.agenda.queries.notes import hidden_note, note_of
from events.agenda.visitor import find_agenda, get_or_begin_agenda, remember_visitor
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries.events import bare_event
from events.web.request import Request, conference_view, csrf_by_origin, next_url
from events.web.toasts import Undo, add_toast

TOO_MANY_NOTES_MESSAGE = (
    f"Your agenda has {MAX_NOTES_PER_AGENDA} notes, which is the most it can have. Delete one, then save this one again."
)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def note_set(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """POST sets the note to ``text``; an empty one deletes it. A note does not bookmark the event."""
    event = bare_event(conference, guid)
    if event is None:
        return delete_hidden_note(request, conference, guid)
    form = AgendaNoteForm(request.POST)
    typed = request.POST.get("text")
    if request.method != "POST" or typed is None:
        note = note_of(find_agenda(request, conference), event.pk)
        return render_note(request, event, note, form.problem if request.method == "POST" else "")
    if not form.is_valid():
        return render_note(request, event, typed, form.problem)
    text = form.cleaned_data["text"]
    if not text and find_agenda(request, conference) is None:
        return note_response(request, event, "", None)
    agenda, token = get_or_begin_agenda(request, conference)
    before = note_of(agenda, event.pk)
    try:
        changed = Note.write(agenda, event, text)
    except TooManyNotesError:
        return render_note(request, event, typed, TOO_MANY_NOTES_MESSAGE)
    response = note_response(request, event, text, before if changed and not form.cleaned_data["undo"] else None)
    remember_visitor(request, response, token)
    return response


def delete_hidden_note(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """Of an event that is not public any more its visitor sees the own note alone, on the page of their data."""
    agenda = find_agenda(request, conference)
    note = hidden_note(agenda, guid)
    if agenda is None or note is None or request.method != "POST" or request.POST.get("text") != "":
        raise Http404
    Note.write(agenda, note.event, "")
    add_toast(request, "Note deleted.")
    return redirect(f"{reverse('events:devices', args=[conference.slug])}#mine")


def note_response(request: Request, event: Event, text: str, before: str | None) -> HttpResponse:
    """``before`` is what Undo sets; None for no Undo."""
    sentence = f"Note saved: {event}." if text else f"You have no note: {event}."
    undo = None if before is None else Undo(request.path, {"text": before, "undo": "1"})
    if request.htmx and request.htmx.target == "my-note":
        context = {"event": event, "note": text, "sentence": sentence, "undo": undo}
        return render(request, "events/agenda/_note_answer.html", context)
    add_toast(request, sentence, undo)
    return redirect(note_address(request, event))


def render_note(request: Request, event: Event, text: str, problem: str = "") -> HttpResponse:
    """The form; with a problem the typed text stays in it."""
    context = {"event": event, "note": text, "problem": problem, "next": next_url(request, event.get_absolute_url())}
    status = 422 if problem else 200
    if request.htmx and request.htmx.target == "my-note":
        response = render(request, "events/agenda/_my_note.html", context, status=status)
        # htmx shows an error that says how it is swapped (hallway.js).
        response["HX-Reswap"] = "innerHTML"
        return response
    return render(request, "events/agenda/note.html", context, status=status)


def note_address(request: Request, event: Event) -> str:
    url = next_url(request, event.get_absolute_url())
    return url if "#" in url else f"{url}#my-note"
