"""Addresses at which others read an agenda: given out, opened, taken back."""

from __future__ import annotations

import re
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.forms import ReadLinkForm
from events.http import VISITOR_COOKIE, Request, find_agenda, get_or_begin_agenda, in_conference, remember
from events.models import Agenda, Conference, ReadLink
from events.models.merging import copy_picks
from events.queries import shared_agenda as queries
from events.views.calendar_answers import UNSTORED, own_agenda, unlisted

SERIAL = re.compile(r"[0-9]{1,9}", re.ASCII)


@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
@in_conference
def link_list(request: Request, conference: Conference) -> HttpResponse:
    """The addresses given out, and one more."""
    agenda = own_agenda(request, conference)
    if request.method != "POST":
        return link_page(request, agenda, ReadLinkForm())
    form = ReadLinkForm(request.POST)
    if agenda is None:
        return redirect("events:sharing", conference.slug)
    if not form.is_valid():
        return link_page(request, agenda, form, status=422)
    if ReadLink.begin(agenda, form.cleaned_data["label"]) is None:
        form.add_error("label", "Twenty links are as many as there can be: take one back first.")
        return link_page(request, agenda, form, status=422)
    messages.success(request, "A new link. Whoever has it can read your agenda, and change nothing.")
    return redirect("events:sharing", conference.slug)


def link_page(request: Request, agenda: Agenda | None, form: ReadLinkForm, status: int = 200) -> HttpResponse:
    context = {"has_agenda": agenda is not None, "rows": rows_of(agenda) if agenda else [], "form": form}
    return unstored(render(request, "events/sharing.html", context, status=status))


def rows_of(agenda: Agenda) -> list[dict[str, Any]]:
    """The links that still open; without an address where SECRET_KEY does not give it again."""
    links = agenda.read_links.filter(revoked_at=None)
    return [{"link": link, "url": address_of(agenda, token) if (token := link.token) else ""} for link in links]


def address_of(agenda: Agenda, token: str) -> str:
    return f"{settings.SITE_URL}{reverse('events:shared-agenda', args=[agenda.conference.slug, token])}"


@require_POST
@unlisted
@in_conference
def link_take_back(request: Request, conference: Conference) -> HttpResponse:
    agenda, serial = own_agenda(request, conference), request.POST.get("serial", "")
    if agenda is not None and SERIAL.fullmatch(serial) and agenda.read_links.filter(serial=serial).take_back():
        messages.success(request, "Taken back. Who opens the link from now on sees nothing of yours.")
    return redirect("events:sharing", conference.slug)


@require_safe
@unlisted
@in_conference
def shared_agenda(request: Request, conference: Conference, token: str) -> HttpResponse:
    """Somebody's agenda to read; nothing on the page knows the address of who may change it."""
    theirs = agenda_of(conference, token)
    if theirs is None:
        return nothing_shared(request)
    context = {
        "shared_days": queries.shared_days(theirs, request.clock),
        "copy_url": reverse("events:shared-copy", args=[conference.slug, token]),
        "changes_url": reverse("events:changes-feed", args=[conference.slug], query={"link": token}),
        "is_mine": find_agenda(request, conference) == theirs,
    }
    return unstored(render(request, "events/shared_agenda.html", context))


@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
@in_conference
def shared_copy(request: Request, conference: Conference, token: str) -> HttpResponse:
    """GET says what it would do, POST picks the same for oneself; what one took out stays out."""
    theirs = agenda_of(conference, token)
    if theirs is None:
        return nothing_shared(request)
    mine = find_agenda(request, conference)
    if request.method != "POST":
        context = {"told": queries.copy_preview(mine, theirs), "token": token, "is_mine": mine == theirs}
        return unstored(render(request, "events/shared_copy.html", context))
    mine, token_here = get_or_begin_agenda(request, conference)
    count = copy_picks(mine, theirs)
    messages.success(
        request, f"{count} new pick{'' if count == 1 else 's'} in your agenda." if count else "You have it all already."
    )
    response = redirect("events:agenda-detail", conference.slug)
    remember(response, VISITOR_COOKIE, token_here)
    return response


def agenda_of(conference: Conference, token: str) -> Agenda | None:
    """Whose link this is, at this conference."""
    link = ReadLink.objects.alive(token)
    return link.agenda if link and link.agenda.conference_id == conference.pk else None


def nothing_shared(request: Request) -> HttpResponse:
    """The same for a link that was taken back and for one that never was."""
    return unstored(render(request, "events/shared_nothing.html", status=404))


def unstored(response: HttpResponse) -> HttpResponse:
    """A link that is taken back shows nothing from then on, also not what a browser kept."""
    response["Cache-Control"] = UNSTORED
    return response
