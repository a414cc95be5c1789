"""The guest list at the secret address of its host."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.models import Event, Seat, SignUp
from tests.factories import make_conference
from tests.sign_up.seating import agendas_of, make_sign_up

pytestmark = pytest.mark.django_db


def address(own: SignUp, token: str, name: str = "sign-up-list") -> str:
    return reverse(f"events:{name}", args=[own.event.conference.slug, token])


def filled(*names: str, places: int = 2) -> tuple[SignUp, str]:
    own = make_sign_up(places=places)
    for agenda, name in zip(agendas_of(own, len(names)), names, strict=True):
        own.join(agenda, name)
    return own, own.new_host_token()


def table(own: SignUp, token: str) -> list[list[str]]:
    text = Client().get(address(own, token, "sign-up-table")).content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_list_is_in_order_and_names_only_who_gave_a_name() -> None:
    own, token = filled("Ada", "", "Grace")

    page = Client().get(address(own, token)).text

    cells = [it.split(">")[-1] for it in page.split("</td>")[:-1]]
    assert cells == ["1", "Ada", "has a place", "2", "Guest 2", "has a place", "3", "Grace", "waiting"]
    assert "2 of 2 places taken" in page


def test_table_is_the_same() -> None:
    own, token = filled("Ada", "", "Grace")

    assert table(own, token) == [
        ["number", "name", "state"],
        ["1", "Ada", "place"],
        ["2", "Guest 2", "place"],
        ["3", "Grace", "waiting"],
    ]


def test_who_left_is_not_on_it() -> None:
    own, token = filled("Ada", "Grace")
    own.leave(Seat.objects.get(name="Ada").agenda)

    assert table(own, token)[1:] == [["2", "Grace", "place"]]


def test_name_is_no_formula_and_stays_one_cell() -> None:
    own, token = filled('=HYPERLINK("https://evil.example","x")', "@x", "a,b;c", '"', places=4)

    assert [row[1] for row in table(own, token)[1:]] == ['\'=HYPERLINK("https://evil.example","x")', "'@x", "a,b;c", '"']


@pytest.mark.parametrize("name", ["sign-up-list", "sign-up-table"])
def test_host_list_is_not_stored_and_sends_no_referrer(name: str) -> None:
    own, token = filled("Ada")

    response = Client().get(address(own, token, name))

    assert response["Cache-Control"] == "private, no-store"
    assert response["Referrer-Policy"] == "no-referrer"
    assert response["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("name", ["sign-up-list", "sign-up-table"])
def test_what_is_no_secret_of_this_conference_opens_nothing(name: str) -> None:
    own, token = filled("Ada")
    elsewhere = make_conference()
    wrong = [
        address(own, "x" * 32, name),
        address(own, token[::-1], name),
        reverse(f"events:{name}", args=[elsewhere.slug, token]),
    ]
    own.revoke_host_token()

    assert [Client().get(url).status_code for url in [*wrong, address(own, token, name)]] == [404] * 4


def test_empty_hash_opens_no_list() -> None:
    own = make_sign_up(places=1)

    assert SignUp.objects.by_host("") is None
    assert Client().get(address(own, "0" * 32)).status_code == 404


def test_list_of_what_is_cancelled_or_hidden_again_stays_the_hosts() -> None:
    own, token = filled("Ada")
    Event.objects.update(status="cancelled")
    assert "Cancelled" in Client().get(address(own, token)).text
    Event.objects.update(status="draft")
    assert Client().get(address(own, token)).status_code == 200


def test_list_is_as_of_now_whatever_moment_is_looked_at() -> None:
    own, token = filled("Ada")

    assert "24 Apr, 09:30" not in Client().get(f"{address(own, token)}?at=2125-04-24T09:30").text


def test_empty_list_says_so() -> None:
    own, token = filled()

    assert "Nobody yet" in Client().get(address(own, token)).text


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("name", "queries"), [("sign-up-list", 5), ("sign-up-table", 3)])
def test_list_takes_as_many_queries_for_three_as_for_one(
    name: str, queries: int, count: int, django_assert_num_queries: Any
) -> None:
    own, token = filled(*["Ada"] * count)
    Client().get(address(own, token, name))

    with django_assert_num_queries(queries):
        Client().get(address(own, token, name))
