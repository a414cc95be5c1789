"""Bookmarks without network: those that wait, and those that the site accepted before."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.handlers.base import BaseHandler
from django.db import OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Agenda, BookmarkLevel
from tests.browser.hall import Hall, OpenPhone, level_of, remember, star
from tests.browser.saving import SAVED_IN_TIME, cached, line, save_pages, until
from tests.factories import make_agenda

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.service_worker]

SAVED_AGENDA = "(await (await caches.match('/demo/agenda/', { ignoreVary: true })).text())"
ACCEPTED = "caches.match('/offline/notes/bookmarks/accepted')"


def test_level_that_waits_is_read_on_the_agenda(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto("/demo/agenda/")
    phone.context.set_offline(True)
    label = phone.locator(".level-now")

    label.click()
    phone.locator(".level-menu").get_by_role("button", name="Maybe").click()
    expect(label).to_contain_text("Maybe")
    phone.reload()
    expect(label).to_contain_text("Maybe")
    expect(label.locator("[data-waiting]")).to_have_count(1)

    phone.context.set_offline(False)

    expect(phone.locator(".level-now [data-waiting]")).to_have_count(0, timeout=SAVED_IN_TIME)
    expect(label).to_contain_text("Maybe")
    assert level_of(hall.agenda, hall.talk) == BookmarkLevel.MAYBE


def test_bookmark_waits_and_is_sent(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto(hall.day_url)
    phone.context.set_offline(True)

    star(phone, hall.panel).click()
    expect(star(phone, hall.panel)).to_have_attribute("data-waiting", "")
    expect(star(phone, hall.panel)).to_have_attribute("aria-pressed", "true")
    expect(phone.locator("#status")).to_contain_text("Saved on this device")
    expect(line(phone)).to_contain_text("1 bookmark waits to be sent.")
    star(phone, hall.talk).click()
    expect(star(phone, hall.talk)).to_have_attribute("aria-pressed", "false")
    phone.reload()
    for event, pressed in [(hall.panel, "true"), (hall.talk, "false")]:
        expect(star(phone, event)).to_have_attribute("data-waiting", "")
        expect(star(phone, event)).to_have_attribute("aria-pressed", pressed)
    # The last decision about an event is the only one.
    star(phone, hall.talk).click()
    expect(star(phone, hall.talk)).to_have_attribute("aria-pressed", "true")
    star(phone, hall.talk).click()
    expect(star(phone, hall.talk)).to_have_attribute("aria-pressed", "false")
    assert len(cached(phone)["hallway-waiting"]) == 2
    assert [level_of(hall.agenda, it) for it in (hall.panel, hall.talk)] == ["", BookmarkLevel.MUST]

    phone.context.set_offline(False)

    expect(phone.locator("#status")).to_contain_text("In your agenda: Panel.", timeout=SAVED_IN_TIME)
    expect(line(phone)).to_have_count(0)
    expect(star(phone, hall.panel)).not_to_have_attribute("data-waiting", "")
    assert [level_of(hall.agenda, it) for it in (hall.panel, hall.talk)] == [BookmarkLevel.MUST, ""]
    until(phone, f"{SAVED_AGENDA}.includes('Panel')")
    assert cached(phone).get("hallway-waiting", []) == []


def test_undo_without_network_stays_to_be_tried_again(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto(hall.day_url)
    star(phone, hall.panel).click()
    expect(phone.locator("#status")).to_contain_text("In your agenda: Panel.")
    phone.context.set_offline(True)

    phone.locator("#status").get_by_role("button", name="Undo").click()
    expect(phone.locator("#status")).to_contain_text("No connection. Nothing was changed")
    phone.context.set_offline(False)
    phone.locator("#status").get_by_role("button", name="Undo").click()

    expect(phone.locator("#status")).to_contain_text("Removed: Panel.")
    expect(star(phone, hall.panel)).to_have_attribute("aria-pressed", "false")
    assert level_of(hall.agenda, hall.panel) == ""


def test_late_phone_does_not_undo_what_a_laptop_decided_since(open_phone: OpenPhone, hall: Hall) -> None:
    phone, laptop = open_phone(), open_phone()
    save_pages(phone)
    phone.goto(hall.day_url)
    phone.context.set_offline(True)
    star(phone, hall.talk).click()
    expect(star(phone, hall.talk)).to_have_attribute("data-waiting", "")
    # Seconds are what a phone tells.
    phone.wait_for_timeout(2_000)

    laptop.goto(hall.talk.get_absolute_url())
    laptop.get_by_role("button", name="Maybe").click()
    expect(laptop.get_by_role("button", name="Maybe").first).to_have_attribute("aria-pressed", "true")
    phone.context.set_offline(False)

    expect(phone.locator("#status")).to_contain_text("Changed on another device since: Talk stays in", timeout=SAVED_IN_TIME)
    expect(star(phone, hall.talk)).to_have_attribute("aria-pressed", "true")
    assert level_of(hall.agenda, hall.talk) == BookmarkLevel.MAYBE


def test_bookmark_of_what_is_gone_is_told(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto(hall.day_url)
    phone.context.set_offline(True)
    star(phone, hall.panel).click()
    expect(star(phone, hall.panel)).to_have_attribute("data-waiting", "")
    hall.panel.status = "draft"
    hall.panel.revise()

    phone.context.set_offline(False)

    expect(phone.locator("#status")).to_contain_text("1 bookmark not sent: no longer in the programme.", timeout=SAVED_IN_TIME)
    assert cached(phone)["hallway-waiting"] == []


def test_open_page_sends_again_what_a_busy_site_refused(
    phone: Page, hall: Hall, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Other browsers than Chromium never send in the background.
    permission = {"permission": {"name": "background-sync"}, "setting": "denied"}
    phone.context.new_cdp_session(phone).send("Browser.setPermission", permission)
    attempts: list[int] = []

    def refuse_twice(agenda: Agenda, *args: Any, **kwargs: Any) -> Any:
        attempts.append(len(attempts))
        if len(attempts) < 3:
            raise OperationalError("database is locked")
        return decide(agenda, *args, **kwargs)

    decide = Agenda.bookmark
    save_pages(phone)
    phone.goto(hall.day_url)
    monkeypatch.setattr(Agenda, "bookmark", refuse_twice)

    star(phone, hall.panel).click()

    expect(phone.locator("#status")).to_contain_text("The site does not answer. Saved on this device, and sent when it does.")
    expect(line(phone)).to_contain_text("1 bookmark waits to be sent.")
    expect(phone.locator("#status")).to_contain_text("In your agenda: Panel.", timeout=SAVED_IN_TIME)
    expect(line(phone)).to_have_count(0)
    expect(phone.locator("#agenda-count-bar")).to_have_text("2")
    assert (len(attempts), level_of(hall.agenda, hall.panel)) == (3, BookmarkLevel.MUST)


def test_answer_that_comes_late_is_shown(phone: Page, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    answering = threading.Event()
    attempts: list[Any] = []

    def hang(agenda: Agenda, *args: Any, **kwargs: Any) -> Any:
        attempts.append(args)
        answering.wait(30)
        return decide(agenda, *args, **kwargs)

    decide = Agenda.bookmark
    save_pages(phone)
    phone.goto(hall.day_url)
    monkeypatch.setattr(Agenda, "bookmark", hang)

    star(phone, hall.panel).click()

    expect(line(phone)).to_contain_text("1 bookmark waits to be sent.", timeout=SAVED_IN_TIME)
    # Before the page tries again.
    answering.set()
    expect(phone.locator("#status")).to_contain_text("1 bookmark sent.")
    expect(line(phone)).to_have_count(0)
    expect(star(phone, hall.panel)).not_to_have_attribute("data-waiting", "")
    expect(phone.locator("#agenda-count-bar")).to_have_text("2")
    assert (len(attempts), level_of(hall.agenda, hall.panel)) == (1, BookmarkLevel.MUST)
    until(phone, f"{SAVED_AGENDA}.includes('Panel')")


@pytest.mark.parametrize("has_network", [True, False], ids=["network", "no network"])
def test_page_asked_for_before_a_bookmark_does_not_hide_it(
    phone: Page, hall: Hall, monkeypatch: pytest.MonkeyPatch, has_network: bool
) -> None:
    sending = threading.Event()

    def answer_late(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        response = answer(handler, request)
        if request.path == hall.day_url:
            sending.wait(30)
        return response

    answer = BaseHandler.get_response
    phone.set_viewport_size({"width": 390, "height": 200})
    save_pages(phone)
    monkeypatch.setattr(BaseHandler, "get_response", answer_late)
    phone.goto(hall.day_url)
    expect(line(phone)).to_contain_text("The site does not answer.")

    star(phone, hall.panel).click()
    expect(phone.locator("#agenda-count-bar")).to_have_text("2")
    phone.evaluate("scrollTo(0, 50)")
    sending.set()
    expect(line(phone)).to_contain_text("A newer one is here", timeout=SAVED_IN_TIME)
    phone.context.set_offline(not has_network)
    line(phone).get_by_role("link", name="A newer one is here").click()

    expect(line(phone)).to_have_count(0 if has_network else 1)
    expect(phone.get_by_text("A newer one is here")).to_have_count(0)
    expect(star(phone, hall.panel)).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("begun_on", ["", "/demo/", "/demo/agenda/"], ids=["before", "on a public page", "on its own page"])
def test_bookmark_for_another_agenda_asks(phone: Page, hall: Hall, live_server: LiveServer, begun_on: str) -> None:
    other, token = make_agenda(hall.conference)
    if begun_on:
        phone.context.clear_cookies()
    save_pages(phone)
    if begun_on:
        phone.goto(begun_on)
        star(phone, hall.keynote).click()
        expect(phone.locator("#status")).to_contain_text("In your agenda: Keynote.")
        until(phone, "caches.match('/offline/notes/whose/demo').then(Boolean)")
    phone.goto(hall.day_url)
    phone.context.set_offline(True)
    star(phone, hall.panel).click()
    expect(star(phone, hall.panel)).to_have_attribute("data-waiting", "")
    remember(phone.context, live_server.url, token)

    phone.context.set_offline(False)

    expect(line(phone)).to_contain_text("1 bookmark could not be sent", timeout=SAVED_IN_TIME)
    assert [level_of(it, hall.panel) for it in (hall.agenda, other)] == ["", ""]
    line(phone).get_by_role("button", name="Add to this one").click()
    expect(phone.locator("#status")).to_contain_text("In your agenda: Panel.", timeout=SAVED_IN_TIME)
    assert [level_of(it, hall.panel) for it in (hall.agenda, other)] == ["", BookmarkLevel.MUST]


def test_accepted_bookmark_stays_without_network(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto(hall.day_url)
    for event in (hall.panel, hall.talk, hall.keynote):
        star(phone, event).click()
        expect(phone.locator("#status")).to_contain_text(f": {event.title}.")
    until(phone, f"Object.keys(await {ACCEPTED}.then((it) => it.json())).length === 3")
    until(phone, f"{SAVED_AGENDA}.includes('Keynote')")
    phone.context.set_offline(True)

    phone.reload()

    expect(line(phone)).to_contain_text("This page is as of")
    for event, pressed in [(hall.panel, "true"), (hall.talk, "false"), (hall.keynote, "true")]:
        expect(star(phone, event)).to_have_attribute("aria-pressed", pressed)
        expect(star(phone, event)).not_to_have_attribute("data-waiting", "")
    expect(phone.locator("#agenda-count-bar")).to_have_text("2")
    phone.goto("/demo/agenda/")
    titles = phone.locator(".stop .event-title").all_inner_texts()
    assert sorted(title.strip() for title in titles) == ["Keynote", "Panel"]


def test_level_falls_back_to_must_where_a_star_is_tapped_off_and_on(phone: Page, hall: Hall) -> None:
    hall.agenda.bookmark(hall.talk, on=True, level=BookmarkLevel.MAYBE)
    save_pages(phone)
    phone.goto("/demo/agenda/")
    phone.context.set_offline(True)
    label = phone.locator(".level-now")
    label.click()
    phone.locator(".level-menu").get_by_role("button", name="Watch later").click()
    expect(label).to_contain_text("Watch later")

    for pressed in ("false", "true"):
        star(phone, hall.talk).click()
        expect(star(phone, hall.talk)).to_have_attribute("aria-pressed", pressed)

    expect(label).to_contain_text("Must")
    phone.reload()
    expect(label).to_contain_text("Must")
    phone.context.set_offline(False)
    expect(phone.locator(".level-now [data-waiting]")).to_have_count(0, timeout=SAVED_IN_TIME)
    expect(label).to_contain_text("Must")
    assert level_of(hall.agenda, hall.talk) == BookmarkLevel.MUST


def test_agenda_lists_what_waits(open_phone: OpenPhone, hall: Hall) -> None:
    hall.panel.title = "<b>Panel</b> & more"
    hall.panel.save()
    _, token = make_agenda(hall.conference)
    phone = open_phone(token)
    save_pages(phone)
    phone.goto(hall.day_url)
    phone.context.set_offline(True)
    star(phone, hall.panel).click()
    expect(line(phone)).to_contain_text("1 bookmark waits to be sent.")
    until(phone, "(await (await (await caches.open('hallway-waiting')).matchAll())[0].text()).includes('Panel')")

    phone.goto("/demo/agenda/")

    link = line(phone).get_by_role("link", name="<b>Panel</b> & more", exact=True)
    expect(link).to_have_attribute("href", hall.panel.get_absolute_url())
    expect(phone.get_by_text("Nothing picked yet")).to_be_hidden()
    phone.context.set_offline(False)
    expect(phone.locator(".stop .event-title")).to_contain_text("Panel", timeout=SAVED_IN_TIME)
    expect(line(phone)).to_have_count(0)
    expect(phone.get_by_text("Nothing picked yet")).to_have_count(0)
