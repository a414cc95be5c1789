from __future__ import annotations

import logging
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.core.tokens import hash_token
from events.models import Account, ReadLink
from tests.calendars.reading import read
from tests.calendars.world import World

pytestmark = pytest.mark.django_db


def test_feed_tells_nobody_where_it_is(world: World) -> None:
    response = Client().get(world.feed)

    assert (response["Referrer-Policy"], response["X-Robots-Tag"]) == ("no-referrer", "noindex")
    assert world.agenda.feed_token not in response.text


@pytest.mark.parametrize("token", ["x", "..", "%00", "%F0%9F%98%80", "a" * 5_000, "-" * 32, "0" * 32, "%0d%0aSet-Cookie:x"])
def test_unknown_token_is_the_plain_404_of_any_other_address(world: World, token: str, settings: Any) -> None:
    nowhere = Client().get("/nowhere/")

    response = Client().get(f"/feeds/{token}.ics")

    assert (response.status_code, nowhere.status_code) == (404, 404)
    assert response.content == nowhere.content
    # Whoever is told of a page from here would be told the address. Nothing below /feeds/ is compressed.
    expected = dict(nowhere.headers) | {"Referrer-Policy": "no-referrer"}
    assert sorted(expected.pop("Vary").split(", ")) == ["Accept-Encoding", "Cookie"]
    assert dict(response.headers) == expected


def test_unknown_token_is_not_repeated_while_debugging_either(world: World, settings: Any) -> None:
    settings.DEBUG = True

    unknown, misspelt = (Client().get(address).text for address in ("/feeds/s3cret.ics", "/feeds/s3cret"))

    assert ["<h1>Nothing at this address</h1>" in it for it in (unknown, misspelt)] == [True, True]
    assert ["s3cret" in it for it in (unknown, misspelt)] == [False, False]


@pytest.mark.parametrize("token", ["x", "%00", "a" * 5_000, "-" * 32, "known by nobody"])
def test_unknown_token_costs_the_same_whatever_is_wrong_with_it(world: World, django_assert_num_queries: Any, token: str) -> None:
    with django_assert_num_queries(2):
        response = Client().get(f"/feeds/{token}.ics")

    assert response.status_code == 404


@pytest.mark.parametrize("secret", ["cookie", "hash", "key", "feed hash"])
def test_nothing_else_of_an_agenda_opens_its_feed(world: World, secret: str) -> None:
    address = world.agenda.feed_addresses.get()
    others = {"cookie": world.token, "hash": hash_token(world.token), "key": address.key, "feed hash": address.token_hash}

    response = Client().get(reverse("events:feed", args=[others[secret]]))

    assert response.status_code == 404


def test_link_to_read_an_agenda_opens_no_feed_of_the_same_number(world: World) -> None:
    link = ReadLink.begin(world.agenda)
    world.agenda.reset_feed()

    assert link is not None
    assert link.serial == world.agenda.feed_serial
    assert Client().get(reverse("events:feed", args=[link.token])).status_code == 404


def test_feed_token_is_no_cookie(world: World) -> None:
    client = Client()
    client.cookies[VISITOR_COOKIE] = world.agenda.feed_token

    assert read(client.get("/iclr-2025/agenda.ics").content) == []


def test_feed_of_a_deleted_agenda_is_gone(world: World) -> None:
    url = world.feed

    world.agenda.delete()

    assert Client().get(url).status_code == 404


def test_no_log_record_has_a_token(world: World, caplog: pytest.LogCaptureFixture) -> None:
    token = world.agenda.feed_token

    with caplog.at_level(logging.DEBUG):
        world.visitor().get(world.feed)
        world.visitor().post(world.feed)
        world.visitor().get("/iclr-2025/agenda/calendar/")
        world.visitor().post("/iclr-2025/agenda/calendar/reset/")

    said = [record.getMessage() for record in caplog.records]
    assert [message for message in said if token in message] == []
    assert [message for message in said if "/feeds/[hidden].ics" in message] != []


def test_feed_has_nothing_of_its_owner(world: World, django_user_model: Any) -> None:
    owner = django_user_model.objects.create_user("canary", "canary@hallway.example", first_name="Canary")
    Account.objects.create(user=owner, visitor=world.agenda.visitor)

    assert "canary" not in Client().get(world.feed).text.lower()
