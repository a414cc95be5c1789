"""A new edition: copied from the last one, filled from a file, changed by the next file, and that taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from events.models import Change, ChangeGroup, Conference, Event, Room
from events.programme.models.publication import publish_conference
from tests.browser.organisers.test_import import FORM, MOVED, SCHEDULE, hand_in, log_in
from tests.browser.watching import Watch
from tests.factories import make_agenda, make_conference, make_event, make_room

pytestmark = pytest.mark.django_db(transaction=True)


def copy_edition(page: Page) -> Conference:
    """Begin the next edition with the places of the last one."""
    page.goto("/organise/events/conference/add/")
    for name, text in [("name", "Small 2025"), ("start", "2025-04-24"), ("end", "2025-04-25"), ("city", "Singapore")]:
        page.locator(f"[name={name}]").fill(text)
    page.get_by_role("button", name="Save and continue editing").first.click()
    page.get_by_role("link", name="Copy from an earlier edition").first.click()
    page.get_by_role("button", name="Copy from Small 2024").click()
    expect(page.locator(".messagelist")).to_contain_text("Copied from Small 2024:")
    return Conference.objects.get(name="Small 2025")


def import_file(page: Page, conference: Conference, content: str, done: str) -> None:
    page.goto(f"{FORM}?conference={conference.pk}")
    hand_in(page, content)
    page.get_by_role("button", name="Import it").click()
    expect(page.locator(".messagelist")).to_contain_text(done)


def test_edition_is_copied_imported_and_the_next_import_taken_back(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    last = make_conference(slug="small-2024", name="Small 2024")
    make_event(last, room=make_room(last, "Aula"))
    watch = Watch(page, live_server.url)
    log_in(page)

    edition = copy_edition(page)
    import_file(page, edition, SCHEDULE, "created 4")
    publish_conference(edition)
    learning = Event.objects.get(conference=edition, title="Engines that learn")
    before = learning.start
    for _ in range(5):
        make_agenda(edition, learning)
    import_file(page, edition, MOVED, "changed 1, cancelled 0, unchanged 3")
    moved = Event.objects.get(pk=learning.pk).start
    page.goto("/organise/events/changegroup/")
    page.get_by_role("row").filter(has_text="Programme updated").first.get_by_role("link", name="Undo …").click()

    expect(page.get_by_role("heading", name="What this does to attendees")).to_be_visible()
    expect(page.locator(".hallway-counts").filter(has_text="have it in their agenda")).to_contain_text("5")
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator(".messagelist")).to_contain_text("Taken back: Programme updated.")
    page.goto("/small-2025/changes/")
    newest = page.locator("#main ol > li").first
    expect(newest).to_contain_text("Engines that learn")
    expect(newest.locator("ins")).to_contain_text(f"{before.astimezone(edition.zone):%H:%M}")
    assert (moved == before, Event.objects.get(pk=learning.pk).start) == (False, before)
    assert Room.objects.filter(conference=edition, name="Aula").exists()
    assert "start" in Change.objects.filter(group__kind="undo").values_list("field", flat=True)
    assert ChangeGroup.objects.get(kind="undo").is_public
    assert (watch.complaints, watch.foreign) == ([], [])
