"""What browsers may fetch in advance: public pages that change nothing, and none that is older than the last form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.web.prefetching import NEVER_PREFETCHED_PATHS, PREFETCHED_PATHS
from tests.security.addresses import address, names
from tests.security.world import World
from tests.visitors import browser

pytestmark = pytest.mark.django_db
PREFETCHED = {
    f"events:{name}"
    for name in (
        *(
            "conference-detail",
            "about",
            "info-page",
            "sponsor-list",
            "announcement-list",
            "change-list",
            "search",
            "schedule-day",
            "event-detail",
        ),
        *("invited-talk-list", "social-list", "person-list", "person-detail", "paper-list", "paper-detail", "award-list"),
        *("topic-list", "topic-detail", "venue", "directions", "service-list", "agenda-detail"),
    )
}
# They have the rules for their own links, but are not fetched themselves: they ask for their news, stand on a wall, or are saved.
ALSO_WITH_RULES = {f"events:{name}" for name in ("question-list", "poll-list", "screen", "offline", "embed", "file-list")}
# It redirects to the page of the event.
FORMER_ADDRESS = "events:event-by-guid"
PREFETCH = {"Sec-Purpose": "prefetch"}


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


def is_named(path: str, patterns: tuple[str, ...]) -> bool:
    """As browsers match them; tests/browser/test_prefetching.py asks a browser."""
    listed = [re.sub(r":\w+(?=\()", "", pattern) for pattern in patterns]
    return any(re.fullmatch(re.sub(r":\w+", "[^/]+", pattern).replace("*", ".*"), path) for pattern in listed)


def test_rules_name_public_pages_alone(module_world: World) -> None:
    paths = {name: address(name, module_world).partition("?")[0] for name in names()}

    named = {name for name, path in paths.items() if is_named(path, PREFETCHED_PATHS)}

    assert {name for name in named if not is_named(paths[name], NEVER_PREFETCHED_PATHS)} == PREFETCHED | {FORMER_ADDRESS}
    assert named - PREFETCHED == {"events:account", FORMER_ADDRESS}


def test_public_pages_name_the_rules_and_no_others_do(module_world: World) -> None:
    answers = {name: Client().get(address(name, module_world)) for name in names()}

    with_rules = {name for name, it in answers.items() if "Speculation-Rules" in it}

    assert with_rules == PREFETCHED | ALSO_WITH_RULES
    assert {answers[name]["Speculation-Rules"] for name in with_rules} == {'"/speculation.json"'}
    assert {answers[name]["Content-Type"] for name in with_rules} == {"text/html; charset=utf-8"}
    assert "Speculation-Rules" not in Client().get(f"{module_world.day.get_absolute_url()}?part=schedule")


def test_rules_have_the_type_that_browsers_ask_for() -> None:
    response = Client().get("/speculation.json")

    (rule,) = json.loads(response.text)["prefetch"]
    assert response["Content-Type"] == "application/speculationrules+json"
    assert response["Cache-Control"] == "public, max-age=86400"
    assert (rule["source"], rule["eagerness"]) == ("document", "moderate")


def test_prefetch_writes_nothing(module_world: World) -> None:
    """Also for somebody with an agenda, news of changes and seats: what was fetched may never be seen."""
    client = browser(token=module_world.token)

    with CaptureQueriesContext(connection) as captured:
        answers = [client.get(address(name, module_world), headers=PREFETCH) for name in sorted(PREFETCHED)]

    assert {it.status_code for it in answers} <= {200, 302}
    assert [it["sql"] for it in captured if re.match(r"\s*(INSERT|UPDATE|DELETE)", it["sql"])] == []
    assert [it.cookies for it in answers if it.cookies] == []


def test_waiting_message_is_for_the_page_that_is_opened(module_world: World) -> None:
    client = Client()
    client.post(address("events:start-set", module_world), {"start": "nowhere"})
    day = module_world.day.get_absolute_url()

    fetched = client.get(day, headers=PREFETCH)
    opened = client.get(day)

    assert (fetched.status_code, fetched["Cache-Control"]) == (503, "private, no-store")
    assert opened.status_code == 200
    assert "nowhere" in opened.text
    assert client.get(day, headers=PREFETCH).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["form", "htmx"])
def test_form_drops_what_was_prefetched(module_world: World, headers: dict[str, str]) -> None:
    client = browser(token=module_world.token)

    answer = client.post(address("events:bookmark-set", module_world), {"on": "1"}, headers=headers)

    assert answer["Clear-Site-Data"] == '"prefetchCache"'
    assert "Clear-Site-Data" not in client.get(module_world.day.get_absolute_url())
