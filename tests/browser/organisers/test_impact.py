"""An organiser moves what people have, as a browser shows it: on a phone and a desk, by day and by night."""

from __future__ import annotations

import datetime as dt

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Change, Event
from tests.browser.looks import looks
from tests.browser.organisers.test_import import log_in
from tests.browser.watching import Watch
from tests.factories import SINGAPORE, make_agenda, make_event, make_room
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)


def crowd(world: World) -> Event:
    """Twelve have the keynote; most of them something else an hour later, and the room it would go to is small and taken."""
    small = make_room(world.conference, "Peridot", world.garnet, capacity=8)
    make_room(world.conference, "Garnet 216", world.garnet, capacity=50)
    start = world.keynote.end or world.keynote.revised_at
    other = make_event(world.conference, title="Panel", room=small, start=start, end=start + dt.timedelta(hours=1))
    for number in range(12):
        make_agenda(world.conference, *[world.keynote, other][: 1 + (number < 7)])
    return other


def move(page: Page, event: Event, other: Event) -> None:
    """To the room and the hour of the other."""
    page.goto(reverse("admin:events_invitedtalk_change", args=[event.pk]))
    for name, hour in (("start_1", other.start), ("end_1", other.end)):
        page.locator(f"#id_{name}").fill(f"{hour.astimezone(SINGAPORE):%H:%M}" if hour else "")
    # The look-up itself is Django's.
    page.locator("#id_room").evaluate("(it, key) => { it.add(new Option('Peridot', key, true, true)); }", str(other.room_id))
    page.get_by_role("button", name="Save", exact=True).first.click()


@looks()
def test_pages_before_saving_fit_are_quiet_and_can_be_read_by_all(
    browser: Browser, live_server: LiveServer, world: World, width: int, scheme: str
) -> None:
    other = crowd(world)
    page = browser.new_page(
        base_url=live_server.url,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    watch = Watch(page, live_server.url)
    log_in(page)
    found: list[str] = []
    complaints: list[str] = []

    for name in ("form", "action"):
        if name == "form":
            move(page, world.keynote, other)
        else:
            page.goto(reverse("admin:events_invitedtalk_changelist"))
            page.locator("input.action-select").first.check()
            page.locator("select[name=action]").first.select_option("cancel")
            page.get_by_role("button", name="Go").first.click()
        expect(page.get_by_role("heading", name="What this does to attendees")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
        # Axe itself writes a style, which the policy forbids.
        complaints += watch.complaints
        axe = Axe().run(page, context="#content").response["violations"]
        found += [f"{name}: {it['id']}: {node['html'][:200]}" for it in axe for node in it["nodes"]]
        watch.complaints.clear()

    assert found == []
    assert (complaints, watch.foreign) == ([], [])
    page.close()


def test_move_is_looked_at_gone_back_from_and_saved_with_its_reason(
    browser: Browser, live_server: LiveServer, world: World
) -> None:
    other = crowd(world)
    page = browser.new_page(base_url=live_server.url)
    log_in(page)

    move(page, world.keynote, other)
    expect(page.get_by_role("listitem").filter(has_text="get a new clash")).to_have_text("7 get a new clash")
    page.get_by_label("Reason for attendees").fill("The speaker's flight is late.")
    page.get_by_role("button", name="Back to the form").click()
    expect(page.locator("#id_reason")).to_have_value("The speaker's flight is late.")
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    page.goto("/iclr-2025/changes/")

    expect(page.locator("#main").get_by_text("The speaker's flight is late.").first).to_be_visible()
    assert Change.objects.filter(event=world.keynote, reason="The speaker's flight is late.").exists()
    page.close()
