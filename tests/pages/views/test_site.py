from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from events.core.db.readiness import _last_migrations
from events.core.graphics import light_and_dark
from events.models import Conference, EventType, Track
from events.web.request import ZONE_COOKIE
from tests.core.test_photos import picture
from tests.factories import make_conference, make_event, make_person
from tests.visitors import browser, context

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def test_healthz_asks_no_database(django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.block():
        response = Client().get("/healthz")

    assert (response.status_code, response.content, response["Cache-Control"]) == (200, b"ok\n", "no-store")


def test_ready_site_says_so() -> None:
    response = Client().get("/readyz")

    assert (response.status_code, response.text, response["Cache-Control"]) == (200, "ready\n", "no-store")


def test_site_is_not_ready_before_its_migrations(caplog: pytest.LogCaptureFixture) -> None:
    MigrationRecorder(connection).record_unapplied("events", max(name for app, name in _last_migrations() if app == "events"))

    response = Client().get("/readyz")

    assert (response.status_code, response.text) == (503, "Migrations are not applied (events): run manage.py migrate.\n")
    assert [(it.getMessage(), it.exc_info) for it in caplog.records] == [(f"Not ready: {response.text.strip()}", None)]


def test_site_is_not_ready_on_an_almost_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=49 * 2**20)
    monkeypatch.setattr("events.core.db.readiness.shutil.disk_usage", lambda folder: usage)

    response = Client().get("/readyz")

    assert (response.status_code, response.text) == (503, "The disk is almost full: 49 MB are free.\n")


def test_site_is_not_ready_with_a_database_it_cannot_write(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor == "sqlite":
        monkeypatch.setattr("events.core.db.readiness.os.access", lambda path, mode: False)
    else:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL transaction_read_only = on")

    response = Client().get("/readyz")

    assert (response.status_code, response.text) == (503, "The database can be read, but not written.\n")


def test_robots_keep_to_what_is_public_and_may_fetch_feeds(settings: Settings) -> None:
    response = Client().get("/robots.txt")

    assert response.text.splitlines() == [
        "User-agent: *",
        "Disallow: /account/",
        "Disallow: /*/agenda/",
        "Disallow: /*/bookmark/",
        "Disallow: /*/time-zone/",
        "",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    assert response["Content-Type"] == "text/plain"


def test_security_txt_says_where_to_report_and_for_how_long_it_is_good(settings: Settings) -> None:
    settings.SECURITY_CONTACT, settings.SITE_URL = "mailto:security@example.org", "https://schedule.example.org"

    with time_machine.travel("2026-11-23T05:57:00+08:00"):
        response = Client().get("/.well-known/security.txt")

    assert response.text.splitlines() == [
        "Contact: mailto:security@example.org",
        "Expires: 2027-05-21T00:00:00Z",
        "Preferred-Languages: en",
        "Canonical: https://schedule.example.org/.well-known/security.txt",
    ]
    assert (response["Content-Type"], response["Cache-Control"]) == ("text/plain; charset=utf-8", "public, max-age=86400")


def test_security_txt_is_not_found_where_nobody_is_named(settings: Settings) -> None:
    settings.SECURITY_CONTACT = ""

    assert Client().get("/.well-known/security.txt").status_code == 404


def test_colours_are_a_stylesheet_with_readable_twins(conference: Conference) -> None:
    talk = EventType.objects.create(conference=conference, name="Talk", kind="talk", colour="#FFFF00")
    poster = EventType.objects.create(conference=conference, name="Poster", kind="poster", colour="poster")
    theory = Track.objects.create(conference=conference, name="Theory", colour="#1747B8")
    make_event(conference, type=talk, track=theory)
    make_event(conference, type=poster, track=Track.objects.create(conference=conference, name="Plain"))
    conference.colour = "#000000"
    conference.revise()

    response = Client().get("/demo/colours.css")

    assert response["Content-Type"] == "text/css; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=300"
    light, dark, wall = re.split(r"@media screen and \(prefers-color-scheme: dark\) \{|^}$", response.text, flags=re.MULTILINE)
    assert light.split("\n")[:3] == [
        ":root { --accent: #000000; }",
        f'[data-type="talk"] {{ --line: {light_and_dark("#FFFF00")[0]}; }}',
        '[data-track="theory"] { --track: #1747B8; }',
    ]
    assert dark.strip().split("\n") == [
        f":root {{ --accent: {light_and_dark('#000000')[1]}; }}",
        '[data-type="talk"] { --line: #FFFF00; }',
        f'[data-track="theory"] {{ --track: {light_and_dark("#1747B8")[1]}; }}',
    ]
    # Wall screens are dark in both schemes.
    assert wall.strip().split("\n") == [f".wall {line}".replace(".wall :root", ".wall") for line in dark.strip().split("\n")]


def test_colours_of_a_conference_without_any_are_empty_and_no_page_asks_for_them(conference: Conference) -> None:
    make_event(conference, type=EventType.objects.create(conference=conference, name="Poster", kind="poster", colour="poster"))
    secret = EventType.objects.create(conference=conference, name="Secret", kind="talk", colour="#1747B8")
    make_event(conference, type=secret, status="draft")

    assert Client().get("/demo/colours.css").text.strip() == ""
    assert "colours.css" not in Client().get("/demo/").text


@pytest.mark.parametrize("of", ["conference", "type", "track"])
def test_pages_name_the_colours_of_their_revision(conference: Conference, of: str) -> None:
    kind = EventType.objects.create(conference=conference, name="Talk", kind="talk", colour="#1747B8" if of == "type" else "")
    track = Track.objects.create(conference=conference, name="Theory", colour="#1747B8" if of == "track" else "")
    make_event(conference, type=kind, track=track)
    conference.colour = "#1747B8" if of == "conference" else ""
    conference.save()
    conference.bump_revision()
    conference.refresh_from_db()
    address = f"/demo/colours.css?revision={conference.revision}"

    pages = [Client().get(url).text for url in ("/demo/", "/demo/?at=2025-04-24T09:30", "/demo/time-zone/")]

    assert [f'<link rel="stylesheet" href="{address}">' in page for page in pages] == [True] * 3
    assert "1747B8" in Client().get(address).text


def test_colours_last_for_ever_at_the_address_of_a_revision_that_has_been(conference: Conference) -> None:
    conference.bump_revision()
    conference.refresh_from_db()
    now = conference.revision
    lasting, short = "public, max-age=31536000, immutable", "public, max-age=300"

    revisions = [now, now - 1, now + 1, -1, "x", "9" * 5000]
    found = [Client().get(f"/demo/colours.css?revision={revision}")["Cache-Control"] for revision in revisions]

    assert found == [lasting, lasting, short, short, short, short]
    assert Client().get("/demo/colours.css")["Cache-Control"] == short


def test_photos_are_served_as_pictures_only(conference: Conference, settings: Any) -> None:
    person = make_person(conference)
    person.photo, person.photo_alt = SimpleUploadedFile("me.jpg", picture()), "Me"
    person.save()

    response = Client().get(f"/media/{person.photo.name}")

    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert b"".join(response) == (Path(settings.MEDIA_ROOT) / person.photo.name).read_bytes()


@pytest.mark.parametrize("path", ["nowhere.webp", "", "people/", "%00", "../hallway.sqlite3", "%2e%2e/secret-key"])
def test_nothing_else_is_served(path: str) -> None:
    response = Client().get(f"/media/{path}")

    # A way out of the folder may also be called a bad request.
    assert (response.status_code in {400, 404}, response.streaming) == (True, False)


def test_time_zone_page_offers_zones_people_live_in(conference: Conference) -> None:
    page = context("/demo/time-zone/?next=/demo/talks/", zone="Europe/Vienna")

    assert (page["chosen"], page["next"]) == ("Europe/Vienna", "/demo/talks/")
    assert {
        name: name in page["zones"] for name in ("Asia/Singapore", "Europe/Vienna", "Etc/GMT+1", "EST5EDT", "US/Eastern")
    } == {
        "Asia/Singapore": True,
        "Europe/Vienna": True,
        "Etc/GMT+1": False,
        "EST5EDT": False,
        "US/Eastern": False,
    }


def test_time_zone_page_names_cities_with_the_offset_of_the_programme(conference: Conference) -> None:
    pages = {zone: browser(zone=zone).get("/demo/time-zone/").text for zone in ("Europe/Vienna", "Asia/Calcutta")}
    selected = {zone: re.findall(r'<option value="([^"]+)"[^>]* selected\s*>([^<]+)<', page) for zone, page in pages.items()}

    # A former name, as browsers report some, is that of its present option.
    assert selected == {
        "Europe/Vienna": [("Europe/Vienna", "Vienna, Austria (UTC+2)")],
        "Asia/Calcutta": [("Asia/Kolkata", "Kolkata, India (UTC+5:30)")],
    }


def test_former_name_of_a_zone_is_accepted(conference: Conference) -> None:
    response = Client().post("/demo/time-zone/", {"zone": "Asia/Calcutta"})

    assert (response.status_code, response.cookies[ZONE_COOKIE].value) == (302, "Asia/Calcutta")


def test_chosen_zone_is_remembered_everywhere(conference: Conference) -> None:
    client = Client()

    response = client.post("/demo/time-zone/", {"zone": "Europe/Vienna", "next": "/demo/talks/"})

    cookie = response.cookies[ZONE_COOKIE]
    assert (response.status_code, response.url) == (302, "/demo/talks/")
    assert (cookie.value, cookie["path"], cookie["httponly"], cookie["samesite"]) == ("Europe/Vienna", "/", True, "Lax")
    assert client.get("/demo/talks/").context["clock"].zone.key == "Europe/Vienna"


def test_venue_time_is_chosen_by_forgetting(conference: Conference) -> None:
    client = browser(zone="Europe/Vienna")

    response = client.post("/demo/time-zone/", {"zone": ""})

    assert (response.url, response.cookies[ZONE_COOKIE].value, response.cookies[ZONE_COOKIE]["max-age"]) == ("/demo/", "", 0)
    assert client.get("/demo/").context["clock"].is_visitor_zone is False


@pytest.mark.parametrize("zone", ["Mars/Olympus", "EST5EDT", "../../etc/passwd", "europe/vienna", "<b>"])
def test_zone_nobody_knows_is_refused_in_a_sentence(conference: Conference, zone: str) -> None:
    response = Client().post("/demo/time-zone/", {"zone": zone})

    assert response.status_code == 422
    assert response.context["form"].errors == {"zone": [f"“{zone}” is not a time zone we know: choose one from the list."]}
    assert ZONE_COOKIE not in response.cookies


def test_form_without_a_zone_is_refused_and_the_choice_stays(conference: Conference) -> None:
    response = browser(zone="Europe/Vienna").post("/demo/time-zone/", {})

    assert response.status_code == 422
    assert response.context["form"].errors == {"zone": ["The time zone is missing: choose one from the list."]}
    assert ZONE_COOKIE not in response.cookies


def test_zone_longer_than_any_is_refused(conference: Conference) -> None:
    assert Client().post("/demo/time-zone/", {"zone": "x" * 61}).status_code == 422


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_choosing_a_zone_leads_to_our_own_pages_only(conference: Conference, next_: str) -> None:
    assert Client().post("/demo/time-zone/", {"zone": "Europe/Vienna", "next": next_}).url == "/demo/"


def test_pages_of_a_visitor_are_kept_by_no_shared_cache(conference: Conference) -> None:
    visitor = browser(zone="Europe/Vienna")

    assert {visitor.get(url)["Cache-Control"] for url in ("/", "/demo/", "/demo/talks/", "/nowhere/")} == {"private, no-cache"}
    assert Client().get("/nowhere/")["Cache-Control"] == "private, no-cache"
