"""Somebody signs in on a phone that has an agenda of its owner, and leaves that out of the account."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from events.agenda.devices import sign_out_everywhere
from events.agenda.visitor import FORMER_COOKIE, VISITOR_COOKIE
from events.core.tokens import new_token
from events.models import Account, Agenda, Conference
from tests.accounts.test_sign_in import ADA, CODE, ask, enter
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.visitors import browser, own_context

SIGN_OUT, DELETE, FORGET = "/account/sign-out/", "/account/delete/", "/demo/agenda/forget-me/"
BACK = "This browser has the agenda again that it had before you signed in."

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def borrowed(conference: Conference) -> tuple[Client, str]:
    """A phone in which somebody signed in with the box cleared, and the token of its owner."""
    token = make_agenda(conference, make_event(conference))[1]
    phone = browser(token=token)
    enter(phone)
    return phone, token


def cookies(client: Client) -> list[str]:
    return [it.value if (it := client.cookies.get(name)) else "" for name in (VISITOR_COOKIE, FORMER_COOKIE)]


def sentence(response: HttpResponse) -> str:
    """The newest message: those of earlier requests still wait for a page."""
    return [str(it) for it in get_messages(response.wsgi_request)][-1]  # type: ignore[attr-defined]


def test_signing_in_puts_the_agenda_of_the_browser_aside_and_says_so(conference: Conference) -> None:
    token = make_agenda(conference, make_event(conference))[1]
    phone = browser(token=token)
    code = ask(phone)
    asked = " ".join(phone.get(CODE).text.split())

    done = phone.post(CODE, {"code": code})

    assert "Clear this if it is not yours: it comes back when you sign out here." in asked
    assert sentence(done) == (
        "You are signed in. The agenda this browser had is not in your account: it comes back when you sign out here."
    )
    assert cookies(phone)[1] == token
    assert Account.objects.get().visitor == visitor_of(cookies(phone)[0]) != visitor_of(token)
    assert "This browser then has the agenda again" in phone.get("/account/").text


@pytest.mark.parametrize(
    ("url", "fields", "words"),
    [
        (SIGN_OUT, {}, "You are signed out. Your agenda stays in your account."),
        (
            SIGN_OUT,
            {"everywhere": "1"},
            "You are signed out in every browser. Your calendar links and shared links have ended too.",
        ),
        (DELETE, {}, "Your account was deleted, with its mail address and all its agendas."),
    ],
    ids=["here", "everywhere", "account deleted"],
)
def test_signing_out_gives_the_agenda_back(url: str, fields: dict[str, str], words: str, conference: Conference) -> None:
    phone, token = borrowed(conference)

    done = phone.post(url, fields)

    assert (sentence(done), cookies(phone)) == (f"{words} {BACK}", [token, ""])
    assert own_context(phone.get("/demo/agenda/"), "count") == 1
    assert phone.get("/account/")["Location"] == "/account/sign-in/"


def test_browser_without_an_agenda_gets_none_back() -> None:
    phone = Client()
    enter(phone)

    done = phone.post(SIGN_OUT)

    assert (sentence(done), cookies(phone)) == ("You are signed out. Your agenda stays in your account.", ["", ""])
    assert FORMER_COOKIE not in done.cookies


def test_agenda_that_was_added_to_the_account_is_not_put_aside(conference: Conference) -> None:
    phone = browser(token=make_agenda(conference, make_event(conference))[1])

    enter(phone, take="1")

    assert FORMER_COOKIE not in phone.cookies


def test_account_of_the_browser_is_not_put_aside() -> None:
    phone = Client()
    enter(phone)
    phone.cookies["sessionid"] = ""
    phone.post(CODE, {"code": ask(phone, "eve@example.org")})

    assert visitor_of(cookies(phone)[0]) == Account.objects.get(user__email="eve@example.org").visitor
    assert FORMER_COOKIE not in phone.cookies


def test_agenda_put_aside_first_is_not_overwritten(conference: Conference) -> None:
    phone, token = borrowed(conference)
    phone.cookies[VISITOR_COOKIE] = make_agenda(conference, make_event(conference))[1]

    enter(phone, "eve@example.org")
    phone.post(SIGN_OUT)

    assert cookies(phone) == [token, ""]


def test_token_put_aside_that_opens_nothing_is_overwritten_and_not_given_back(conference: Conference) -> None:
    phone, token = borrowed(conference)
    sign_out_everywhere(token)
    second = make_agenda(conference, make_event(conference))[1]
    phone.cookies[VISITOR_COOKIE] = second
    enter(phone, "eve@example.org")
    put_aside = cookies(phone)[1]
    sign_out_everywhere(second)

    done = phone.post(SIGN_OUT)

    assert put_aside == second
    assert (sentence(done), cookies(phone)) == ("You are signed out. Your agenda stays in your account.", ["", ""])


def test_agenda_that_has_an_account_by_now_is_not_given_back(conference: Conference) -> None:
    """Signing out would sign in."""
    phone, token = borrowed(conference)
    Account.objects.update(visitor=visitor_of(token))
    phone.cookies[VISITOR_COOKIE] = visitor_of(token).new_token()

    phone.post(SIGN_OUT)

    assert cookies(phone) == ["", ""]
    assert phone.get("/account/")["Location"] == "/account/sign-in/"


@pytest.mark.parametrize("planted", [new_token(), "x", "s" * 33, ""], ids=["unknown", "short", "no token", "empty"])
def test_cookie_that_opens_nothing_is_not_given_back(planted: str, conference: Conference) -> None:
    phone = Client()
    enter(phone)
    phone.cookies[FORMER_COOKIE] = planted

    phone.post(SIGN_OUT)

    assert cookies(phone) == ["", ""]


def test_account_signed_out_on_another_device_leaves_a_way_back(conference: Conference) -> None:
    phone, token = borrowed(conference)
    sign_out_everywhere(cookies(phone)[0])
    notice = phone.get("/demo/agenda/").text
    offered = phone.get("/account/sign-in/").text

    done = phone.post(SIGN_OUT)

    assert 'is still in this browser: <a href="/account/sign-in/">use it again</a>.' in notice
    assert "Use it again" in offered
    assert (sentence(done), cookies(phone)) == (f"You are signed out. {BACK}", [token, ""])
    assert "Use it again" not in phone.get("/account/sign-in/").text


def test_sign_out_without_an_account_leaves_the_agenda_of_the_browser(conference: Conference) -> None:
    first, second = (make_agenda(conference)[1] for _ in range(2))
    phone = browser(token=first)
    phone.cookies[FORMER_COOKIE] = second

    done = phone.post(SIGN_OUT)

    assert (done["Location"], cookies(phone)) == ("/account/sign-in/", [first, second])


def test_forgetting_drops_the_cookie_and_says_so_before(conference: Conference) -> None:
    phone, token = borrowed(conference)
    owner = visitor_of(token)

    asked = phone.get(FORGET).text
    phone.post(FORGET)

    assert "To get it back, sign out instead." in asked
    assert cookies(phone) == ["", ""]
    # It may be somebody else's, who has other devices.
    assert list(Agenda.objects.all()) == [owner.agendas.get()]


def test_browser_with_only_the_agenda_put_aside_can_forget_it(conference: Conference) -> None:
    client = Client()
    client.cookies[FORMER_COOKIE] = make_agenda(conference)[1]

    assert "Delete everything" in client.get(FORGET).text


def test_cookie_is_a_secret_of_this_host(conference: Conference, settings: Settings) -> None:
    settings.SECURE = True
    client = Client()
    client.cookies[f"__Host-{VISITOR_COOKIE}"] = make_agenda(conference)[1]

    response = client.post(CODE, {"code": ask(client, ADA)})

    cookie = response.cookies[f"__Host-{FORMER_COOKIE}"]
    assert (cookie["secure"], cookie["httponly"], cookie["path"], cookie["domain"]) == (True, True, "/", "")
    assert FORMER_COOKIE not in response.cookies


def test_planted_cookie_of_a_subdomain_is_not_given_back(conference: Conference, settings: Settings) -> None:
    settings.SECURE = True
    client = Client()
    enter_code = client.post(CODE, {"code": ask(client, ADA)})
    client.cookies[FORMER_COOKIE] = make_agenda(conference)[1]

    client.post(SIGN_OUT)

    assert enter_code.status_code == 302
    assert client.cookies[f"__Host-{VISITOR_COOKIE}"].value == ""
