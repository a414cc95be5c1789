"""Pages of organisers, sponsors and the look of a conference in a browser, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Conference, InfoPage, Sponsor, SponsorLevel
from tests.browser.looks import PHONE
from tests.factories import make_conference
from tests.pictures import drawn_on_nothing, picture
from tests.venue.drawn import make_plan

pytestmark = pytest.mark.django_db(transaction=True)
SHIFTS_SINCE = """(since) => new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().filter((it) => it.startTime > since).map((it) => it.value)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve([]), 300);
})"""
SLOW = 400  # milliseconds


@pytest.fixture
def conference() -> Conference:
    looks = {"logo": drawn_on_nothing("#16181d"), "header_picture": picture(1200, 480), "header_alt": "The harbour"}
    conference = make_conference(slug="demo", **looks)
    page = {"title": "Wi-Fi", "slug": "wi-fi", "text": "Join us.\n\n![](map)", "is_public": True}
    info = InfoPage.objects.create(conference=conference, **page)
    info.pictures.create(name="map", photo=picture(800, 400), alt="Where the routers are")
    level = SponsorLevel.objects.create(conference=conference, name="Gold", in_overview=True)
    logo = drawn_on_nothing("#16181d")
    sponsor = Sponsor.objects.create(conference=conference, level=level, name="Acme", booth="B12", logo=logo)
    make_plan(conference, "Level 1", sponsor)
    return conference


@pytest.fixture(params=[True, False], ids=["javascript", "no-javascript"])
def phone(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(
        java_script_enabled=request.param, viewport={"width": PHONE, "height": 844}, base_url=live_server.url
    )
    yield context.new_page()
    context.close()


def test_menu_leads_to_a_page_with_its_picture(phone: Page, conference: Conference) -> None:
    phone.goto("/demo/")
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("navigation", name="All pages").get_by_role("link", name="Wi-Fi").click()

    expect(phone.get_by_role("heading", level=1)).to_have_text("Wi-Fi")
    expect(phone.get_by_role("img", name="Where the routers are")).to_be_visible()
    expect(phone.get_by_text("Last changed")).to_be_visible()


def test_booth_is_one_tap_from_its_sponsor_and_back(phone: Page, conference: Conference) -> None:
    phone.goto("/demo/")
    phone.get_by_role("link", name="See all").last.click()
    phone.get_by_role("link", name="Booth B12 on the plan").click()
    expect(phone).to_have_url(
        f"{phone.url.partition('/demo/')[0]}/demo/venue/?floor=level-1#area-sponsor-{Sponsor.objects.get().pk}"
    )

    phone.get_by_role("link", name="Acme").click()

    expect(phone.get_by_role("heading", name="Acme")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_moves_when_slow_pictures_arrive(
    browser: Browser, live_server: LiveServer, conference: Conference, scheme: str
) -> None:
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": PHONE, "height": 844},
        base_url=live_server.url,
        # Another zone would be offered in the footer, in an idle moment.
        timezone_id=conference.timezone,
    )
    page = context.new_page()

    held: list[Route] = []
    page.route("**/media/**", lambda route: held.append(route))  # noqa: PLW0108 - Playwright counts the parameters
    shifts = {}
    for address in ("/demo/", "/demo/pages/wi-fi/", "/demo/sponsors/"):
        page.goto(address, wait_until="domcontentloaded")
        page.wait_for_timeout(SLOW)
        page.evaluate("document.fonts.ready.then(() => true)")
        pictures_come = page.evaluate("performance.now()")
        assert held
        while held:
            held.pop().continue_()
        page.wait_for_load_state("load")
        shifts[address] = page.evaluate(SHIFTS_SINCE, pictures_come)
    page.unroute_all(behavior="ignoreErrors")
    context.close()

    assert shifts == {address: [] for address in shifts}
