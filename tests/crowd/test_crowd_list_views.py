"""The badges that open pages fetch without a reload."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from events.models import Event
from tests.factories import at, make_agenda, make_report
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during_talk")]

NOW = "10:10"


def list_url(talk: Event) -> str:
    return reverse("events:crowd-list", args=[talk.conference.slug])


def part_url(talk: Event) -> str:
    return f"{list_url(talk)}?part=badges"


def places(response: HttpResponse) -> list[tuple[str, str]]:
    """The cards that listen, and what they say of their place."""
    found = re.findall(r'data-live="([^"]+)">\s*(.*?)\s*</span>', response.text, re.DOTALL)
    return [(guid, re.sub(r"<[^>]*>", "", words)) for guid, words in found]


PAGES = ["conference-detail", "schedule-day", "agenda-detail"]


@pytest.mark.parametrize("page", PAGES)
def test_lists_and_agendas_learn_without_a_reload_that_a_room_is_full(talk: Event, page: str) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token)
    args = ["demo", talk.day.date] if page == "schedule-day" and talk.day else ["demo"]
    before = client.get(reverse(f"events:{page}", args=args))
    first = client.get(part_url(talk))
    make_report(talk, "full", NOW)

    with time_machine.travel(at("10:11"), tick=False):
        heard = client.get(part_url(talk), headers={"If-None-Match": first["ETag"]})
        after = client.get(reverse(f"events:{page}", args=args))

    guid = str(talk.guid)
    assert f'hx-get="{part_url(talk)}" hx-trigger="every 60s"' in before.text
    assert (set(places(before)), set(places(after))) == ({(guid, "")}, {(guid, "Room: full, 10:10")})
    assert first.text.strip() == ""
    assert heard.text.strip() == f'<span data-of="{guid}"><span class="flag" data-flag="full">Room: full, 10:10</span></span>'


def test_what_cards_listen_to_is_the_same_for_everybody_and_made_once_a_minute(
    cached: None, talk: Event, django_assert_num_queries: Any
) -> None:
    make_report(talk, "full", NOW)
    first = Client().get(part_url(talk))

    with django_assert_num_queries(1):
        again = Client().get(part_url(talk), headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert Client().get(list_url(talk))["Location"] == reverse("events:venue", args=["demo"])


@pytest.mark.parametrize(
    ("time", "listens"),
    [("06:59", False), ("07:00", True), ("10:59", True), ("11:00", False)],
    ids=["hours-before", "three-hours-before", "to-the-end", "over"],
)
def test_card_listens_while_something_may_be_said(talk: Event, time: str, listens: bool) -> None:
    page = reverse("events:schedule-day", args=["demo", talk.day.date]) if talk.day else ""
    with time_machine.travel(at(time), tick=False):
        assert bool(places(Client().get(page))) == listens


def test_page_of_another_moment_or_of_years_ago_asks_for_nothing(talk: Event) -> None:
    page = reverse("events:conference-detail", args=["demo"])
    looked_at = Client().get(f"{page}?at=2025-04-24T10:10")
    with time_machine.travel(at("10:10") + dt.timedelta(days=365), tick=False):
        old = Client().get(page)

    assert ['id="heard"' in it.text for it in (looked_at, old)] == [False, False]
