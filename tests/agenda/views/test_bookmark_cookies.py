from __future__ import annotations

import datetime as dt
from http.cookies import Morsel
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from events.agenda.visitor import VISITOR_COOKIE
from events.core.tokens import new_token
from events.models import Agenda, Event
from tests.agenda.bookmarking import make_talk, post, url_of
from tests.factories import make_agenda
from tests.visitors import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    return make_talk()


def cookie_of(response: Any) -> Morsel[str]:
    cookie: Morsel[str] = response.cookies[VISITOR_COOKIE]
    return cookie


def test_first_bookmark_sets_a_cookie_that_scripts_and_other_sites_cannot_use(talk: Event) -> None:
    cookie = cookie_of(post(Client(), talk))

    assert Agenda.objects.for_token(cookie.value, talk.conference) == Agenda.objects.get()
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (True, "Lax", "/", 31536000)
    assert cookie["secure"] == ""


@pytest.mark.parametrize(("days", "renewed"), [(29, []), (31, [VISITOR_COOKIE])])
def test_cookie_is_renewed_after_a_month_and_its_token_stays(talk: Event, days: int, renewed: list[str]) -> None:
    agenda, token = make_agenda(talk.conference)
    client = browser(token=token)

    with time_machine.travel(timezone.now() + dt.timedelta(days=days)):
        response = post(client, talk)

    assert [name for name in response.cookies if name == VISITOR_COOKIE] == renewed
    assert (client.cookies[VISITOR_COOKIE].value, list(Agenda.objects.all())) == (token, [agenda])


@pytest.mark.parametrize(
    "value",
    ["short", "x" * 33, "s" * 34, "x" * 31 + "!", "é" * 32, "x" * 32 + "\n"],
    ids=["short", "long", "longer", "sign", "letter", "line"],
)
def test_cookie_that_is_none_of_ours_is_replaced(talk: Event, value: str) -> None:
    cookie = cookie_of(post(browser(token=value), talk))

    assert (cookie.value[0], len(cookie.value)) == ("s", 33)
    assert cookie.value != value


@pytest.mark.parametrize("prefix", ["", "s"], ids=["old", "new"])
def test_token_that_nobody_issued_never_opens_an_agenda(talk: Event, prefix: str) -> None:
    invented = prefix + new_token()

    issued = cookie_of(post(browser(token=invented), talk)).value

    assert Agenda.objects.for_token(invented, talk.conference) is None
    assert Agenda.objects.for_token(issued, talk.conference) == Agenda.objects.get()


@pytest.mark.parametrize(
    ("next_", "back"),
    [
        pytest.param("/demo/talks/", "/demo/talks/", id="ours"),
        pytest.param(
            "/demo/schedule/?at=2025-04-24T09:30&type=talk", "/demo/schedule/?at=2025-04-24T09:30&type=talk", id="query"
        ),
        pytest.param("", None, id="nothing"),
        pytest.param("https://evil.example/", None, id="another-site"),
        pytest.param("//evil.example/", None, id="another-site-in-short"),
        pytest.param("/\\evil.example/", None, id="another-site-by-a-backslash"),
        pytest.param("javascript:alert(1)", None, id="script"),
        pytest.param("/demo/\r\nSet-Cookie: a=b", None, id="header"),
        pytest.param("demo/", None, id="relative"),
    ],
)
def test_answer_leads_back_to_our_own_pages_only(talk: Event, next_: str, back: str | None) -> None:
    response = post(Client(), talk, next=next_)

    assert response.url == f"{back or talk.get_absolute_url()}#e-{talk.guid}"


def test_answer_keeps_the_place_on_the_page_it_was_given(talk: Event) -> None:
    assert post(Client(), talk, next="/demo/talks/#top").url == "/demo/talks/#top"


def test_browser_that_does_not_say_where_the_form_stood_is_asked(talk: Event) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post(url_of(talk), {"on": "1"})

    assert (response.status_code, response.url) == (302, url_of(talk))
    assert Agenda.objects.count() == 0
    assert "csrfmiddlewaretoken" in client.get(url_of(talk)).text


@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_other_methods_are_refused(talk: Event, method: str) -> None:
    assert getattr(Client(), method)(url_of(talk)).status_code == 405
