"""What the service worker is told to save, and what a phone needs to install a conference."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from typing import Any

import pytest
import time_machine
from django.test import Client, override_settings
from PIL import Image, ImageColor

from events.agenda.visitor import agenda_mark
from events.core.byte_cache import PROCESS_CACHE
from events.core.graphics import light_and_dark
from events.models import Conference, Service
from events.offline.queries import MAX_SAVED_EVENT_PAGES, MAX_SAVED_PAGES
from events.offline.worker import worker_text
from tests.factories import THURSDAY, at, make_agenda, make_conference, make_day, make_event
from tests.venue.drawn import HOSTILE, make_plan
from tests.visitors import browser

pytestmark = pytest.mark.django_db
LIST = "/demo/offline.json"


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo", colour="#1747B8")


def pages_of(client: Client, since: object = "") -> dict[str, Any]:
    return dict(client.get(LIST, {"since": since} if since != "" else {}).json())


def test_list_of_a_stranger_has_the_public_pages(conference: Conference) -> None:
    make_event(conference)
    Service.objects.create(conference=conference, name="Registration")

    response = Client().get(LIST)

    assert response["Cache-Control"] == "private, no-store"
    assert response.json() == {
        "revision": Conference.objects.get().revision,
        "whose": "",
        "agenda_revision": 0,
        "pages": [
            *("/demo/agenda/", "/demo/", "/demo/offline/", "/demo/services/"),
            "/demo/schedule/2025-04-24/",
        ],
        "changed": [],
        "files": ["/demo/colours.css"],
    }
    assert not response.cookies


def test_list_of_a_visitor_has_the_next_events(conference: Conference) -> None:
    over, later, soon = (make_event(conference, start=f"{hour}:00", end=f"{hour}:30") for hour in ("08", "12", "10"))
    undated = make_event(conference)
    make_event(conference, title="Not bookmarked", start="12:00", end="13:00")
    agenda, token = make_agenda(conference, over, later, soon, undated)

    with time_machine.travel(at("09:00"), tick=False):
        found = pages_of(browser(token=token))

    events = [url for url in found["pages"] if "/events/" in url]
    assert events == [event.get_absolute_url() for event in (soon, later, undated)]
    assert (found["whose"], found["agenda_revision"]) == (agenda_mark(agenda), agenda.revision)


def test_list_is_bounded(conference: Conference) -> None:
    for number in range(MAX_SAVED_PAGES):
        make_day(conference, THURSDAY + dt.timedelta(days=number))
    events = [make_event(conference, start="10:00", end="11:00") for _ in range(MAX_SAVED_EVENT_PAGES + 1)]
    _, token = make_agenda(conference, *events)

    with time_machine.travel(at("09:00"), tick=False):
        many = pages_of(browser(token=token))["pages"]
        conference.days.filter(date__gt=THURSDAY).delete()
        conference.bump_revision()
        few = pages_of(browser(token=token))["pages"]

    assert len(many) == MAX_SAVED_PAGES
    assert sum("/events/" in url for url in few) == MAX_SAVED_EVENT_PAGES


def test_list_names_only_what_changed_since(conference: Conference) -> None:
    PROCESS_CACHE.max_bytes = 1_000_000
    talk, other = (make_event(conference, kind="talk", start=f"{hour}:00", end=f"{hour}:30") for hour in (10, 14))
    friday = make_day(conference, THURSDAY + dt.timedelta(days=1))
    _, token = make_agenda(conference, talk, other)
    with time_machine.travel(at("09:00"), tick=False):
        # The first change of all adds a page to the menu.
        other.title = "Renamed before"
        other.revise()
        before = pages_of(browser(token=token))
        same = pages_of(browser(token=token), before["revision"])["changed"]
        talk.title = "Renamed"
        talk.revise()
        after = pages_of(browser(token=token), before["revision"])
        odd = [pages_of(browser(token=token), since)["changed"] for since in ("x", -1, 9**30)]

    assert same == []
    assert f"/demo/schedule/{friday.date}/" in after["pages"]
    assert sorted(after["changed"]) == sorted(["/demo/", "/demo/agenda/", "/demo/schedule/2025-04-24/", talk.get_absolute_url()])
    assert odd == [[], [], []]


@pytest.mark.parametrize("size", [1, 3])
def test_list_takes_as_many_queries_for_three_events(conference: Conference, size: int, django_assert_num_queries: Any) -> None:
    events = [make_event(conference, start="10:00", end="11:00") for _ in range(size)]
    _, token = make_agenda(conference, *events)
    with time_machine.travel(at("09:00")):
        pages_of(browser(token=token))

        with django_assert_num_queries(10):
            pages_of(browser(token=token))


def test_drawings_of_floors_are_saved_with_their_pages(conference: Conference) -> None:
    make_plan(conference, drawing=HOSTILE)

    files = pages_of(Client())["files"]

    drawing = re.search(r'<img class="plan-drawing" src="([^"]+)"', Client().get("/demo/venue/").text)
    assert drawing
    assert files == ["/demo/colours.css", drawing[1]]


def test_manifest_opens_the_agenda(conference: Conference) -> None:
    response = Client().get("/demo/manifest.webmanifest")

    about = response.json()
    assert response["Content-Type"] == "application/manifest+json"
    assert (about["id"], about["start_url"], about["scope"]) == ("/demo/agenda/", "/demo/agenda/", "/")
    assert {icon["sizes"] for icon in about["icons"]} == {"192x192", "512x512"}
    assert {Client().get(icon["src"]).status_code for icon in about["icons"]} == {200}


@pytest.mark.parametrize("colour", ["#1747B8", ""])
def test_icon_has_the_colour_of_the_conference(conference: Conference, colour: str) -> None:
    conference.colour = colour
    conference.revise()

    icons = [Image.open(io.BytesIO(Client().get(f"/demo/icon-{size}.png").content)) for size in (180, 192, 512)]

    assert [icon.size for icon in icons] == [(180, 180), (192, 192), (512, 512)]
    assert {icon.getpixel((10, 10)) for icon in icons} == {ImageColor.getrgb(light_and_dark(colour)[1] if colour else "#FFC61A")}
    assert Client().get("/demo/icon-7.png").status_code == 404


def test_every_page_of_a_conference_leads_to_its_manifest(conference: Conference) -> None:
    page = Client().get("/demo/").text

    assert '<link rel="manifest" href="/demo/manifest.webmanifest">' in page
    assert f'<link rel="apple-touch-icon" href="/demo/icon-180.png?version={conference.icon_version}">' in page
    assert "events/js/offline.js" in page


def test_worker_names_the_files_of_its_release() -> None:
    response = Client().get("/sw.js")

    config = json.loads(response.text.partition("const CONFIG = ")[2].partition(";\n")[0])
    assert (response["Content-Type"], response["Cache-Control"]) == ("text/javascript; charset=utf-8", "no-cache")
    assert "/static/events/css/web/core.css" in config["files"]
    assert not [name for name in config["files"] if "admin" in name or "screens" in name or "latin-ext" in name]
    assert [Client().get("/sw.js", headers={"if-none-match": response["ETag"]}).status_code] == [304]


def test_worker_does_not_say_where_the_admin_is() -> None:
    with override_settings(ADMIN_PATH="hidden-door/"):
        assert "hidden-door" not in worker_text()


def test_without_offline_the_worker_ends_itself_and_pages_begin_none(conference: Conference) -> None:
    with override_settings(OFFLINE=False):
        text = Client().get("/sw.js").text
        page = Client().get("/demo/about/").text

    assert "unregister()" in text
    assert "respondWith" not in text
    assert "events/js/offline.js" not in page
