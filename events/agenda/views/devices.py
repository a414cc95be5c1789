"""A visitor's devices and personal data: codes, sign-out, export and deletion."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.agenda.devices import forget_visitor, redeem_handover, sign_out_device, sign_out_elsewhere
from events.agenda.forms import HandoverForm
from events.agenda.models.sharing import Handover
from events.agenda.models.visitors import Account, Visitor
from events.agenda.queries import devices as devices_queries
from events.agenda.queries import personal_data as personal_data_queries
from events.agenda.queries.notes import hidden_notes
from events.agenda.visitor import (
    FORMER_COOKIE,
    find_agenda,
    find_visitor,
    forget_visitor_cookies,
    former_token,
    limited_network,
    remember_visitor,
    visitor_token,
)
from events.core import limits
from events.core.graphics import qr_svg
from events.core.tokens import format_code
from events.programme.models.conference import Conference
from events.web.caching import NO_STORE_CACHE_CONTROL, clears_storage, no_store, noindex, read_only
from events.web.request import (
    ATTENDANCE_COOKIE,
    DISMISSED_COOKIE,
    PROPOSALS_COOKIE,
    START_COOKIE,
    WALKING_COOKIE,
    ZONE_COOKIE,
    Request,
    conference_view,
    remember,
    retry_after,
)
from events.web.secret_cookies import remember_secret, secret_cookie_name


@read_only
@noindex
@conference_view
def data_export(request: Request, conference: Conference) -> HttpResponse:
    """Includes every conference of this site, because one cookie serves all."""
    data = personal_data_queries.personal_data(find_visitor(request))
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": 'attachment; filename="hallway-my-data.json"', "Cache-Control": NO_STORE_CACHE_CONTROL}
    return HttpResponse(f"{text}\n", content_type="application/json", headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@noindex
@clears_storage
@conference_view
def forget_me(request: Request, conference: Conference) -> HttpResponse:
    if request.method != "POST":
        stored = personal_data_queries.stored_counts(find_visitor(request))
        context = {"stored": stored, "has_choices": has_choices(request), "has_former": bool(former_token(request))}
        response = render(request, "events/agenda/forget_me.html", context)
        response["Cache-Control"] = NO_STORE_CACHE_CONTROL
        return response
    forget_visitor(visitor_token(request))
    messages.success(request, "Your data was deleted. We hold no data about you any more.")
    response = redirect(conference)
    forget_visitor_cookies(request, response)
    remember(response, ZONE_COOKIE, "")
    for name in CHOICE_COOKIES:
        remember(response, name, "", path=conference.get_absolute_url())
    remember_secret(request, response, PROPOSALS_COOKIE, "", http_path=conference.get_absolute_url())
    return response


CHOICE_COOKIES = (START_COOKIE, WALKING_COOKIE, ATTENDANCE_COOKIE, DISMISSED_COOKIE)


def has_choices(request: Request) -> bool:
    """Whether this browser remembers choices, addresses of proposals, or an agenda that was put aside."""
    names = (ZONE_COOKIE, *CHOICE_COOKIES, PROPOSALS_COOKIE, *map(secret_cookie_name, (PROPOSALS_COOKIE, FORMER_COOKIE)))
    return any(request.COOKIES.get(name) for name in names)


UNKNOWN_CODE_MESSAGE = "That code is not valid. A code works once, for ten minutes: make a new one on the other device."
TOO_MANY_WRONG_CODES_MESSAGE = (
    "That code is not valid, and many wrong ones came from here within an hour. A new one from the other device works at once."
)


@require_safe
@no_store
@conference_view
def device_list(request: Request, conference: Conference) -> HttpResponse:
    visitor = find_visitor(request)
    context = {
        "has_agendas": devices_queries.has_agendas(visitor),
        "devices": devices_queries.devices_of(visitor, visitor_token(request)),
        "hidden_notes": hidden_notes(find_agenda(request, conference)),
    }
    return render(request, "events/agenda/devices.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@conference_view
@sensitive_variables("code")
def handover_code(request: Request, conference: Conference) -> HttpResponse:
    """The code is only in the answer to a form, since the database stores its hash. Whoever comes back begins anew."""
    if request.method != "POST":
        return redirect("events:devices", conference.slug)
    visitor = find_visitor(request)
    if visitor is None or not devices_queries.has_agendas(visitor):
        return render(request, "events/agenda/devices.html", {"has_agendas": False})
    if not limits.DEVICE_CODES.allows(visitor=str(visitor.pk)):
        context = {"has_agendas": True, "problem": "There were too many codes in an hour. Please wait before you make another."}
        return retry_after(render(request, "events/agenda/devices.html", context, status=429), limits.DEVICE_CODES.within)
    code = Handover.begin(visitor)
    url = settings.SITE_URL + reverse("events:take-code", args=[conference.slug, format_code(code)])
    context = {
        "code": format_code(code),
        "take_url": settings.SITE_URL + reverse("events:take", args=[conference.slug]),
        "qr": f"data:image/svg+xml;base64,{b64encode(qr_svg(url)).decode()}",
    }
    return render(request, "events/agenda/handover_code.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@clears_storage
@conference_view
@sensitive_variables("code", "form")
def handover_redeem(request: Request, conference: Conference, code: str = "") -> HttpResponse:
    """GET shows the form without testing the code: only POST is tested, because each guess is counted."""
    if request.method != "POST":
        return render_handover_form(request, HandoverForm(initial={"code": code[:20]}))
    form = HandoverForm(request.POST)
    if not form.is_valid():
        return render_handover_form(request, form, status=422)
    there = Handover.find_visitor(form.cleaned_data["code"])
    if there is None or not devices_queries.has_agendas(there):
        return reject_code(request, form)
    return take_over_agenda(request, conference, form) if form.cleaned_data["how"] else preview_handover(request, form, there)


def render_handover_form(request: Request, form: HandoverForm, **answer: Any) -> HttpResponse:
    return render(request, "events/agenda/take.html", {"form": form}, **answer)


def reject_code(request: Request, form: HandoverForm) -> HttpResponse:
    """The message is the same for an unknown, a used and an expired code."""
    if limits.WRONG_DEVICE_CODES.allows(visitor=visitor_token(request) or None, network=limited_network(request)):
        form.add_error("code", UNKNOWN_CODE_MESSAGE)
        return render_handover_form(request, form, status=422)
    form.add_error("code", TOO_MANY_WRONG_CODES_MESSAGE)
    return retry_after(render_handover_form(request, form, status=429), limits.WRONG_DEVICE_CODES.within)


def preview_handover(request: Request, form: HandoverForm, there: Visitor) -> HttpResponse:
    here = find_visitor(request)
    meetings = devices_queries.agenda_comparisons(here, there)
    context = {
        "code": format_code(form.cleaned_data["code"]),
        "is_same": here == there,
        "has_own": devices_queries.has_agendas(here),
        "meetings": meetings,
        "picks_here": sum(it.here for it in meetings),
        # A planted cookie may belong to somebody else's account.
        "account": Account.objects.for_token(visitor_token(request)),
    }
    return render(request, "events/agenda/take_preview.html", context)


@sensitive_variables("token")
def take_over_agenda(request: Request, conference: Conference, form: HandoverForm) -> HttpResponse:
    replace = form.cleaned_data["how"] == "replace"
    token = redeem_handover(form.cleaned_data["code"], visitor_token(request), replace=replace)
    if not token:
        return reject_code(request, form)
    messages.success(request, "Your agenda is now on this device too. Changes here show on the other device.")
    response = redirect("events:agenda-detail", conference.slug)
    remember_visitor(request, response, token)
    return response


@require_POST
@noindex
@conference_view
def others_sign_out(request: Request, conference: Conference) -> HttpResponse:
    response = redirect("events:devices", conference.slug)
    if devices_queries.has_agendas(find_visitor(request)) and (token := sign_out_elsewhere(visitor_token(request))):
        remember_visitor(request, response, token)
        messages.success(
            request, "Your agenda is only on this device now. The calendar link has changed: please subscribe again."
        )
    return response


@require_POST
@noindex
@conference_view
def device_sign_out(request: Request, conference: Conference) -> HttpResponse:
    if sign_out_device(visitor_token(request), request.POST.get("device", "")):
        messages.success(request, "That device is signed out. Links and calendar addresses it knows still work.")
    return redirect("events:devices", conference.slug)
