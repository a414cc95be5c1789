"""To one's account by a code that is mailed: one way in for those who have an account and for those who have none yet."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from events.forms import CodeForm, MailboxForm
from events.http import VISITOR_COOKIE, Request, network_of, remember, retry_after, visitor_token
from events.mail.codes import MailedCode
from events.models import Account, Visitor, limits
from events.models.claiming import ClosedAccountError, claim
from events.queries.account import picks_held
from events.views.calendar_answers import unstored

TOO_MANY = "That were too many codes in an hour. Wait for the next hour, or use the newest you have."
GONE = "That code is over: it lives for ten minutes, works once, in the browser that asked for it, and bears five tries."
WRONG = "That is not the code. Look into the newest mail; capitals and dashes do not matter."
ORGANISER = "This mailbox belongs to an organiser's account, which no code opens: sign in where organisers do."


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
def sign_in(request: Request) -> HttpResponse:
    """Ask for a mailbox; POST mails a code to it. Every mailbox is answered alike, because none is looked up."""
    form = MailboxForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return send_code(request, form.cleaned_data["mailbox"], form)
    if Account.objects.of(visitor_token(request)):
        return redirect("events:account")
    return asked(request, form, status=422 if form.errors else 200)


def asked(request: Request, form: MailboxForm, problem: str = "", *, status: int = 200) -> HttpResponse:
    error = problem or next((it[0] for it in form.errors.values()), "")
    context = {"mailbox": str(form.data.get("mailbox", ""))[:254], "problem": error}
    return render(request, "account/sign_in.html", context, status=status)


def send_code(request: Request, mailbox: str, form: MailboxForm) -> HttpResponse:
    if not may_send(request, mailbox):
        return retry_after(asked(request, form, TOO_MANY, status=429), limits.SIGN_IN_CODES.within)
    MailedCode.begin(request, mailbox)
    return redirect("events:account-code")


def may_send(request: HttpRequest, mailbox: str) -> bool:
    browser = request.META.get("CSRF_COOKIE")
    return limits.SIGN_IN_CODES.allows(visitor=browser, mailbox=limits.mailbox_key(mailbox), network=network_of(request))


@require_POST
@unstored
def code_again(request: Request) -> HttpResponse:
    """Another code to the same mailbox; the one before it is worth nothing then."""
    code = MailedCode.pending(request)
    if code is None:
        return over(request)
    messages.success(request, "A new code is on its way. The one before it is worth nothing now.")
    return send_code(request, code.mailbox, MailboxForm({"mailbox": code.mailbox}))


@require_http_methods(["GET", "HEAD", "POST"])
@unstored
def code(request: Request) -> HttpResponse:
    """Ask for the code that was mailed; POST enters by it."""
    waiting = MailedCode.pending(request)
    if waiting is None:
        return over(request) if request.method == "POST" else redirect("events:sign-in")
    if request.method != "POST":
        return awaited(request, waiting)
    form = CodeForm(request.POST)
    if not form.is_valid():
        return awaited(request, waiting, str(next(iter(form.errors.values()))[0]), status=422)
    if not waiting.may_be_tried():
        MailedCode.end(request)
        return over(request)
    if not waiting.is_right(form.cleaned_data["code"]):
        return awaited(request, waiting, WRONG, status=422)
    MailedCode.end(request)
    return entered(request, waiting.mailbox, visitor_token(request) if form.cleaned_data["take"] else "")


def awaited(request: Request, waiting: MailedCode, problem: str = "", *, status: int = 200) -> HttpResponse:
    token = visitor_token(request)
    held = 0 if Account.objects.of(token) else picks_held(token)
    context = {"mailbox": waiting.mailbox, "minutes": waiting.minutes_left, "problem": problem, "held": held}
    return render(request, "account/code.html", context, status=status)


def over(request: Request) -> HttpResponse:
    """Unknown, used, too old, tried too often, of another browser: the same words."""
    if Account.objects.of(visitor_token(request)):
        return redirect("events:account")
    return asked(request, MailboxForm(), GONE, status=422)


def entered(request: Request, mailbox: str, held: str) -> HttpResponse:
    """The browser gets an access token of the account, and no session: the admin and the pages for all know of none."""
    try:
        token = claim(mailbox, held)
    except ClosedAccountError:
        return asked(request, MailboxForm(), ORGANISER, status=422)
    moved = (
        " Calendars that followed this browser's agenda need its new address."
        if held and Visitor.objects.of(held) is None
        else ""
    )
    messages.success(request, f"You are in.{moved}")
    response = redirect("events:account")
    remember(response, VISITOR_COOKIE, token)
    return response
