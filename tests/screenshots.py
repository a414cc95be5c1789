"""The pictures of docs/organisers.md, of the running product with the programme of the seeds (`make pictures`)."""

from __future__ import annotations

import datetime as dt
import io
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import time_machine
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.servers import PROJECT, manage, serving

SUNDAY_MORNING = dt.datetime(2025, 4, 27, 2, 20, tzinfo=dt.UTC)
"""20 past 10 in Singapore: the hour of the pictures, whenever they are made."""
PICTURES = PROJECT / "docs/pictures/organisers"
MAX_BYTES, COLOURS = 120_000, 128
PASSWORD = "a long enough password"
AGENDAS, PICKS = 60, 6
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
STAFF = {"Organisers": ["ada", "grace@example.org"], "Social chairs": ["karen@example.org"], "Moderators": ["edsger@example.org"]}
STAFF |= {"Room helpers": ["tim@example.org", "radia@example.org"]}


def prepare() -> None:
    """Fill the database of the environment: the seeds, a draft, people who organise, and agendas."""
    manage("migrate", "--verbosity", "0")
    import django  # noqa: PLC0415 - the settings read the environment

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    with time_machine.travel(SUNDAY_MORNING):
        call_command("seed", "seeds/iclr-2019", "seeds/iclr-2025", stdout=io.StringIO())
        _people_and_picks()


def _people_and_picks() -> None:
    from django.contrib.auth.models import Group, User  # noqa: PLC0415

    from events.models import Agenda, Conference, Event, Visitor  # noqa: PLC0415

    for group, names in STAFF.items():
        for name in names:
            user = User(username=name, email=name if "@" in name else "", is_staff=True, last_login=SUNDAY_MORNING)
            user.set_password(PASSWORD)
            user.save()
            user.groups.add(Group.objects.get(name=group))
    Conference.objects.filter(slug="iclr-2019").update(status="draft")
    conference = Conference.objects.get(slug="iclr-2025")
    events = list(Event.objects.public().filter(conference=conference, start__isnull=False).in_order())
    chance = random.Random(27)
    for _ in range(AGENDAS):
        agenda = Agenda.begin(Visitor.objects.create().new_token(), conference)
        for event in chance.sample(events, PICKS):
            agenda.bookmark(event, on=True)


def first_page(page: Page) -> None:
    page.goto("/organise/")


def timetable(page: Page) -> None:
    page.goto("/organise/events/event/timetable/?day=2025-04-27")
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")


def publish(page: Page) -> None:
    page.goto("/organise/events/conference/")
    page.get_by_role("link", name="ICLR 2019", exact=True).first.click()
    page.get_by_role("link", name="Publish ICLR 2019 …").first.click()


def import_preview(page: Page) -> None:
    """The list of sessions as this site exports it, with other titles, and coffee ten minutes later."""
    exported = page.request.get("/organise/events/session/export/csv/?q=VerifAI").text()
    changed = exported.replace("2025-04-27 10:30", "2025-04-27 10:40")
    for title, other in [("coffee break", "coffee and posters"), ("VerifAI keynote: Kevin", "VerifAI talk: Kevin")]:
        changed = changed.replace(title, other)
    page.goto("/organise/events/session/import/")
    page.locator("#id_conference").select_option(label="ICLR 2025")
    file = {"name": "sessions.csv", "mimeType": "text/csv", "buffer": changed.encode()}
    page.locator("input[type=file]").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Show what would change").click()
    page.get_by_role("button", name="Import it").wait_for()


def impact(page: Page) -> None:
    page.goto("/organise/events/session/?q=VerifAI")
    for row in page.locator("input.action-select").all()[:6]:
        row.check()
    page.locator("select[name=action]").first.select_option(label="Move by minutes …")
    page.get_by_role("button", name="Go").first.click()
    page.locator("[name=minutes]").fill("30")
    page.locator(".submit-row input[type=submit]").first.click()
    page.locator(".hallway-impact").wait_for()


def room_board(page: Page) -> None:
    page.goto("/organise/events/room/board/")


def numbers(page: Page) -> None:
    page.goto("/organise/events/conference/numbers/")


def staff(page: Page) -> None:
    page.goto("/organise/events/staffmember/")


SHOTS: dict[str, tuple[Callable[[Page], None], dict[str, int]]] = {
    "first-page": (first_page, DESK),
    "timetable": (timetable, DESK),
    "publish": (publish, DESK),
    "import-preview": (import_preview, DESK),
    "impact": (impact, DESK),
    "room-board": (room_board, PHONE),
    "numbers": (numbers, DESK),
    "staff": (staff, DESK),
}


def shoot(browser: Browser, base: str, folder: Path, wanted: str = "") -> None:
    context = browser.new_context(base_url=base, viewport=DESK, service_workers="block")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto("/organise/login/")
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    for name, (opened, size) in SHOTS.items():
        if wanted in name:
            page.set_viewport_size(size)  # type: ignore[arg-type]
            opened(page)
            page.wait_for_load_state("networkidle")
            save(page.screenshot(), folder / f"{name}.png")
    context.close()


def save(screenshot: bytes, path: Path) -> None:
    """In few colours, which text and areas need no more than."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)
    if path.stat().st_size > MAX_BYTES:
        raise SystemExit(f"{path.name} has {path.stat().st_size} bytes: {MAX_BYTES} are the most. Show less in it.")


def main(wanted: str = "") -> None:
    chromium = shutil.which(os.environ.get("CHROMIUM") or "chromium")
    if chromium is None:
        raise SystemExit("make pictures needs Chromium: apt install chromium, or name one: CHROMIUM=/path/to/chromium")
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/hallway.sqlite3"
        os.environ["MEDIA_ROOT"], os.environ["UPLOAD_ROOT"] = f"{folder}/media", f"{folder}/uploads"
        os.environ["DJANGO_SETTINGS_MODULE"] = "conference.settings"
        prepare()
        with serving("tests.screenshots_server:application") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            shoot(browser, f"http://127.0.0.1:{server.port}", PICTURES, wanted)
            browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
