"""Every list and every page of something public leads to where one says what is missing or wrong, and says where it was."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.test import Client

from events.proposals.queries import REPORTABLE_PAGES
from tests.factories import at
from tests.security.addresses import address, pages
from tests.security.markup import elements
from tests.security.world import World

# What is somebody's own, has a secret in its address, is a form or a step of one, or hangs on a wall.
OTHERS = [
    "conference-list",
    "account",
    "sign-in",
    "account-code",
    "account-delete",
    "announcements-dismiss",
    "attendance-set",
    "time-zone",
    "schedule",
    "bookmark-set",
    "crowd-set",
    "bookmark-exchange",
    "present-set",
    "event-round",
    "question-list",
    "question-ask",
    "question-vote",
    "question-withdraw",
    "poll-list",
    "poll-vote",
    "sign-up",
    "social-propose",
    "missing",
    "proposal",
    "proposal-change",
    "sign-up-list",
    "screen",
    "agenda-detail",
    "agenda-gap",
    "agenda-changes",
    "agenda-calendar",
    "note",
    "private-entry-add",
    "private-entry",
    "devices",
    "handover-code",
    "take",
    "take-code",
    "sharing",
    "shared-agenda",
    "shared-copy",
    "together",
    "forget-me",
    "offline",
    "embed",
    "file-list",
    "info-page",
]


@pytest.fixture(scope="module", autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


def test_every_page_is_one_to_speak_about_or_is_known_to_be_none() -> None:
    assert sorted(it.partition(":")[2] for it in pages()) == sorted([*REPORTABLE_PAGES, *OTHERS])


@pytest.mark.parametrize("name", REPORTABLE_PAGES)
def test_page_leads_to_a_form_that_knows_which_page_it_is(world: World, name: str) -> None:
    url = address(f"events:{name}", world)

    [lead] = leads(Client().get(url).text)

    assert parse_qs(urlsplit(lead).query) == {"where": [url]}
    form = Client().get(lead)
    assert form.context["about"].path == url
    assert f"About: {form.context['about'].label}" in form.text.replace("<strong>", "")


@pytest.mark.parametrize("name", ["agenda-detail", "social-propose", "missing", "proposal", "proposal-change", "time-zone"])
def test_page_that_is_somebodys_own_or_a_form_leads_nowhere(world: World, name: str) -> None:
    assert leads(Client().get(address(f"events:{name}", world)).text) == []


def leads(text: str) -> list[str]:
    hrefs = [it.attributes.get("href") or "" for it in elements(text) if it.tag == "a"]
    return [href for href in hrefs if urlsplit(href).path.endswith("/missing/")]
