"""Pages and forms of an event's sign-up list, for visitors and for its host."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec
from uuid import UUID

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from events.agenda.forms import STATE_CHOICES
from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import BookmarkState
from events.agenda.models.counting import KNOWN_VISITOR_AGE
from events.agenda.queries.conflicts import conflicts_with_bookmarks
from events.agenda.visitor import find_agenda, get_or_begin_agenda, is_known, limited_network, remember_visitor
from events.core import limits
from events.core.clock import not_after_now
from events.core.db.fields import plain_text
from events.core.languages import isolated
from events.core.parsing.cells import escape_formula
from events.programme.display import BookmarkButton
from events.programme.models.conference import Conference
from events.sign_up import queries
from events.sign_up.models import SignUp, SignUpRefusedError, acknowledge_seat
from events.web.caching import no_store
from events.web.request import Request, conference_view, csrf_by_origin, needs_of, network_of, next_url, retry_after
from events.web.toasts import Undo, add_toast


class SignUpForm(forms.Form):
    """The wanted state, and the name on the host's list."""

    on = forms.TypedChoiceField(choices=[("1", "a place"), ("0", "none")], coerce=lambda value: value == "1")
    # The page that was shown offered a place.
    expects_place = forms.BooleanField(required=False)
    # The state of the bookmark before signing up, to undo that.
    undo = forms.ChoiceField(choices=STATE_CHOICES, required=False)
    name = forms.CharField(
        max_length=60,
        required=False,
        validators=[plain_text],
        error_messages={"max_length": "The name has %(show_value)d characters; at most 60 are allowed."},
    )

    @property
    def wanted_name(self) -> str | None:
        """None, without the field, leaves the name unchanged."""
        return " ".join(str(self.cleaned_data["name"]).split()) if "name" in self.data else None

    @property
    def button_problem(self) -> str:
        """What is wrong with what the buttons send; the name, a field of the page, has its own errors."""
        if "on" in self.errors:
            return f"“{str(self.data.get('on', ''))[:40]}” is neither yes nor no. Please use the buttons."
        return "" if self.errors.keys() == {"name"} else "Something went wrong. Please use the buttons."


TOO_MANY_SEATS_MESSAGE = "You did not get a place: too many were taken from this network. Try again in an hour."
AGENDA_TOO_NEW_MESSAGE = (
    "You did not get a place: too many new visitors came from this network. Bookmark the event and try again in 15 minutes."
)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def sign_up_detail(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """POST sets ``on=1`` or ``on=0``, and with ``name`` the name on the host's list."""
    sign_up = queries.public_sign_up(conference, guid)
    if sign_up is None:
        raise Http404
    sign_up.event.conference = conference
    if request.method != "POST":
        return render_sign_up(request, sign_up)
    form = SignUpForm(request.POST)
    if not form.is_valid():
        problem = form.button_problem
        return render_sign_up(request, sign_up, problem, form=None if problem else form, status=422)
    return take_seat(request, sign_up, form) if form.cleaned_data["on"] else give_up_seat(request, sign_up, form)


def render_sign_up(
    request: Request, sign_up: SignUp, problem: str = "", *, form: SignUpForm | None = None, status: int = 200
) -> HttpResponse:
    agenda = find_agenda(request, sign_up.event.conference)
    page = queries.sign_up_page(sign_up, agenda, request.clock)
    context = {
        "sign_up_list": page,
        "event": sign_up.event,
        "problem": problem,
        "form": form or SignUpForm(),
        "typed": request.POST.get("name", "")[:60],
        "conflicts": conflicts_with_bookmarks(sign_up.event, agenda, request.clock, needs_of(request)),
        "next": next_url(request, ""),
    }
    return render(request, "events/sign_up/sign_up_detail.html", context, status=status)


def take_seat(request: Request, sign_up: SignUp, form: SignUpForm) -> HttpResponse:
    conference = sign_up.event.conference
    if refusal := seat_limit_message(request, sign_up, find_agenda(request, conference)):
        return retry_after(
            reject_sign_up(request, sign_up, refusal, status=429),
            KNOWN_VISITOR_AGE if refusal == AGENDA_TOO_NEW_MESSAGE else limits.SEATS.within,
        )
    agenda, token = get_or_begin_agenda(request, conference)
    is_new, before = not sign_up.has_seat_of(agenda), agenda.bookmark_state(sign_up.event)
    try:
        sign_up.join(agenda, form.wanted_name)
    except SignUpRefusedError as error:
        response = reject_sign_up(request, sign_up, str(error), status=409)
    else:
        undo = Undo(request.path, {"on": "0", "undo": str(before)}) if is_new else None
        response = seat_response(request, sign_up, agenda, undo, expected=form.cleaned_data["expects_place"])
    remember_visitor(request, response, token)
    return response


def give_up_seat(request: Request, sign_up: SignUp, form: SignUpForm) -> HttpResponse:
    """Without Undo: the next one who waits has the place."""
    agenda, former = find_agenda(request, sign_up.event.conference), form.cleaned_data["undo"]
    waited = agenda is not None and queries.is_waiting(sign_up, agenda)
    if agenda is not None:
        sign_up.leave(agenda)
        if former:
            agenda.restore({sign_up.event: BookmarkState.read(former)})
    return seat_response(request, sign_up, agenda, waited=waited)


def seat_limit_message(request: Request, sign_up: SignUp, agenda: Agenda | None) -> str:
    """Count this attempt, and return the message if it is one too many. A visitor with a seat only changes its name."""
    if agenda is not None and sign_up.has_seat_of(agenda):
        return ""
    if not limits.SEATS.allows(network=limited_network(request)):
        return TOO_MANY_SEATS_MESSAGE
    if is_known(request):
        return ""
    network = network_of(request)
    few = limits.NEWCOMER_SEATS.allows(newcomers=network)
    few &= limits.NEWCOMER_SEATS_OF_A_LIST.allows(newcomers=f"{sign_up.pk} {network}")
    return "" if few else AGENDA_TOO_NEW_MESSAGE


def reject_sign_up(request: Request, sign_up: SignUp, problem: str, *, status: int) -> HttpResponse:
    # htmx swaps no response with an error status: its fragment has the message and status 200.
    sign_up = queries.public_sign_up(sign_up.event.conference, sign_up.event.guid) or sign_up
    if not request.htmx:
        return render_sign_up(request, sign_up, problem, status=status)
    return sign_up_fragment(request, sign_up, find_agenda(request, sign_up.event.conference), problem)


def seat_response(
    request: Request,
    sign_up: SignUp,
    agenda: Agenda | None,
    undo: Undo | None = None,
    *,
    expected: bool = False,
    waited: bool = False,
) -> HttpResponse:
    """``waited``: who has no seat was on the waiting list."""
    sign_up = queries.public_sign_up(sign_up.event.conference, sign_up.event.guid) or sign_up
    page = queries.sign_up_page(sign_up, agenda, request.clock)
    left = "left the waiting list of" if waited else "gave up your place at"
    title = isolated(sign_up.event.title)
    sentence = f"{page.mine_text}: {title}." if page.mine else f"You {left} {title}."
    if expected and page.mine and not page.mine.is_taken:
        # The page was shown before somebody else took the last place.
        sentence = f"Just taken: {page.mine_text[0].lower()}{page.mine_text[1:]}."
    if request.htmx and request.htmx.target != "main":
        return sign_up_fragment(request, sign_up, agenda, sentence, undo)
    lines = conflicts_with_bookmarks(sign_up.event, agenda, request.clock, needs_of(request)) if page.mine else []
    sentences = [sentence, *(line.message for line in lines)]
    add_toast(request, " ".join(sentences), undo, stays=bool(lines))
    return redirect(next_url(request, f"{sign_up.event.get_absolute_url()}#sign-up"))


def sign_up_fragment(
    request: Request, sign_up: SignUp, agenda: Agenda | None, sentence: str, undo: Undo | None = None
) -> HttpResponse:
    level = agenda.levels().get(sign_up.event_id, "") if agenda else ""
    context = {
        "sign_up_list": queries.sign_up_page(sign_up, agenda, request.clock),
        "event": sign_up.event,
        "card": BookmarkButton(sign_up.event, bookmarked=bool(level)),
        "level": level,
        "sentence": sentence,
        "undo": undo,
        "shown_event": sign_up.event,
        "conflicts": conflicts_with_bookmarks(sign_up.event, agenda, request.clock, needs_of(request)) if level else [],
    }
    return render(request, "events/sign_up/_sign_up.html", context)


@csrf_by_origin
@require_http_methods(["GET", "HEAD", "POST"])
@conference_view
def seat_seen(request: Request, conference: Conference, guid: UUID) -> HttpResponse:
    """POST acknowledges a seat. GET redirects to the page of the list, whose forms have the CSRF token."""
    if request.method != "POST":
        return redirect("events:sign-up", conference.slug, guid)
    sign_up, agenda = queries.public_sign_up(conference, guid), find_agenda(request, conference)
    if sign_up is None:
        raise Http404
    if agenda is not None:
        acknowledge_seat(agenda, sign_up.event)
    return redirect(next_url(request, reverse("events:agenda-detail", args=[conference.slug])))


P = ParamSpec("P")


def no_referrer(view: Callable[P, HttpResponse]) -> Callable[P, HttpResponse]:
    """``no_store``, and no referrer even to this site: the address is a secret, and no form here needs an origin."""

    @wraps(view)
    def without_referrer(*args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        response = no_store(view)(*args, **kwargs)
        response["Referrer-Policy"] = "no-referrer"
        return response

    return without_referrer


@require_safe
@no_referrer
@conference_view
def host_list(request: Request, conference: Conference, token: str) -> HttpResponse:
    sign_up = sign_up_or_404(conference, token)
    context = {
        "event": sign_up.event,
        "sign_up": sign_up,
        "seats": queries.host_list(sign_up),
        "token": token,
        "as_of": not_after_now(request.clock).now,
    }
    return render(request, "events/sign_up/sign_up_list.html", context)


@require_safe
@no_referrer
@conference_view
def host_table(request: Request, conference: Conference, token: str) -> HttpResponse:
    sign_up = sign_up_or_404(conference, token)
    response = HttpResponse("\ufeff", content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(sign_up.event.title)[:60] or "list"}.csv"'
    writer = csv.writer(response)
    writer.writerows([escape_formula(cell) for cell in row] for row in queries.host_cells(queries.host_list(sign_up)))
    return response


def sign_up_or_404(conference: Conference, token: str) -> SignUp:
    """Raise the same 404 for a revoked token, an unknown one, and one of another conference."""
    sign_up = SignUp.objects.by_host(token)
    if sign_up is None or sign_up.event.conference_id != conference.pk:
        raise Http404
    sign_up.event.conference = conference
    return sign_up
