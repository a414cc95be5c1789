"""A full social: somebody waits, somebody leaves, and the place arrives."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Seat, SignUp
from tests.factories import forms_url, make_agenda, make_conference
from tests.sign_up.seating import make_sign_up, make_social

pytestmark = pytest.mark.django_db(transaction=True)

Visit = Callable[..., Page]


@pytest.fixture
def own(transactional_db: None) -> SignUp:
    return make_sign_up(places=1, event=make_social(conference=make_conference(slug="demo"), title="Runners", place="Marina"))


@pytest.fixture
def visit(browser: Browser, live_server: LiveServer, own: SignUp) -> Iterator[Visit]:
    """A telephone of somebody with an agenda."""
    contexts: list[BrowserContext] = []

    def page(*, scripts: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_server.url,
            viewport={"width": 390, "height": 900},
            reduced_motion="reduce",
            java_script_enabled=scripts,
        )
        token = make_agenda(own.event.conference)[1]
        context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": live_server.url}])
        contexts.append(context)
        return context.new_page()

    yield page
    for context in contexts:
        context.close()


def states() -> list[str]:
    return list(Seat.objects.alive().order_by("number").values_list("state", flat=True))


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_place_given_up_arrives_where_somebody_waits(visit: Visit, own: SignUp, scripts: bool) -> None:
    first, second, url = visit(scripts=scripts), visit(scripts=scripts), own.event.get_absolute_url()
    first.goto(url)
    first.get_by_role("button", name="Sign up").click()
    expect(first.locator(".my-seat")).to_contain_text("You have a place")
    expect(first.locator(".sign-up-places")).to_have_text("Full, with a waiting list")

    second.goto(f"{forms_url(own.event)}sign-up/")
    second.get_by_label("Your name for the host").fill("Grace")
    second.get_by_role("button", name="Join the waiting list").click()
    expect(second.locator(".my-seat")).to_contain_text("You are 1st on the waiting list")
    assert states() == ["taken", "waiting"]

    first.get_by_role("button", name="Give up my place").click()
    expect(first.locator(".my-seat")).to_have_count(0)

    second.goto("/demo/agenda/")
    news = second.locator("#new-places")
    expect(news).to_contain_text("A place opened up for you")
    expect(second.locator(".stop .flag", has_text="You have a place")).to_be_visible()
    news.get_by_role("button", name="I will come").click()
    expect(second.locator("#new-places")).to_have_count(0)
    assert [(seat.state, seat.name) for seat in Seat.objects.alive()] == [("taken", "Grace")]


def test_joining_presses_the_bookmark_and_keeps_the_focus(visit: Visit, own: SignUp) -> None:
    page = visit()
    page.goto(own.event.get_absolute_url())
    expect(page.locator("#my-bookmark .bookmark")).to_have_attribute("aria-pressed", "false")

    page.get_by_role("button", name="Sign up").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#my-bookmark .bookmark")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#agenda-count-bar")).to_have_text("1")
    expect(page.get_by_role("status").filter(has_text="You have a place: Runners")).to_be_visible()
    expect(page.get_by_role("button", name="Sign up")).to_be_hidden()
    expect(page.get_by_role("button", name="Give up my place")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_list_are_accessible(visit: Visit, own: SignUp, scheme: str) -> None:
    page, axe, url = visit(), Axe(), own.event.get_absolute_url()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    token, wrong = own.new_host_token(), {}
    page.goto(url)
    page.get_by_role("button", name="Sign up").click()
    expect(page.locator(".my-seat")).to_be_visible()

    for address in (url, f"{forms_url(own.event)}sign-up/", f"/demo/sign-up/{token}/", "/demo/agenda/"):
        page.goto(address)
        wrong[address] = [it["id"] for it in axe.run(page).response["violations"]]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address

    assert wrong == {address: [] for address in wrong}
