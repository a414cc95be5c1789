"""Clashes of the agenda, told where they are and ended on the spot, while the conference runs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
import time_machine
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Conference, Route, StartingPoint
from tests.browser.watching import Watch
from tests.factories import at, make_agenda, make_conference, make_day, make_event, make_room, make_zone

pytestmark = pytest.mark.django_db(transaction=True)

AGENDA = "/iclr-2025/agenda/"
ROUTES = "/iclr-2025/venue/directions/?from=hotel"
VIEW_ABOVE_BAR = 844 - 65


class Thursday:
    """Two talks that start together, and a keynote that a private lunch runs into; a break stands between those."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference(slug="iclr-2025", title="Learning Representations")
        hall = make_room(self.conference, "Hall 1")
        events = [
            make_event(self.conference, kind=kind, title=title, start=start, end=end, room=hall)
            for kind, title, start, end in [
                ("talk", "Early talk", "08:00", "08:30"),
                ("talk", "A long talk", "10:00", "10:45"),
                ("talk", "Brief talk", "10:00", "10:30"),
                ("break", "Lunch break", "12:05", "13:00"),
                ("invited-talk", "Keynote", "13:00", "14:00"),
            ]
        ]
        self.agenda, self.token = make_agenda(self.conference, *events)
        self.entry = self.agenda.private_entries.create(title="Lunch with Ada", start=at("12:00"), end=at("13:30"))


@pytest.fixture
def thursday(transactional_db: None) -> Iterator[Thursday]:
    with time_machine.travel(at("09:30")):
        yield Thursday()


IS_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(params=[True, False], ids=["script", "no-script"])
def visitor(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer, thursday: Thursday) -> Iterator[Page]:
    context = browser.new_context(
        base_url=live_server.url,
        viewport={"width": 390, "height": 844},
        java_script_enabled=request.param,
        # A page that is left while it moves complains in the console.
        reduced_motion="reduce",
    )
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    yield context.new_page()
    context.close()


def lines(page: Page) -> list[str]:
    """What stands in the itinerary, from above: titles of cards and sentences between and below them."""
    found = page.locator(".itinerary:visible").locator(".event-title, .gap > p, .conflict > p").all_inner_texts()
    return [" ".join(it.split()).partition(" Find something")[0] for it in found]


def conflict(page: Page, words: str) -> Locator:
    return page.locator(".conflict", has_text=words)


def titles(agenda: Agenda) -> set[str]:
    return set(agenda.events.values_list("title", flat=True))


def test_walk_through_both_clashes(visitor: Page, live_server: LiveServer, thursday: Thursday) -> None:
    watch = Watch(visitor, live_server.url)
    visitor.goto(AGENDA)
    expect(visitor.locator(".lead")).to_contain_text("5 picks · 2 clashes")

    assert lines(visitor) == [
        "1 h 30 min free",
        "Brief talk",
        "These two clash: 30 min overlap. They start together: keep one.",
        "A long talk",
        "1 h 15 min free",
        "Lunch with Ada",
        "Lunch break",
        "Keynote",
        "Clash with Lunch with Ada: 30 min overlap. Choose one, or leave the first at 13:00.",
    ]

    conflict(visitor, "These two").get_by_role("button", name="Keep Brief talk").click()
    expect(visitor.locator(".lead")).to_contain_text("4 picks · 1 clash")
    expect(visitor.locator("#status")).to_contain_text("Removed: A long talk.")
    assert titles(thursday.agenda) == {"Early talk", "Brief talk", "Lunch break", "Keynote"}

    expect(conflict(visitor, "Lunch with Ada").get_by_role("link", name="Change Lunch with Ada")).to_be_visible()
    conflict(visitor, "Lunch with Ada").get_by_role("button", name="Keep Lunch with Ada").click()
    expect(visitor.locator(".lead")).not_to_contain_text("clash")
    assert titles(thursday.agenda) == {"Early talk", "Brief talk", "Lunch break"}
    assert thursday.agenda.private_entries.filter(removed_at=None).count() == 1
    assert watch.complaints == []


def test_clash_links_to_the_other_card(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)

    conflict(visitor, "Lunch with Ada").get_by_role("link", name="Lunch with Ada", exact=True).click()

    expect(visitor.locator(f"#private-{thursday.entry.guid}")).to_be_in_viewport()


def test_choice_without_a_script_comes_back_to_what_was_kept(
    browser: Browser, live_server: LiveServer, thursday: Thursday
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(AGENDA)

    conflict(page, "These two").get_by_role("button", name="Keep A long talk").click()

    kept = thursday.agenda.events.get(title="A long talk")
    expect(page).to_have_url(f"{live_server.url}{AGENDA}#e-{kept.guid}")
    context.close()


def test_choice_gives_the_focus_to_what_was_kept_and_does_not_scroll(
    browser: Browser, live_server: LiveServer, thursday: Thursday
) -> None:
    context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(AGENDA)
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => scrollY >= 200")
    before = page.evaluate("scrollY")

    conflict(page, "These two").get_by_role("button", name="Keep A long talk").click()

    expect(page.locator(".lead")).to_contain_text("4 picks")
    expect(page.get_by_role("main").get_by_role("button", name="Bookmark A long talk")).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) <= 1
    context.close()


def test_choices_between_neighbours_stand_in_one_row_of_a_phone(visitor: Page, thursday: Thursday) -> None:
    title = "A long talk about learning representations of everything there is"
    thursday.conference.events.filter(title="A long talk").update(title=title)
    visitor.goto(AGENDA)

    buttons = conflict(visitor, "These two").get_by_role("button").all()

    boxes = [it.bounding_box() for it in buttons]
    assert len({box["y"] for box in boxes if box}) == 1
    assert max(box["x"] + box["width"] for box in boxes if box) <= 390
    assert len(boxes) == 2


def test_removed_star_without_a_script_comes_back_to_the_stop_beside_it(
    browser: Browser, live_server: LiveServer, thursday: Thursday
) -> None:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(AGENDA)

    for removed, beside in [("Brief talk", "A long talk"), ("Keynote", "Lunch break")]:
        page.get_by_role("main").get_by_role("button", name=f"Bookmark {removed}").click()
        expect(page).to_have_url(f"{live_server.url}{AGENDA}#e-{thursday.agenda.events.get(title=beside).guid}")
    context.close()


def test_first_screen_of_a_phone_has_the_next_two_stops(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)
    stops = visitor.locator(".itinerary:visible > .stop")

    expect(stops.first.locator(".stop-next")).to_be_visible()
    for stop, title in zip(stops.all()[:2], ["Brief talk", "A long talk"], strict=True):
        card = stop.locator(".event-card")
        expect(card).to_contain_text(title)
        box = card.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= VIEW_ABOVE_BAR
    expect(visitor.get_by_text("Earlier today (1)")).to_be_visible()
    expect(visitor.get_by_role("heading", name="Early talk")).to_be_hidden()


def test_menu_of_the_agenda_opens_without_a_script(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)
    expect(visitor.get_by_role("button", name="Download .ics")).to_be_hidden()

    visitor.locator(".more > summary").click()

    for name in ("Step-free", "Stay dry", "Download .ics"):
        expect(visitor.get_by_role("button", name=name)).to_be_in_viewport()
    expect(visitor.get_by_role("link", name="Free now?")).to_be_in_viewport()


def test_posters_of_a_session_open_on_demand(visitor: Page, thursday: Thursday) -> None:
    session = make_event(thursday.conference, title="Poster Session 1", start="15:00", end="17:00")
    for board in ("36", "9"):
        poster = make_event(
            thursday.conference, kind="poster", title=f"On {board}", start="15:00", end="17:00", session=session, board=board
        )
        thursday.agenda.bookmark(poster, on=True)
    visitor.goto(AGENDA)
    stop = visitor.locator(".poster-stop")
    expect(stop.get_by_text("2 posters: 9, 36")).to_be_visible()
    expect(stop.get_by_role("link", name="On 9")).to_be_hidden()

    stop.get_by_text("2 posters: 9, 36").click()

    assert stop.locator("li a").all_inner_texts() == ["On 9", "On 36"]
    expect(stop.get_by_role("button", name="Bookmark On 9")).to_have_attribute("aria-pressed", "true")
    stop.get_by_role("link", name="Walk the round").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Poster round")
    assert f"/events/{session.guid}/round/" in visitor.url


def test_paper_has_every_stop_and_nothing_to_press(visitor: Page, thursday: Thursday) -> None:
    visitor.goto(AGENDA)

    visitor.emulate_media(media="print")

    expect(visitor.get_by_role("heading", level=1)).to_have_text("My agenda, ICLR 2025")
    expect(visitor.get_by_role("heading", name="Early talk")).to_be_visible()
    expect(visitor.get_by_role("main").get_by_role("button").filter(visible=True)).to_have_count(0)
    assert visitor.locator("main h2:visible").all_inner_texts() == ["Thursday 24 April"]
    assert visitor.locator("main summary:visible, .event-soon:visible, .stop-next:visible, .leave-line:visible").count() == 0


def test_paper_has_changes_and_routes_without_buttons(visitor: Page, thursday: Thursday) -> None:
    zone = make_zone(thursday.conference, "Exit A")
    start = StartingPoint.objects.create(conference=thursday.conference, name="Hotel", slug="hotel")
    Route.objects.create(conference=thursday.conference, start=start, zone=zone, title="Along the river")
    with time_machine.travel(at("09:31")):
        for event in thursday.agenda.events.filter(title__endswith="talk", start__gte=at("10:00")):
            event.end = at("10:50")
            event.revise()
    visitor.emulate_media(media="print")

    for address, words in ((AGENDA, "2 changes since you looked"), (ROUTES, "Along the river")):
        with time_machine.travel(at("09:32")):
            visitor.goto(address)
            expect(visitor.get_by_role("main").get_by_text(words)).to_be_visible()
            expect(visitor.locator("main :is(button, summary, .news-line)").filter(visible=True)).to_have_count(0)


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_clashes_and_menus_fit_the_narrowest_phone(visitor: Page, size: str) -> None:
    visitor.set_viewport_size({"width": 320, "height": 640})
    visitor.goto(AGENDA)
    visitor.evaluate("size => { document.documentElement.style.fontSize = size }", size)
    as_opened = visitor.evaluate(IS_WIDE)

    visitor.locator(".more > summary").click()

    assert (as_opened, visitor.evaluate(IS_WIDE)) == (False, False)


def test_choice_far_down_a_long_agenda_stays_in_view(browser: Browser, live_server: LiveServer, thursday: Thursday) -> None:
    hall = make_room(thursday.conference, "Hall 2")
    days = [make_day(thursday.conference, at("09:00").date() + dt.timedelta(days=more)) for more in (1, 2)]
    pairs = [
        make_event(
            thursday.conference,
            day=day,
            title=f"{name} talk {day.date:%a}, {hour}",
            start=f"{hour}:00",
            end=f"{hour}:30",
            room=hall,
        )
        for day in days
        for hour in range(14, 22)
        for name in ("One", "Other")
    ]
    for talk in pairs:
        thursday.agenda.bookmark(talk, on=True)
    context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844}, has_touch=True)
    context.add_cookies([{"name": VISITOR_COOKIE, "value": thursday.token, "url": live_server.url}])
    page = context.new_page()
    page.goto(AGENDA)
    button = page.get_by_role("button", name="Keep One talk Sat, 17")
    button.evaluate("it => it.scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    # Where the two parts differ much, Chromium would follow the former one to the end of the page.
    anchor = "getComputedStyle(document.documentElement).overflowAnchor"
    page.evaluate(f"document.addEventListener('htmx:afterSwap', () => {{ window.anchorOfSwap = {anchor}; }})")

    button.tap()

    kept = page.get_by_role("main").get_by_role("button", name="Bookmark One talk Sat, 17")
    expect(kept).to_be_focused()
    expect(kept).to_be_in_viewport()
    assert abs(page.evaluate("scrollY") - before) <= 1
    assert page.evaluate(f"[window.anchorOfSwap, {anchor}]") == ["none", "auto"]
    context.close()
