"""A hall without network: pages that open, bookmarks that wait, and nothing that stays behind."""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.db import OperationalError
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, BookmarkLevel, CrowdReport, Event
from events.offline import worker
from events.offline.queries import MAX_SAVED_PAGES
from tests.browser.saving import KEYS, NOTE, SAVED_IN_TIME, STARS, cached, line, save_pages, until
from tests.factories import make_agenda, make_conference, make_day, make_event, make_report, make_room

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.service_worker]

ESTIMATED_BYTES = 5_000_000
SIGN_COLOUR = "rgb(22, 24, 29)"


class Hall:
    """It is noon at the venue: a keynote is on, a talk is soon, and a panel is in the afternoon."""

    def __init__(self) -> None:
        now = timezone.now().replace(second=0, microsecond=0)
        hours = 12 - now.hour
        zone = f"Etc/GMT{-hours:+d}" if hours else "UTC"
        today = now.date()
        self.conference = make_conference(slug="demo", timezone=zone, start=today, end=today + dt.timedelta(days=1))
        day = make_day(self.conference, today)

        def event(title: str, begins: int, ends: int, **fields: Any) -> Event:
            times = {"start": now + dt.timedelta(minutes=begins), "end": now + dt.timedelta(minutes=ends)}
            return make_event(self.conference, title=title, day=day, **times, **fields)

        room = make_room(self.conference)
        self.keynote = event("Keynote", -20, 20, kind="invited-talk", room=room)
        self.talk = event("Talk", 25, 55, kind="talk")
        self.panel = event("Panel", 180, 240)
        make_report(self.keynote)
        CrowdReport.objects.update(at=now)
        self.agenda, self.token = make_agenda(self.conference, self.talk)

    @property
    def day_url(self) -> str:
        return self.talk.day.get_absolute_url() if self.talk.day else ""


@pytest.fixture
def hall(transactional_db: None) -> Hall:
    return Hall()


OpenPhone = Callable[..., Page]


@pytest.fixture
def open_phone(browser: Browser, live_server: LiveServer, hall: Hall) -> OpenPhone:
    def open_one(token: str = "") -> Page:
        context = browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844})
        remember(context, live_server.url, token or hall.token)
        return context.new_page()

    return open_one


@pytest.fixture
def phone(open_phone: OpenPhone) -> Page:
    return open_phone()


def remember(context: BrowserContext, url: str, token: str) -> None:
    context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": url}])


def star(page: Page, event: Event) -> Locator:
    return page.get_by_role("main").locator(f'.bookmark[formaction*="{event.guid}"]').first


def level_of(agenda: Agenda, event: Event) -> str:
    return agenda.bookmark_state(event).level


def test_pages_open_without_network(phone: Page, hall: Hall) -> None:
    phone.add_init_script(
        "addEventListener('load', async () => { window.atLoad = await navigator.serviceWorker.getRegistration(); })"
    )
    save_pages(phone)
    # The first page comes first.
    assert phone.evaluate("window.atLoad === undefined")
    assert phone.evaluate("navigator.storage.estimate().then((it) => it.usage)") < ESTIMATED_BYTES
    phone.context.set_offline(True)

    addresses = [
        "/demo/",
        "/demo/agenda/",
        hall.day_url,
        "/demo/venue/",
        hall.talk.get_absolute_url(),
    ]
    for address in addresses:
        phone.goto(address)
        expect(line(phone)).to_have_text(re.compile(r"No network\. This page is as of \d\d:\d\d\."))
        # Its styles are there.
        assert phone.locator(".sign").evaluate("it => getComputedStyle(it).backgroundColor") == SIGN_COLOUR

    phone.goto("/demo/search/?q=talk")
    expect(line(phone)).to_have_text("No network.")
    expect(phone.get_by_text("is not saved on this device")).to_be_visible()
    phone.get_by_role("main").get_by_role("link", name="My agenda").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("My agenda")


def test_saved_page_speaks_of_its_own_time_zone_and_of_the_present(browser: Browser, live_server: LiveServer, hall: Hall) -> None:
    context = browser.new_context(base_url=live_server.url, timezone_id="America/St_Johns")
    remember(context, live_server.url, hall.token)
    page = context.new_page()
    save_pages(page, "/demo/")
    context.set_offline(True)

    page.goto("/demo/?at=2025-04-24T10:20")

    saved = dt.datetime.fromisoformat(page.locator("body").get_attribute("data-saved") or "")
    expect(line(page)).to_have_text(
        f"No network. This page is as of {saved.astimezone(hall.conference.zone):%H:%M}. "
        "The time in the address needs the network: this is the present."
    )
    context.close()


def test_saved_page_shows_nothing_that_was_true_for_a_minute(phone: Page, hall: Hall) -> None:
    save_pages(phone, "/demo/")
    main = phone.get_by_role("main")
    fleeting = ["On now", "Now", "Full", "in 25 min"]
    seen = main.inner_text()
    assert [word for word in fleeting if word in seen] != []
    phone.context.set_offline(True)

    for address in ("/demo/", hall.day_url, hall.keynote.get_absolute_url(), "/demo/venue/"):
        phone.goto(address)
        expect(line(phone)).to_be_visible()
        expect(main).not_to_contain_text("On now")
        expect(main).not_to_contain_text(re.compile(r"in \d+ min"))
        assert phone.locator(".live .flag, .flag[data-flag='now'], .flag[data-flag='full']").count() == 0

    # By the clock of the phone, an hour and a half later.
    phone.clock.set_fixed_time(timezone.now() + dt.timedelta(minutes=90))
    phone.goto(hall.day_url)
    past = phone.locator(".event-card[data-past] .event-title").all_inner_texts()
    assert sorted(title.strip() for title in past) == ["Keynote", "Talk"]


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
    assert cached(phone).get("hallway-waiting", []) == []


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


def test_bookmark_for_another_agenda_asks(phone: Page, hall: Hall, live_server: LiveServer) -> None:
    other, token = make_agenda(hall.conference)
    save_pages(phone)
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


def test_other_forms_are_refused_and_keep_what_was_typed(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto("/demo/agenda/private/")
    phone.locator("#title").fill("Lunch with Ada")
    phone.context.set_offline(True)

    phone.locator("#title").evaluate("it => { it.form.noValidate = true; it.form.requestSubmit(); }")

    expect(phone.locator("#status")).to_contain_text("Nothing was sent; what you typed is still here.")
    expect(phone.locator("#title")).to_have_value("Lunch with Ada")


def test_programme_that_changed_meanwhile_is_told(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.context.set_offline(True)
    phone.goto(hall.day_url)
    expect(line(phone)).to_be_visible()
    hall.panel.title = "Panel, renamed"
    hall.panel.revise()

    phone.context.set_offline(False)

    expect(line(phone)).to_contain_text("The programme has changed since", timeout=SAVED_IN_TIME)
    expect(phone.get_by_role("main")).to_contain_text("Panel, renamed")
    line(phone).get_by_role("link", name="See changes").click()
    expect(phone).to_have_url(re.compile(r"/demo/changes/$"))


def test_event_is_saved_once_whatever_words_its_address_has(phone: Page, hall: Hall) -> None:
    former, heading = hall.talk.get_absolute_url(), phone.get_by_role("heading", level=1)
    save_pages(phone)
    phone.context.set_offline(True)
    hall.talk.title = "Renamed"
    hall.talk.save()
    hall.talk.revise()

    phone.goto(hall.talk.get_absolute_url())
    expect(heading).to_have_text("Talk")
    phone.context.set_offline(False)
    expect(heading).to_have_text("Renamed", timeout=SAVED_IN_TIME)
    until(phone, f"({KEYS}).then((it) => !it['hallway-pages'].includes('{former}'))")
    phone.context.set_offline(True)
    phone.goto(former)

    expect(heading).to_have_text("Renamed")


def test_forget_me_leaves_no_pressed_star_in_any_cache(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto(hall.day_url)
    assert phone.evaluate(f"async () => {STARS}") > 0
    phone.goto("/demo/agenda/forget-me/")

    phone.get_by_role("button", name="Delete everything").click()

    expect(phone.locator("#status")).to_contain_text("Your data was deleted.")
    until(phone, f"{STARS}.then((count) => count === 0)")
    assert not Agenda.objects.filter(pk=hall.agenda.pk).exists()
    # Nor later, when pages are saved for whoever comes next.
    until(phone, f"{NOTE}.then((note) => note?.whose === '' && note.renewed !== undefined)")
    assert phone.evaluate(f"async () => {STARS}") == 0


def test_another_agenda_deletes_the_pages_of_the_first(phone: Page, hall: Hall, live_server: LiveServer) -> None:
    _, token = make_agenda(hall.conference)
    save_pages(phone)
    assert phone.evaluate(f"async () => {STARS}") > 0
    remember(phone.context, live_server.url, token)
    # Long ago.
    phone.evaluate(f"""async () => {{
      const note = await {NOTE};
      const notes = await caches.open('hallway-notes');
      await notes.put('/offline/notes/demo', Response.json({{ ...note, checked: 0 }}));
    }}""")

    phone.goto("/demo/about/")

    until(phone, f"{STARS}.then((count) => count === 0)")


def test_private_pages_are_not_saved(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    before = set(cached(phone)["hallway-pages"])

    for address in (
        "agenda/devices/",
        "agenda/calendar/",
        "agenda/private/",
        "search/?q=talk",
        "?at=2025-04-24T10:20",
        "screen/",
    ):
        phone.goto(f"/demo/{address}")
    phone.goto("/account/sign-in/")
    phone.goto("/demo/about/")

    until(phone, "(await caches.match('/demo/about/')) !== undefined")
    assert set(cached(phone)["hallway-pages"]) - before == {"/demo/about/"}


def test_what_is_saved_is_bounded(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    listed = set(cached(phone)["hallway-pages"])
    phone.evaluate("""async () => {
      const cache = await caches.open('hallway-pages');
      const headers = { 'Content-Type': 'text/html', 'Hallway-Saved': new Date().toISOString() };
      const numbers = [...Array(150).keys()];
      await Promise.all(numbers.map((number) => cache.put(`/demo/people/?page=${number}`, new Response('', { headers }))));
      headers['Hallway-Saved'] = new Date(Date.now() - 8 * 86400000).toISOString();
      await cache.put('/demo/changes/', new Response('<body>Old</body>', { headers }));
    }""")

    phone.goto("/demo/about/")

    until(phone, f"{KEYS}.then((it) => it['hallway-pages'].length <= {MAX_SAVED_PAGES})")
    left = set(cached(phone)["hallway-pages"])
    assert listed | {"/demo/about/"} <= left
    phone.context.set_offline(True)
    phone.goto("/demo/changes/")
    expect(line(phone)).to_have_text("No network.")


class FirstRelease(StaticFilesStorage):
    release = 1

    def url(self, name: str | None) -> str:
        return f"{super().url(name)}?release={self.release}"


class SecondRelease(FirstRelease):
    release = 2


@pytest.fixture
def _own_worker() -> Iterator[None]:
    """The text of the worker, which a process makes once, is that of this test only."""
    yield
    worker._worker_text.cache_clear()


def release(settings: Settings, storage: type[StaticFilesStorage]) -> None:
    path = f"{storage.__module__}.{storage.__qualname__}"
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": path}}
    worker._worker_text.cache_clear()


@pytest.mark.usefixtures("_own_worker")
def test_page_from_before_a_release_has_its_styles(phone: Page, hall: Hall, settings: Settings) -> None:
    release(settings, FirstRelease)
    save_pages(phone)

    release(settings, SecondRelease)
    phone.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())")
    until(phone, "(await caches.keys()).filter((name) => name.startsWith('hallway-release-')).length === 2")
    until(phone, "navigator.serviceWorker.getRegistration().then((it) => !it.installing && !it.waiting)")
    phone.context.set_offline(True)
    phone.goto("/demo/venue/")

    expect(line(phone)).to_be_visible()
    assert phone.locator("link[href*='core.css']").get_attribute("href") == "/static/events/css/web/core.css?release=1"
    assert phone.locator(".sign").evaluate("it => getComputedStyle(it).backgroundColor") == SIGN_COLOUR


def test_switched_off_it_deletes_everything_and_itself(phone: Page, hall: Hall, settings: Settings) -> None:
    save_pages(phone)
    settings.OFFLINE = False

    phone.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())")

    until(phone, "(await caches.keys()).length === 0")
    phone.goto("/demo/")
    until(phone, "(await navigator.serviceWorker.getRegistrations()).length === 0")
    assert cached(phone) == {}
