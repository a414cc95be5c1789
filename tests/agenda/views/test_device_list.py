"""The list of a visitor's devices, and the sign-out of one of them."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client

from events.agenda.models.sharing import Handover
from events.core.tokens import hash_token
from events.models import AccessToken, Agenda, Conference, Visitor
from tests.factories import make_agenda, make_conference, make_event, visitor_of
from tests.visitors import browser

pytestmark = pytest.mark.django_db

DEVICES, SIGN_OUT = "/demo/agenda/devices/", "/demo/agenda/devices/sign-out-one/"
NOON = dt.datetime(2025, 4, 24, 4, tzinfo=dt.UTC)  # 12:00 in Singapore


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def connected(conference: Conference, hours: int = 1) -> list[str]:
    """The tokens of a visitor's devices, which were connected an hour after each other."""
    with time_machine.travel(NOON, tick=False) as clock:
        tokens = [make_agenda(conference, make_event(conference))[1]]
        for _ in range(hours):
            clock.shift(dt.timedelta(hours=1))
            tokens.append(visitor_of(tokens[0]).new_token())
    return tokens


def mark_of(token: str) -> str:
    return AccessToken.objects.get(token_hash=hash_token(token)).mark


def opens(*tokens: str) -> list[bool]:
    return [Visitor.objects.for_token(token) is not None for token in tokens]


def lines(page: str) -> list[str]:
    listed = re.findall(r'<ul class="plain device-list">(.*?)</ul>', page, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", it).split())[:40] for it in re.findall(r"<li>(.*?)</li>", "".join(listed), re.DOTALL)]


def sentences(response: HttpResponse) -> list[str]:
    return [str(it) for it in get_messages(response.wsgi_request)]  # type: ignore[attr-defined]


def test_devices_are_named_by_when_they_were_connected(conference: Conference) -> None:
    first, second, third = connected(conference, 2)

    page = browser(token=second).get(DEVICES).text

    assert [it.partition(" Sign out")[0] for it in lines(page)] == [
        "This one, since 24 April 2025, 13:00",
        "Connected 24 April 2025, 14:00",
        "Connected 24 April 2025, 12:00",
    ]
    assert re.findall(r'name="device" value="(\w+)"', page) == [mark_of(third), mark_of(first)]
    assert [it in page for token in (first, second, third) for it in (token, hash_token(token))] == [False] * 6


def test_list_is_not_shown_for_one_device(conference: Conference) -> None:
    assert "Your devices" not in browser(token=connected(conference, 0)[0]).get(DEVICES).text


def test_one_device_is_signed_out_and_the_others_go_on(conference: Conference) -> None:
    here, lost, third = connected(conference, 2)
    agenda = Agenda.objects.get()
    code = Handover.begin(visitor_of(here))
    sent = {"device": mark_of(lost)}
    client = browser(token=here)

    answers = [client.post(SIGN_OUT, sent) for _ in range(2)]

    assert [(it.status_code, it["Location"]) for it in answers] == [(302, DEVICES)] * 2
    assert sentences(answers[0]) == ["That device is signed out. Links and calendar addresses it knows still work."]
    assert opens(here, lost, third) == [True, False, True]
    # A code that the lost device may have made is no way back.
    assert Handover.find_visitor(code) is None
    assert Client().get(f"/feeds/{agenda.feed_token}.ics").status_code == 200


@pytest.mark.parametrize("whose", ["this browser", "somebody else", "nobody", "nothing"])
def test_other_marks_sign_nobody_out(conference: Conference, whose: str) -> None:
    here, there = connected(conference)
    strangers = connected(conference)
    marks = {"this browser": mark_of(here), "somebody else": mark_of(strangers[1]), "nobody": "é" * 24, "nothing": ""}

    answer = browser(token=here).post(SIGN_OUT, {"device": marks[whose]})

    assert (answer.status_code, sentences(answer)) == (302, [])
    assert opens(here, there, *strangers) == [True] * 4


def test_browser_without_an_agenda_signs_nobody_out(conference: Conference) -> None:
    tokens = connected(conference)

    answer = Client().post(SIGN_OUT, {"device": mark_of(tokens[1])})

    assert (answer.status_code, sentences(answer), opens(*tokens)) == (302, [], [True, True])


@pytest.mark.parametrize("devices", [1, 3])
def test_list_takes_as_many_queries_for_three_devices_as_for_one(
    conference: Conference, devices: int, django_assert_num_queries: Any
) -> None:
    client = browser(token=connected(conference, devices)[0])
    client.get(DEVICES)

    with django_assert_num_queries(10):
        page = client.get(DEVICES).text

    assert len(lines(page)) == devices + 1
