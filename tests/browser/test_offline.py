"""A hall without network: pages that open, bookmarks that wait, and nothing that stays behind."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from events.models import Agenda
from events.offline import worker
from events.offline.queries import MAX_SAVED_PAGES
from tests.browser.hall import Hall, remember, star
from tests.browser.saving import KEYS, NOTE, SAVED_IN_TIME, STARS, cached, line, save_pages, until
from tests.factories import make_agenda

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.service_worker]

ESTIMATED_BYTES = 5_000_000
SIGN_COLOUR = "rgb(22, 24, 29)"


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


def test_other_forms_are_refused_and_keep_what_was_typed(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto("/demo/agenda/private/")
    phone.locator("#title").fill("Lunch with Ada")
    phone.context.set_offline(True)

    phone.locator("#title").evaluate("it => { it.form.noValidate = true; it.form.requestSubmit(); }")

    expect(phone.locator("#status")).to_contain_text("Nothing was sent; what you typed is still here.")
    expect(phone.locator("#title")).to_have_value("Lunch with Ada")


def test_form_without_a_field_is_refused_without_a_word_of_typing(phone: Page, hall: Hall) -> None:
    save_pages(phone)
    phone.goto("/demo/agenda/forget-me/")
    phone.context.set_offline(True)

    phone.get_by_role("main").locator("form").first.evaluate("it => it.requestSubmit()")

    expect(phone.locator("#status .message p").first).to_have_text("No network. Nothing was sent.")


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
    star(phone, hall.panel).click()
    until(phone, "caches.match('/offline/notes/bookmarks/accepted').then(Boolean)")
    phone.goto("/demo/agenda/forget-me/")

    phone.get_by_role("button", name="Delete everything").click()

    expect(phone.locator("#status")).to_contain_text("Your data was deleted.")
    until(phone, f"{STARS}.then((count) => count === 0)")
    assert not {"/offline/notes/bookmarks/accepted", "/offline/notes/whose/demo"} & set(cached(phone).get("hallway-notes", []))
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
