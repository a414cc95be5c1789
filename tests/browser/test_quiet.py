"""No page complains in the console, breaks the policy or talks to another site: not with hostile rows, not in the admin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from tests.browser.pages import AT, page_addresses
from tests.browser.watching import Watch
from tests.security import strings
from tests.security.planting import plant
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 3
MOMENT = 100  # milliseconds


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer, world: World) -> Iterator[Page]:
    """The holder of the world's agenda, who is an organiser too."""
    context = browser.new_context(base_url=live_server.url)
    session = world.client("organiser").cookies[settings.SESSION_COOKIE_NAME].value
    cookies = {VISITOR_COOKIE: world.token, settings.SESSION_COOKIE_NAME: session}
    context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()])
    yield context.new_page()
    context.close()


def admin_addresses(world: World) -> list[str]:
    changed = {"invitedtalk": world.keynote, "session": world.session, "social": world.social, "route": world.route}
    forms = [reverse(f"admin:events_{name}_change", args=[row.pk]) for name, row in changed.items()]
    forms += [reverse(f"admin:events_{name}_history", args=[row.pk]) for name, row in changed.items()]
    lists = [reverse(f"admin:events_{name}_changelist") for name in [*changed, "person", "paper", "change"]]
    return [reverse("admin:index"), *lists, *forms, reverse("admin:events_social_add"), reverse("admin:password_change")]


def look_at(page: Page, address: str) -> None:
    """Until its pictures and scripts are there, and a moment more, for what the scripts do then."""
    page.goto(address)
    page.wait_for_timeout(MOMENT)


def test_every_page_is_quiet(visitor: Page, world: World, live_server: LiveServer) -> None:
    watch = Watch(visitor, live_server.url)

    for name, address in page_addresses(world.conference).items():
        if name != "nothing-there":
            look_at(visitor, address)

    assert (watch.complaints, watch.foreign) == ([], [])


def test_admin_is_quiet(visitor: Page, world: World, live_server: LiveServer) -> None:
    watch = Watch(visitor, live_server.url)

    for address in admin_addresses(world):
        look_at(visitor, address)
        assert visitor.url == f"{live_server.url}{address}"

    assert (watch.complaints, watch.foreign) == ([], [])


@pytest.mark.parametrize("turn", [0, *(pytest.param(it, marks=pytest.mark.exhaustive) for it in range(1, TURNS))])
def test_hostile_rows_do_nothing(visitor: Page, world: World, live_server: LiveServer, turn: int) -> None:
    kinds = list(strings.MARKUP.values())
    plant(*kinds[turn * len(kinds) // TURNS :], *kinds[: turn * len(kinds) // TURNS])
    watch = Watch(visitor, live_server.url)

    for name, address in page_addresses(world.conference).items():
        if name != "nothing-there":
            look_at(visitor, address)

    assert (watch.complaints, watch.foreign) == ([], [])


def test_hostile_title_does_nothing_in_the_answer_to_a_bookmark(visitor: Page, world: World, live_server: LiveServer) -> None:
    plant(*strings.MARKUP.values())
    watch = Watch(visitor, live_server.url)
    visitor.goto(f"/iclr-2025/schedule/2025-04-24/{AT}")
    visitor.locator("main details").evaluate_all("all => all.forEach(it => { it.open = true })")
    buttons = visitor.locator("main .bookmark")

    for place in range(buttons.count()):
        pressed = buttons.nth(place).get_attribute("aria-pressed")
        buttons.nth(place).click()
        expect(buttons.nth(place)).to_have_attribute("aria-pressed", "false" if pressed == "true" else "true")

    assert buttons.count() > 5
    assert (watch.complaints, watch.foreign) == ([], [])


@pytest.mark.parametrize("kind", ["handler", pytest.param("script", marks=pytest.mark.exhaustive)])
def test_hostile_rows_do_nothing_in_the_admin(visitor: Page, world: World, live_server: LiveServer, kind: str) -> None:
    plant(strings.MARKUP[kind])
    watch = Watch(visitor, live_server.url)

    for address in admin_addresses(world):
        look_at(visitor, address)

    assert (watch.complaints, watch.foreign) == ([], [])
