"""Taking an agenda to another device, and the other devices' access away."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.calendars.links import qr_svg
from events.forms import TakeForm
from events.http import VISITOR_COOKIE, Request, find_visitor, in_conference, network_of, remember, retry_after, visitor_token
from events.models import Account, Conference, Handover, Visitor, limits
from events.models.codes import in_groups
from events.models.devices import sign_out_elsewhere, take_over
from events.queries import devices as queries
from events.views.calendar_answers import UNSTORED, unlisted

UNKNOWN = "This code opens nothing. A code works once, for ten minutes: make a new one on the other device."
TOO_MANY = "Too many codes were tried from here. Wait an hour, and type one again."


@require_safe
@unlisted
@in_conference
def device_list(request: Request, conference: Conference) -> HttpResponse:
    return unstored(request, "events/devices.html", {"has_agendas": queries.has_agendas(find_visitor(request))})


@require_POST
@unlisted
@in_conference
@sensitive_variables("code")
def handover_code(request: Request, conference: Conference) -> HttpResponse:
    """The code is in this answer and nowhere else: what is stored knows it again, and cannot show it."""
    visitor = find_visitor(request)
    if visitor is None or not queries.has_agendas(visitor):
        return unstored(request, "events/devices.html", {"has_agendas": False})
    if not limits.DEVICE_CODES.allows(visitor=str(visitor.pk)):
        context = {"has_agendas": True, "problem": "Twenty codes within an hour are enough. Wait a little, and make one more."}
        return retry_after(unstored(request, "events/devices.html", context, status=429), limits.DEVICE_CODES.within)
    code = Handover.begin(visitor)
    url = settings.SITE_URL + reverse("events:take-code", args=[conference.slug, in_groups(code)])
    context = {
        "code": in_groups(code),
        "take_url": settings.SITE_URL + reverse("events:take", args=[conference.slug]),
        "qr": f"data:image/svg+xml;base64,{b64encode(qr_svg(url)).decode()}",
    }
    return unstored(request, "events/handover_code.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@unlisted
@in_conference
@sensitive_variables("code", "form")
def take(request: Request, conference: Conference, code: str = "") -> HttpResponse:
    """GET asks for the code, whatever it is: only what is sent is looked at, so that every guess is counted."""
    if request.method != "POST":
        return ask(request, TakeForm(initial={"code": code[:20]}))
    form = TakeForm(request.POST)
    if not form.is_valid():
        return ask(request, form, status=422)
    if not may_try(request):
        form.add_error("code", TOO_MANY)
        return retry_after(ask(request, form, status=429), limits.WRONG_DEVICE_CODES.within)
    there = Handover.look(form.cleaned_data["code"])
    if there is None or not queries.has_agendas(there):
        return unknown(request, form)
    return join(request, conference, form) if form.cleaned_data["how"] else preview(request, form, there)


def may_try(request: Request) -> bool:
    allowed = limits.DEVICE_CODE_TRIES.allows(visitor=visitor_token(request) or None, network=network_of(request))
    return allowed and not limits.WRONG_DEVICE_CODES.is_reached(in_all="")


def ask(request: Request, form: TakeForm, **answer: Any) -> HttpResponse:
    return unstored(request, "events/take.html", {"form": form}, **answer)


def unknown(request: Request, form: TakeForm) -> HttpResponse:
    """In the same words whether it never was, was used or is too old."""
    limits.WRONG_DEVICE_CODES.allows(in_all="")
    form.add_error("code", UNKNOWN)
    return ask(request, form, status=422)


def preview(request: Request, form: TakeForm, there: Visitor) -> HttpResponse:
    """What would happen, before anything does."""
    here = find_visitor(request)
    context = {
        "code": in_groups(form.cleaned_data["code"]),
        "is_same": here == there,
        "has_own": queries.has_agendas(here),
        "meetings": queries.meetings(here, there),
        # Whoever planted a cookie here may have an account on it.
        "account": Account.objects.of(visitor_token(request)),
    }
    return unstored(request, "events/take_preview.html", context)


@sensitive_variables("token")
def join(request: Request, conference: Conference, form: TakeForm) -> HttpResponse:
    replace = form.cleaned_data["how"] == "replace"
    token = take_over(form.cleaned_data["code"], visitor_token(request), replace=replace)
    if not token:
        return unknown(request, form)
    messages.success(request, "This is your agenda, on this device too. What you change here shows there.")
    response = redirect("events:agenda-detail", conference.slug)
    remember(response, VISITOR_COOKIE, token)
    return response


@require_POST
@unlisted
@in_conference
def others_sign_out(request: Request, conference: Conference) -> HttpResponse:
    response = redirect("events:devices", conference.slug)
    if queries.has_agendas(find_visitor(request)):
        remember(response, VISITOR_COOKIE, sign_out_elsewhere(visitor_token(request)))
        messages.success(request, "Only this device has your agenda now. Your calendar has a new address: subscribe again.")
    return response


def unstored(request: Request, template: str, context: dict[str, Any], **answer: Any) -> HttpResponse:
    """A page with a secret on it is not kept, not even for the way back."""
    response = render(request, template, context, status=answer.pop("status", 200))
    for name, value in answer.pop("headers", {}).items():
        response[name] = value
    response["Cache-Control"] = UNSTORED
    return response
