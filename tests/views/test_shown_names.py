"""The name of an account beside its questions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from events.models import Account, Event, Question
from events.schedule.names import is_given
from tests.factories import make_appearance, make_conference, make_event, make_person
from tests.questions import DURING, ask, ask_url, list_url, make_panel, signed_in, words

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING, tick=False):
        yield


@pytest.fixture
def panel() -> Event:
    return make_panel()


def test_account_may_be_shown_by_its_name(panel: Event) -> None:
    client, _ = signed_in(panel)

    form = client.get(ask_url(panel)).text
    ask(client, panel, named="1")
    ask(client, panel, "And under the other name?")

    assert "Mary Jackson , from your account" in words(form)
    assert [is_given(it.name) or it.name for it in Question.objects.all()] == ["Mary Jackson", True]
    assert "Mary Jackson (a name of their own, checked by nobody)" in words(Client().get(list_url(panel)).text)


def test_name_of_somebody_who_joined_the_stage_meanwhile_is_not_shown(panel: Event) -> None:
    client, _ = signed_in(panel)
    make_appearance(panel, make_person(panel.conference, "Mary Jackson"))

    form, response = client.get(ask_url(panel)).text, ask(client, panel, named="1")

    assert 'name="named"' not in form
    assert (response.status_code, "ask under the name that is given" in response.text) == (422, True)
    assert Question.objects.count() == 0


def test_nobody_types_a_name(panel: Event) -> None:
    ask(Client(), panel, name="Yoshua Bengio", named="")
    refused = ask(Client(), panel, named="1")

    assert is_given(Question.objects.get().name)
    assert refused.status_code == 422


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Y0shua Bengio", "is too close to the name of somebody in a programme here"),
        ("Moderator", "speaks for the conference"),
        ("a" * 61, "A name has at most 60 characters"),
        ("123", "has no letter in it"),
        ("Ma\x00ry", "Character 3 (U+0000) cannot be shown"),
    ],
)
def test_account_keeps_no_name_that_is_somebodys(panel: Event, name: str, problem: str) -> None:
    client, token = signed_in(panel, "Mary")
    make_appearance(make_event(make_conference()), make_person(make_conference(), "Nobody"))
    make_appearance(panel, make_person(panel.conference, "Yoshua Bengio"))

    response = client.post("/account/name/", {"name": name})

    account = Account.objects.of(token)
    assert (response.status_code, problem in response.text) == (422, True)
    assert account is not None
    assert account.display_name == "Mary"


def test_account_keeps_a_name_without_what_cannot_be_seen_and_gives_it_up(panel: Event) -> None:
    client, token = signed_in(panel, "")
    kept = []

    for name in ["  Mary\u202e \u200bJack\u3164son ", ""]:
        response = client.post("/account/name/", {"name": name})
        account = Account.objects.of(token)
        kept.append((response.status_code, account.display_name if account else None))

    assert kept == [(302, "Mary Jackson"), (302, "")]


def test_name_is_only_for_who_is_signed_in(panel: Event) -> None:
    response = Client().post("/account/name/", {"name": "Mary"})

    assert (response.status_code, response["Location"]) == (302, "/account/sign-in/")


def test_too_many_names_are_told_when_to_come_back(panel: Event) -> None:
    client, _ = signed_in(panel)

    answers = [
        client.post("/account/name/", {"name": f"Mary {'abcdefghijklmnopqrstuvwxyzabcdefgh'[it] * 9}"}) for it in range(31)
    ]

    assert [it.status_code for it in answers] == [302] * 30 + [429]
    assert answers[30]["Retry-After"] == "3600"
