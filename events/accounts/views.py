"""The pages of an account: signing in and out, the agendas of all conferences, digests, deletion."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from events.accounts.forms import DigestsForm, MailboxForm, SignInCodeForm
from events.accounts.mail import ALERTS_OFF_SIGNER, unsign_account
from events.accounts.queries import account_agendas, bookmark_count
from events.accounts.sign_in import ClosedAccountError, MailedCode, sign_in_by_mail
from events.agenda.devices import forget_visitor, sign_out_everywhere
from events.agenda.devices import sign_out as end_access
from events.agenda.models.visitors import Account, Visitor
from events.agenda.visitor import (
    find_visitor,
    former_token,
    give_visitor_back,
    limited_network,
    put_visitor_aside,
    remember_visitor,
    visitor_token,
)
from events.core import limits
from events.web.caching import clears_storage, no_store
from events.web.request import Request, retry_after


@require_safe
@no_store
def account_detail(request: Request) -> HttpResponse:
    account = Account.objects.for_token(visitor_token(request))
    if account is None:
        return redirect("events:sign-in")
    context = {"account": account, "agendas": account_agendas(account), "has_former": bool(former_token(request))}
    return render(request, "account/account_detail.html", context)


@require_POST
@no_store
def digests_set(request: Request) -> HttpResponse:
    account, form = Account.objects.for_token(visitor_token(request)), DigestsForm(request.POST)
    if account is not None and form.is_valid():
        for message in set_mail(account, form):
            messages.success(request, message)
    return redirect("events:account")


def set_mail(account: Account, form: DigestsForm) -> list[str]:
    """Set what was sent; return a sentence about each."""
    on, alerts = form.cleaned_data["on"], form.cleaned_data["alerts"]
    sentences = []
    if on is not None:
        account.set_digests(on=on)
        sentences.append("You will get changes by mail." if on else "You will get no more daily mail about changes.")
    if alerts is not None:
        account.set_alerts(on=alerts)
        sentences.append(
            "You will get a mail at once when a pick moves or is cancelled within three hours of its start."
            if alerts
            else "You will get no more mail at once."
        )
    return sentences


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def digests_off(request: Request, word: str) -> HttpResponse:
    """Linked from a mail and open to whoever has it (RFC 8058): GET asks, POST does it. It can only stop mail."""
    account, alerts = unsign_account(word), False
    if account is None:
        account, alerts = unsign_account(word, ALERTS_OFF_SIGNER), True
    if account is None:
        raise Http404
    if request.method == "POST":
        stop = account.set_alerts if alerts else account.set_digests
        stop(on=False)
    return render(request, "account/digests_off.html", {"done": request.method == "POST", "word": word, "alerts": alerts})


@require_POST
@no_store
@clears_storage
def sign_out(request: Request) -> HttpResponse:
    token = visitor_token(request)
    account = Account.objects.for_token(token)
    if account is None:
        return leave_account(request, "You are signed out.") if may_give_back(request) else redirect("events:sign-in")
    if request.POST.get("everywhere"):
        sign_out_everywhere(token)
        return leave_account(request, "You are signed out in every browser. Your calendar links and shared links have ended too.")
    end_access(token)
    return leave_account(request, "You are signed out. Your agenda stays in your account.")


def may_give_back(request: Request) -> bool:
    """Whether the account was signed out elsewhere, and the agenda of before was put aside in this browser."""
    return bool(former_token(request)) and find_visitor(request) is None


def leave_account(request: Request, sentence: str) -> HttpResponse:
    response = redirect("events:conference-list")
    is_back = give_visitor_back(request, response)
    messages.success(
        request, f"{sentence} This browser has the agenda again that it had before you signed in." if is_back else sentence
    )
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@clears_storage
def account_delete(request: Request) -> HttpResponse:
    token = visitor_token(request)
    account = Account.objects.for_token(token)
    if account is None:
        return redirect("events:sign-in")
    if request.method != "POST":
        context = {"account": account, "agendas": account_agendas(account)}
        return render(request, "account/delete.html", context)
    forget_visitor(token)
    return leave_account(request, "Your account was deleted, with its mail address and all its agendas.")


TOO_MANY_MAILED_CODES_MESSAGE = "Too many codes this hour. Please wait, or use the newest code you have."
CODE_EXPIRED_MESSAGE = (
    "That code has expired. A code works once, for ten minutes and five tries, in the browser that asked for it."
)
LAST_TRY_MESSAGE = "That is not the code, and that was the last try. Use “Send another code” below."
ORGANISER_MAILBOX_MESSAGE = "This mailbox belongs to an organiser. Please sign in at the organisers' site."


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def sign_in(request: Request) -> HttpResponse:
    """GET asks for a mailbox; POST mails a code. Every mailbox gets the same answer, because none is looked up."""
    form = MailboxForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return send_code(request, form.cleaned_data["mailbox"], form)
    if Account.objects.for_token(visitor_token(request)):
        return redirect("events:account")
    return render_sign_in(request, form, status=422 if form.errors else 200)


def render_sign_in(request: Request, form: MailboxForm, problem: str = "", *, status: int = 200) -> HttpResponse:
    context = {"mailbox": str(form.data.get("mailbox", ""))[:254], "form": form, "problem": problem}
    context["may_give_back"] = may_give_back(request)
    return render(request, "account/sign_in.html", context, status=status)


def send_code(request: Request, mailbox: str, form: MailboxForm) -> HttpResponse:
    if not may_send_code(request, mailbox):
        return retry_after(render_sign_in(request, form, TOO_MANY_MAILED_CODES_MESSAGE, status=429), limits.SIGN_IN_CODES.within)
    MailedCode.begin(request, mailbox)
    return redirect("events:account-code")


def may_send_code(request: Request, mailbox: str) -> bool:
    browser = request.META.get("CSRF_COOKIE")
    return limits.SIGN_IN_CODES.allows(visitor=browser, mailbox=limits.mailbox_key(mailbox), network=limited_network(request))


@require_POST
@no_store
def code_resend(request: Request) -> HttpResponse:
    code = MailedCode.pending(request)
    if code is None:
        return reject_expired_code(request)
    messages.success(request, "A new code is on its way. The earlier code no longer works.")
    return send_code(request, code.mailbox, MailboxForm({"mailbox": code.mailbox}))


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
@clears_storage
def code_enter(request: Request) -> HttpResponse:
    waiting = MailedCode.pending(request)
    if waiting is None:
        return reject_expired_code(request) if request.method == "POST" else redirect("events:sign-in")
    if request.method != "POST":
        return render_code_form(request, waiting, SignInCodeForm())
    form = SignInCodeForm(request.POST)
    if not form.is_valid():
        return render_code_form(request, waiting, form, status=422)
    if not waiting.may_be_tried():
        MailedCode.end(request)
        return reject_expired_code(request)
    if not waiting.is_right(form.cleaned_data["code"]):
        form.add_error("code", wrong_code_message(waiting.tries_left))
        return render_code_form(request, waiting, form, status=422)
    MailedCode.end(request)
    return finish_sign_in(request, waiting.mailbox, take=form.cleaned_data["take"])


def wrong_code_message(left: int) -> str:
    if not left:
        return LAST_TRY_MESSAGE
    tries = "1 try" if left == 1 else f"{left} tries"
    return f"That is not the code: {tries} left. Check the newest mail; capitals and dashes do not matter."


def render_code_form(request: Request, waiting: MailedCode, form: SignInCodeForm, *, status: int = 200) -> HttpResponse:
    token = visitor_token(request)
    bookmarks = 0 if Account.objects.for_token(token) else bookmark_count(token)
    context = {"mailbox": waiting.mailbox, "minutes": waiting.minutes_left, "form": form, "bookmark_count": bookmarks}
    return render(request, "account/code.html", context, status=status)


def reject_expired_code(request: Request) -> HttpResponse:
    """The message is the same for an unknown, used, expired and foreign code."""
    if Account.objects.for_token(visitor_token(request)):
        return redirect("events:account")
    return render_sign_in(request, MailboxForm(), CODE_EXPIRED_MESSAGE, status=422)


def finish_sign_in(request: Request, mailbox: str, *, take: bool) -> HttpResponse:
    """The browser gets an access token of the account, and no session: the admin and cached pages know nothing of accounts."""
    browser_token = visitor_token(request) if take else ""
    try:
        token = sign_in_by_mail(mailbox, browser_token)
    except ClosedAccountError:
        return render_sign_in(request, MailboxForm(), ORGANISER_MAILBOX_MESSAGE, status=422)
    response = redirect("events:account")
    sentence = ""
    if browser_token and Visitor.objects.for_token(browser_token) is None:
        sentence = " Calendars that followed this browser's agenda need its new address."
    elif put_visitor_aside(request, response):
        sentence = " The agenda this browser had is not in your account: it comes back when you sign out here."
    messages.success(request, f"You are signed in.{sentence}")
    remember_visitor(request, response, token)
    return response
