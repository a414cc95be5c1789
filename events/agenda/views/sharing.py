"""Read-only links to an agenda: creating, withdrawing, opening and comparing them."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.agenda.forms import ReadLinkForm
from events.agenda.merging import copy_bookmarks
from events.agenda.models.agenda import Agenda
from events.agenda.models.sharing import ReadLink
from events.agenda.queries import sharing as sharing_queries
from events.agenda.queries.groups import MAX_GROUP_LINKS, together_page
from events.agenda.visitor import find_agenda, get_or_begin_agenda, remember_visitor
from events.programme.models.conference import Conference
from events.web.caching import clears_storage, no_store, noindex
from events.web.request import Request, conference_view

LINK_SERIAL_PATTERN = re.compile(r"[0-9]{1,9}", re.ASCII)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
def link_list(request: Request, conference: Conference) -> HttpResponse:
    agenda = find_agenda(request, conference)
    if request.method != "POST":
        return render_links(request, agenda, ReadLinkForm())
    form = ReadLinkForm(request.POST)
    if agenda is None:
        return redirect("events:sharing", conference.slug)
    if not form.is_valid():
        return render_links(request, agenda, form, status=422)
    if ReadLink.begin(agenda, form.cleaned_data["label"]) is None:
        form.add_error("label", "You can have 20 links. Please withdraw one first.")
        return render_links(request, agenda, form, status=422)
    messages.success(request, "Link created. Whoever has it can read your agenda but not change it.")
    return redirect("events:sharing", conference.slug)


def render_links(request: Request, agenda: Agenda | None, form: ReadLinkForm, status: int = 200) -> HttpResponse:
    context = {"has_agenda": agenda is not None, "rows": link_rows(agenda) if agenda else [], "form": form}
    return render(request, "events/agenda/sharing.html", context, status=status)


def link_rows(agenda: Agenda) -> list[dict[str, Any]]:
    """The active links; ``url`` is empty if SECRET_KEY has changed since the link was created."""
    links = agenda.read_links.active()
    return [{"link": link, "url": link_url(agenda, token) if (token := link.token) else ""} for link in links]


def link_url(agenda: Agenda, token: str) -> str:
    return f"{settings.SITE_URL}{reverse('events:shared-agenda', args=[agenda.conference.slug, token])}"


@require_POST
@noindex
@conference_view
def link_take_back(request: Request, conference: Conference) -> HttpResponse:
    agenda, serial = find_agenda(request, conference), request.POST.get("serial", "")
    if agenda is not None and LINK_SERIAL_PATTERN.fullmatch(serial) and agenda.read_links.with_serial(serial).revoke():
        messages.success(request, "Link withdrawn. It shows nothing any more.")
    return redirect("events:sharing", conference.slug)


@require_safe
@no_store
@conference_view
def shared_agenda(request: Request, conference: Conference, token: str) -> HttpResponse:
    """The page contains nothing that opens the agenda for changes."""
    theirs = linked_agenda(conference, token)
    if theirs is None:
        return link_not_found(request)
    context = {
        "shared_days": sharing_queries.shared_days(theirs, request.clock),
        "copy_url": reverse("events:shared-copy", args=[conference.slug, token]),
        "changes_url": reverse("events:changes-feed", args=[conference.slug], query={"link": token}),
        "is_mine": find_agenda(request, conference) == theirs,
    }
    return render(request, "events/agenda/shared_agenda.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@clears_storage
@conference_view
def shared_copy(request: Request, conference: Conference, token: str) -> HttpResponse:
    """GET previews, POST bookmarks the same events; events that the visitor removed stay removed."""
    theirs = linked_agenda(conference, token)
    if theirs is None:
        return link_not_found(request)
    mine = find_agenda(request, conference)
    if request.method != "POST":
        context = {"preview": sharing_queries.copy_preview(mine, theirs), "token": token, "is_mine": mine == theirs}
        return render(request, "events/agenda/shared_copy.html", context)
    mine, token_here = get_or_begin_agenda(request, conference)
    count = copy_bookmarks(mine, theirs)
    messages.success(
        request,
        f"{count} new pick{'' if count == 1 else 's'} in your agenda." if count else "You have all of these already.",
    )
    response = redirect("events:agenda-detail", conference.slug)
    remember_visitor(request, response, token_here)
    return response


def linked_agenda(conference: Conference, token: str) -> Agenda | None:
    link = ReadLink.objects.alive(token)
    return link.agenda if link and link.agenda.conference_id == conference.pk else None


def link_not_found(request: Request) -> HttpResponse:
    """The response is the same for a withdrawn and an unknown link."""
    return render(request, "events/agenda/shared_nothing.html", status=404)


@require_safe
@no_store
@conference_view
def together(request: Request, conference: Conference) -> HttpResponse:
    """The links are only in the address: nothing about the group is stored."""
    page = together_page(conference, request.GET, request.clock)
    empty = range(len(page.members) + 1, min(MAX_GROUP_LINKS, max(2, len(page.members) + 1)) + 1)
    context = {"together": page, "empty_places": empty, "at": request.GET.get("at", "") if request.clock.pinned else ""}
    return render(request, "events/agenda/together.html", context)
