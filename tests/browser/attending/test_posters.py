"""A poster session on a phone while it is on: choose a topic, search, star; and the stars in the list of papers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Bookmark, Event, Topic
from tests.browser.watching import Watch
from tests.factories import at, make_conference, make_event, make_paper, make_person, make_room

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}
FOLD = 779


@pytest.fixture(autouse=True)
def _now() -> Iterator[None]:
    with time_machine.travel(at("10:30")):
        yield


@pytest.fixture
def session() -> Event:
    """A session of 90 posters about three topics."""
    conference = make_conference(slug="demo")
    hall = make_room(conference, "Hall 3")
    session = make_event(conference, title="Poster Session 1", start="10:00", end="12:30", room=hall)
    topics = [Topic.objects.create(conference=conference, area=area) for area in ("Theory", "Vision", "Language")]
    for number in range(1, 91):
        paper = make_paper(
            conference, make_person(conference, f"Author {number}"), title=f"Paper on {number}", topic=topics[number % 3]
        )
        make_event(
            conference, kind="poster", title=paper.title, paper=paper, board=f"#{number}", session=session,
            start="10:00", end="12:30", room=hall, announce=False,
        )  # fmt: skip
    return session


@pytest.fixture(params=[True, False], ids=["javascript", "no-javascript"])
def phone(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Page:
    return browser.new_page(java_script_enabled=request.param, viewport=PHONE, base_url=live_server.url)  # type: ignore[arg-type]


def boards(page: Page) -> list[str]:
    return page.locator(".poster .board").all_inner_texts()


def first_poster_top(page: Page) -> float:
    box = page.locator(".poster").first.bounding_box()
    assert box is not None
    return box["y"]


def test_topic_is_a_select_and_its_first_poster_is_on_the_first_screen(
    phone: Page, session: Event, request: pytest.FixtureRequest, live_server: LiveServer
) -> None:
    watch = Watch(phone, live_server.url)
    phone.goto(session.get_absolute_url())
    assert first_poster_top(phone) < FOLD

    phone.get_by_label("Topic", exact=True).select_option(label="Vision (30)")
    if "no-javascript" in request.node.name:
        phone.get_by_role("button", name="Show").click()
        assert phone.url.endswith("#talks")

    expect(phone.locator("#contents").get_by_text("30 of 90")).to_be_visible()
    expect(phone.locator(".poster")).to_have_count(30)
    assert [it.split()[-1] for it in boards(phone)[:3]] == ["1", "4", "7"]
    assert first_poster_top(phone) < FOLD
    assert "topic=vision" in phone.url
    assert (phone.locator("main").count(), phone.locator("h1").count(), watch.complaints) == (1, 1, [])


def test_session_is_searched_and_cleared(phone: Page, session: Event) -> None:
    phone.goto(session.get_absolute_url())

    phone.get_by_label("Title, person or board").fill("author 77")
    phone.keyboard.press("Enter")

    expect(phone.locator(".poster")).to_have_count(1)
    assert [it.split() for it in boards(phone)] == [["Board", "77"]]
    phone.get_by_role("link", name="Clear").click()
    expect(phone.locator(".poster")).to_have_count(60)


def test_search_narrows_while_one_types_and_keeps_the_focus(page: Page, session: Event) -> None:
    page.goto(session.get_absolute_url())

    page.get_by_label("Title, person or board").press_sequentially("board 8")

    expect(page.locator(".poster")).to_have_count(11)
    expect(page.get_by_label("Title, person or board")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("11 of 90")


def test_titles_of_posters_stand_below_each_other(page: Page, session: Event) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(session.get_absolute_url())

    lefts = page.locator(".poster .event-title").evaluate_all("titles => titles.map(it => it.getBoundingClientRect().left)")

    assert (len(lefts), len(set(lefts))) == (60, 1)


def test_star_in_the_list_of_papers_bookmarks_the_poster(phone: Page, session: Event) -> None:
    phone.goto(f"/{session.conference.slug}/papers/?q=paper+on+42")

    phone.get_by_role("main").get_by_role("button", name="Bookmark Paper on 42").click()

    expect(phone.get_by_role("main").get_by_role("button", name="Bookmark Paper on 42")).to_have_attribute("aria-pressed", "true")
    assert [it.event.board for it in Bookmark.objects.select_related("event")] == ["#42"]


def test_poster_is_one_page(phone: Page, session: Event) -> None:
    poster = Event.objects.get(board="#42")
    assert poster.paper is not None
    poster.paper.abstract = "What is shown."
    poster.paper.save()

    phone.goto(poster.paper.get_absolute_url())

    assert phone.url.endswith(poster.get_absolute_url())
    main = phone.get_by_role("main")
    for text in ("Board 42", "Author 42", "What is shown."):
        expect(main.get_by_text(text)).to_be_visible()
    expect(main.get_by_text("How full is it?")).to_have_count(0)
    expect(main.get_by_role("link", name="OpenStreetMap")).to_have_count(0)
