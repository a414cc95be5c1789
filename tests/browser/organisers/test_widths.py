"""Lists, and tables inside forms, are no wider than the page of a desk; what a phone shows first after saving."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Event, FloorPlan, Question
from tests.browser.organisers.test_import import log_in
from tests.factories import make_agenda, make_appearance, make_event, make_person
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)

LISTS = ("session", "invitedtalk", "social", "paper", "award", "person", "room", "route", "service", "eventtype", "change")
TOO_WIDE = "[...document.querySelectorAll('.results, .tabular')].map(it => it.scrollWidth - it.clientWidth).filter(it => it > 0)"


def crowded_session(world: World) -> Event:
    session = make_event(world.conference, title="A session with many talks and a long title", start="09:00", end="10:00")
    make_event(world.conference, kind="talk", title="A talk inside", session=session, start="09:00", end="09:30")
    for number in range(28):
        make_appearance(session, make_person(world.conference, f"Mentor with a long name {number}"))
    return session


def test_lists_and_tables_fit_a_desk(browser: Browser, live_server: LiveServer, world: World) -> None:
    session = crowded_session(world)
    page = browser.new_page(base_url=live_server.url, viewport={"width": 1280, "height": 900})
    log_in(page)

    found = {}
    forms = [("session", session.pk), ("floorplan", FloorPlan.objects.order_by("pk")[0].pk)]
    addresses = [reverse(f"admin:events_{model}_changelist") for model in LISTS]
    for address in [*addresses, *(reverse(f"admin:events_{model}_change", args=[pk]) for model, pk in forms)]:
        page.goto(address)
        found[address] = page.evaluate(TOO_WIDE)

    assert [address for address, wide in found.items() if wide] == []
    page.goto(reverse("admin:events_session_changelist"))
    assert "and 25 more" in page.locator("#result_list").inner_text()
    page.close()


def test_a_question_without_a_blank_does_not_widen_its_list(browser: Browser, live_server: LiveServer, world: World) -> None:
    Question.objects.create(event=world.talk, agenda=make_agenda(world.conference)[0], text="why" * 160)
    page = browser.new_page(base_url=live_server.url, viewport={"width": 390, "height": 844})
    log_in(page)

    page.goto(reverse("admin:events_question_changelist"))

    text = page.locator("#result_list th").filter(has_text="whywhy")
    assert text.evaluate("it => it.offsetWidth") <= 390
    page.close()


COVERED = """() => {
  const box = it => it.getBoundingClientRect()
  const meet = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
  const tools = [...document.querySelectorAll(".object-tools a")].map(box)
  const others = [...document.querySelectorAll("#content h1, #content h2, .hallway-scope, #toolbar, .submit-row")]
  return others.filter(it => it.checkVisibility() && tools.some(tool => meet(tool, box(it)))).map(it => it.textContent.trim())
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_buttons_of_a_page_cover_nothing(browser: Browser, live_server: LiveServer, world: World, width: int) -> None:
    page = browser.new_page(base_url=live_server.url, viewport={"width": width, "height": 900})
    log_in(page)

    found = {}
    rows = [("conference", world.conference.pk), ("session", world.session.pk)]
    changes = [reverse(f"admin:events_{model}_change", args=[pk]) for model, pk in rows]
    for address in [*changes, *(reverse(f"admin:events_{model}_changelist") for model in ("room", "session", "conference"))]:
        page.goto(address)
        assert page.locator(".object-tools a").count()
        found[address] = page.evaluate(COVERED)

    assert [address for address, covered in found.items() if covered] == []
    page.close()


def test_message_after_saving_is_in_view_on_a_phone(browser: Browser, live_server: LiveServer, world: World) -> None:
    """The first field has the focus, and is below what a low phone shows."""
    page = browser.new_page(base_url=live_server.url, viewport={"width": 390, "height": 500})
    log_in(page)
    page.goto(reverse("admin:events_conference_change", args=[world.conference.pk]))
    page.get_by_role("button", name="Save and continue editing").first.click()
    expect(page.locator("[name=name]")).to_be_focused()

    expect(page.locator(".messagelist li").first).to_be_in_viewport()

    page.locator("[name=name]").fill("")
    page.locator("form[id$=_form]").evaluate("form => { form.noValidate = true; }")
    page.get_by_role("button", name="Save and continue editing").first.click()
    expect(page.locator("[name=name]")).to_be_in_viewport()
    page.close()
