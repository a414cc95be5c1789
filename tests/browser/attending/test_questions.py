"""A question from the hall to the stage and back, in browsers."""

from __future__ import annotations

import datetime as dt

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Event, Question
from events.staff.models import MODERATORS
from tests.factories import make_conference
from tests.questions.asking import ask_url, list_url, make_panel, make_question

pytestmark = pytest.mark.django_db(transaction=True)

WHY = "Why is this <b>so</b>?"


@pytest.fixture
def panel() -> Event:
    """It is on now."""
    now = timezone.now()
    conference = make_conference(slug="demo", start=now.date(), end=now.date() + dt.timedelta(days=2))
    return make_panel(conference, start=now - dt.timedelta(minutes=10), end=now + dt.timedelta(hours=2))


def on_stage(page: Page, panel: Event) -> Page:
    """Somebody who is nothing but a moderator, where the questions are decided."""
    moderator = User.objects.create_user("moderator", password="a long password", is_staff=True)
    moderator.groups.add(Group.objects.get(name=MODERATORS))
    page.goto(reverse("admin:login"))
    page.fill("#id_login", "moderator")
    page.fill("#id_password", "a long password")
    page.click("input[type=submit]")
    page.goto(reverse("admin:events_question_stage", args=[panel.conference.slug, panel.guid]))
    return page


def test_question_is_asked_voted_for_by_keyboard_and_answered_on_stage(
    browser: Browser, live_server: LiveServer, page: Page, panel: Event
) -> None:
    page.goto(list_url(panel))
    page.get_by_role("link", name="Ask a question").click()
    page.get_by_label("Your question").fill(WHY)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".question-text")).to_have_text(WHY)
    expect(page.locator("#status")).to_contain_text(Question.objects.get().name)

    other = browser.new_context(base_url=live_server.url).new_page()
    other.goto(list_url(panel))
    button = other.locator(".vote")
    button.focus()
    other.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_text("1")
    expect(button).to_be_focused()
    other.reload()
    expect(button).to_have_attribute("aria-pressed", "true")

    stage = on_stage(browser.new_context(base_url=live_server.url).new_page(), panel)
    expect(stage.locator(".stage-text")).to_have_text(WHY)
    assert Axe().run(stage, context="#content-main").response["violations"] == []
    stage.get_by_role("button", name="Answered").click()
    expect(stage.locator(".stage-text").first).to_have_text("No questions are waiting.")

    other.goto(list_url(panel))
    expect(other.locator(".question .flag")).to_have_text("Answered")
    assert Question.objects.get().state == "answered"


def test_stage_shows_what_is_asked_meanwhile(page: Page, panel: Event) -> None:
    page.clock.install()
    on_stage(page, panel)
    make_question(panel, "Asked while the stage was open?")

    page.clock.run_for(11_000)

    expect(page.locator(".stage-text").first).to_have_text("Asked while the stage was open?")


def test_list_asks_again_and_not_while_nobody_looks(page: Page, panel: Event) -> None:
    make_question(panel, "Asked at first?")
    page.clock.install()
    page.goto(list_url(panel))
    make_question(panel, "Asked meanwhile?")

    page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    page.clock.run_for(61_000)
    expect(page.locator(".question-text")).to_have_text(["Asked at first?"])
    page.evaluate("delete document.hidden")
    page.clock.run_for(31_000)

    expect(page.locator(".question-text")).to_have_text(["Asked at first?", "Asked meanwhile?"])


def test_stage_that_cannot_fetch_says_so_until_it_can(page: Page, panel: Event) -> None:
    page.clock.install()
    on_stage(page, panel)
    stale = page.get_by_text("These questions may be out of date.")
    expect(stale).to_be_hidden()

    page.context.set_offline(True)
    page.clock.run_for(11_000)
    expect(stale).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for(11_000)

    expect(stale).to_be_hidden()


def test_own_question_is_taken_back_without_a_script(browser: Browser, live_server: LiveServer, panel: Event) -> None:
    page = browser.new_context(base_url=live_server.url, java_script_enabled=False).new_page()
    page.goto(ask_url(panel))
    page.get_by_label("Your question").fill(WHY)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.get_by_role("link", name="Withdraw").click()
    page.get_by_role("button", name="Withdraw").click()

    expect(page.locator("#status")).to_contain_text("Withdrawn.")
    expect(page.locator(".question-text")).to_have_count(0)
    assert not Question.objects.exists()
