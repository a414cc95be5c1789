"""The account of somebody who wanted one: agendas of all editions, mail on or off, out, and gone."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.forms import DigestsForm
from events.http import VISITOR_COOKIE, Request, remember, visitor_token
from events.mail.digests import account_of
from events.models import Account
from events.models.devices import forget, sign_out_everywhere
from events.models.devices import sign_out as end_access
from events.queries.account import own_agendas
from events.views.calendar_answers import unstored


@require_safe
@unstored
def account(request: Request) -> HttpResponse:
    own = Account.objects.of(visitor_token(request))
    if own is None:
        return redirect("events:sign-in")
    context = {"account": own, "agendas": own_agendas(own)}
    return render(request, "account/account_detail.html", context)


@require_POST
@unstored
def digests(request: Request) -> HttpResponse:
    """Mail about changes, on or off."""
    own, form = Account.objects.of(visitor_token(request)), DigestsForm(request.POST)
    if own is not None and form.is_valid():
        own.want_digests(on=form.cleaned_data["on"])
        messages.success(request, "Changes will be mailed." if form.cleaned_data["on"] else "No more mail about changes.")
    return redirect("events:account")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@unstored
def digests_off(request: Request, word: str) -> HttpResponse:
    """Out of a mail, by whoever has it, signed in or not (RFC 8058): GET asks, POST does it. The worst it can do is no mail."""
    own = account_of(word)
    if own is None:
        raise Http404
    if request.method == "POST":
        own.want_digests(on=False)
    return render(request, "account/digests_off.html", {"done": request.method == "POST", "word": word})


@require_POST
@unstored
def sign_out(request: Request) -> HttpResponse:
    """The access of this browser ends; ``everywhere`` that of all others too."""
    token = visitor_token(request)
    own = Account.objects.of(token)
    if own is None:
        return redirect("events:sign-in")
    if request.POST.get("everywhere"):
        sign_out_everywhere(token)
        messages.success(request, "You are out, in every browser. Calendars and shared links of yours ended too.")
    else:
        end_access(token)
        messages.success(request, "You are out. Your agenda waits in your account.")
    response = redirect("events:conference-list")
    remember(response, VISITOR_COOKIE, "")
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
def account_delete(request: Request) -> HttpResponse:
    """Ask first; POST deletes the account and every agenda in it."""
    token = visitor_token(request)
    own = Account.objects.of(token)
    if own is None:
        return redirect("events:sign-in")
    if request.method != "POST":
        context = {"account": own, "agendas": own_agendas(own)}
        return render(request, "account/delete.html", context)
    forget(token)
    messages.success(request, "Deleted: your account, its mail address, and every agenda in it.")
    response = redirect("events:conference-list")
    remember(response, VISITOR_COOKIE, "")
    return response
