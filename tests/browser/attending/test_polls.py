"""A poll from the phone of somebody in the hall to the wall, with and without JavaScript."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise

import pytest
import time_machine
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Event, Poll, PollVote
from events.screens.queries import screen_address_of
from tests.browser.test_bad_network import held
from tests.factories import make_room
from tests.polls.polling import DURING, WEIGHTS, list_url, make_panel, make_poll

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING):
        yield


@pytest.fixture
def poll() -> Poll:
    panel = make_panel()
    panel.room = make_room(panel.conference, "Hall 1")
    panel.save()
    return make_poll(panel, votes=(1, 0, 0))


def answers(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".poll-answer").all_inner_texts()]


@pytest.mark.parametrize("scripted", [True, False])
def test_vote_is_given_changed_and_seen_when_the_poll_is_closed(
    browser: Browser, live_server: LiveServer, poll: Poll, scripted: bool
) -> None:
    context = browser.new_context(base_url=live_server.url, viewport=PHONE, java_script_enabled=scripted)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(Event.objects.get().get_absolute_url())
    expect(page.get_by_text("You see the result after your vote.")).to_be_visible()
    assert answers(page) == ["Yes", "No", "It depends"]

    page.get_by_role("button", name="No", exact=True).click()
    expect(page.get_by_role("button", name="Your vote: No")).to_have_attribute("aria-pressed", "true")
    assert answers(page) == ["Yes 50% 1", "Your vote: No 50% 1", "It depends 0% 0"]

    page.get_by_role("button", name="It depends").click()
    expect(page.get_by_role("button", name="Your vote: It depends")).to_have_attribute("aria-pressed", "true")
    assert PollVote.objects.count() == 2

    poll.close(seen="open")
    page.goto(list_url(poll.event))
    expect(page.get_by_text("Poll, closed")).to_be_visible()
    assert answers(page) == ["Yes 50% 1", "No 0% 0", "Your vote: It depends 50% 1"]
    assert page.locator("h1").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"] if scripted else True


def test_message_about_a_second_tap_goes_once_the_vote_counts(page: Page, poll: Poll) -> None:
    page.goto(poll.event.get_absolute_url())
    answer = page.get_by_role("button", name="No", exact=True)
    waiting = held(page, "**/vote/")

    answer.click()
    answer.click()
    expect(page.get_by_text("Still waiting for an answer to your first tap.")).to_be_visible()
    waiting[0].continue_()

    expect(page.get_by_role("button", name="Your vote: No")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Still waiting for an answer")).to_have_count(0)
    assert len(waiting) == PollVote.objects.count() - 1 == 1


def test_page_of_the_event_shows_the_result_and_the_next_poll_by_itself(page: Page, poll: Poll) -> None:
    page.clock.install()
    page.goto(poll.event.get_absolute_url())
    expect(page.locator(".poll-question")).to_have_text([WEIGHTS])

    poll.close(seen="open")
    make_poll(poll.event, question="And code?")
    with time_machine.travel(DURING + dt.timedelta(minutes=1)):
        page.clock.fast_forward("00:31")
        expect(page.locator("#polls .poll-question")).to_have_text(["And code?", WEIGHTS])

    assert answers(page) == ["Yes", "No", "It depends", "Yes 100% 1", "No 0% 0", "It depends 0% 0"]


def test_vote_keeps_the_focus_and_moves_nothing(page: Page, poll: Poll) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(list_url(poll.event))
    button = page.locator(f"#poll-{poll.guid}-3")
    before = button.bounding_box()

    button.focus()
    page.keyboard.press("Enter")

    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    assert button.bounding_box() == pytest.approx(before, abs=0.7)
    expect(page.locator("#announcer")).to_contain_text("You voted for “It depends”: 50% of 2 votes.")
    assert Axe().run(page, context="main").response["violations"] == []


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (1280, 720)])
def test_wall_shows_the_longest_poll_without_cutting_it(page: Page, poll: Poll, size: tuple[int, int]) -> None:
    poll.close(seen="open")
    words = "Which of these should the next workshop give more time to, and who "
    texts = [f"{number} {'an answer of many words ' * 3}"[:80].strip() for number in range(6)]
    longest = make_poll(poll.event, *texts, question=(words * 3)[:200].strip())
    page.set_viewport_size({"width": size[0], "height": size[1]})
    room = poll.event.room
    assert room is not None

    page.goto(screen_address_of(room))

    expect(page.locator(".wall-poll h2")).to_have_text(longest.question)
    # Less than half a line: letters reach below a tight line.
    cut = "element => element.scrollHeight > element.clientHeight + parseFloat(getComputedStyle(element).fontSize) / 2"
    assert [page.locator(part).first.evaluate(cut) for part in (".wall-poll h2", ".wall-answers", ".wall-main")] == [False] * 3
    # At one moment: the screen may draw itself again between two calls.
    edges = "rows => rows.map(row => row.getBoundingClientRect()).map(box => [box.top, box.bottom])"
    rows = page.locator(".wall-answers > li").evaluate_all(edges)
    assert len(rows) == len(texts)
    assert [one for one, other in pairwise(rows) if one[1] > other[0] + 1] == []


def test_wall_shows_the_poll(page: Page, poll: Poll) -> None:
    room = poll.event.room
    assert room is not None

    page.goto(screen_address_of(room))

    expect(page.locator(".wall-poll h2")).to_have_text(WEIGHTS)
    expect(page.locator(".wall-share").first).to_have_text("100% 1")
