from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.calendars.reading import read
from tests.calendars.world import World
from tests.factories import make_event

pytestmark = pytest.mark.django_db

PAGE_QUERIES = 14


def test_calendar_page_hands_out_every_address(world: World) -> None:
    response = world.visitor().get("/iclr-2025/agenda/calendar/")

    context = response.context
    token = world.agenda.feed_token
    assert context["https_url"] == f"http://127.0.0.1:8000/feeds/{token}.ics"
    assert context["webcal_url"] == f"webcal://127.0.0.1:8000/feeds/{token}.ics"
    assert context["google_url"].endswith(f"?cid=webcal%3A%2F%2F127.0.0.1%3A8000%2Ffeeds%2F{token}.ics")
    assert (context["has_agenda"], context["undated"]) == (True, 0)
    assert [response.text.count(context[name]) > 0 for name in ["https_url", "webcal_url", "qr_url", "download_url"]] == [
        True
    ] * 4


def test_calendar_page_says_what_android_needs_and_for_whom_its_buttons_are(world: World) -> None:
    text = " ".join(world.visitor().get("/iclr-2025/agenda/calendar/").text.split())

    assert "Android: Google Calendar takes a new calendar only on a computer." in text
    assert 'Open this page on one <a href="/iclr-2025/agenda/devices/">with this agenda</a> and choose Google Calendar' in text
    assert ("iPhone, iPad, Mac" in text, "This device" in text, "Scan with an iPhone or iPad" in text) == (True, False, True)
    assert all(f"<b>{name}</b>" in text for name in ["iPhone, iPad", "Mac", "Google Calendar", "Outlook", "Thunderbird"])


def test_calendar_page_keeps_its_secret(world: World) -> None:
    response = world.visitor().get("/iclr-2025/agenda/calendar/")

    assert (response["Referrer-Policy"], response["X-Robots-Tag"]) == ("same-origin", "noindex")
    assert response["Cache-Control"] == "private, no-store"


def test_calendar_page_ignores_the_host_it_is_asked_at(world: World, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["evil.example"]

    response = world.visitor().get("/iclr-2025/agenda/calendar/", headers={"host": "evil.example"})

    assert response.context["https_url"].startswith("http://127.0.0.1:8000/feeds/")


def test_calendar_page_without_picks_offers_no_address(world: World) -> None:
    response = Client().get("/iclr-2025/agenda/calendar/")

    assert (response.status_code, response.context["has_agenda"], response.context.get("https_url")) == (200, False, None)
    assert "feeds/" not in response.text


def test_calendar_page_counts_picks_without_a_day(world: World) -> None:
    undated = make_event(world.conference)
    undated.day = None
    undated.revise()
    world.agenda.bookmark(undated, on=True)

    response = world.visitor().get("/iclr-2025/agenda/calendar/")

    assert response.context["undated"] == 1


def test_reset_makes_the_old_address_say_so_at_once(world: World) -> None:
    client, old = world.visitor(), world.feed

    response = client.post("/iclr-2025/agenda/calendar/reset/")

    world.agenda.refresh_from_db()
    assert response["Location"] == "/iclr-2025/agenda/calendar/"
    assert [[it.summary for it in read(Client().get(url).content)] for url in (old, world.feed)] == [
        ["This calendar link was replaced"],
        [world.event.title],
    ]
    assert client.get("/iclr-2025/agenda/calendar/").context["https_url"].endswith(world.feed)


def test_page_says_that_an_address_made_with_another_key_cannot_be_shown(world: World, settings: Any) -> None:
    client, old = world.visitor(), world.feed
    settings.SECRET_KEY = "another"

    page = client.get("/iclr-2025/agenda/calendar/")
    codes = [Client().get(old).status_code, client.get("/iclr-2025/agenda/calendar/qr.svg").status_code]
    client.post("/iclr-2025/agenda/calendar/reset/")

    assert "The address of your calendar cannot be shown any more" in page.text
    assert ("feeds/" in page.text, codes) == (False, [200, 404])
    assert client.get("/iclr-2025/agenda/calendar/").context["https_url"].endswith(world.feed)


def test_reset_needs_post_and_a_csrf_token(world: World) -> None:
    url = "/iclr-2025/agenda/calendar/reset/"

    statuses = [world.visitor().get(url).status_code, world.visitor(enforce_csrf_checks=True).post(url).status_code]

    assert (statuses, Client().get(world.feed).status_code) == ([405, 403], 200)


def test_reset_of_nothing_leads_back_to_the_page(world: World) -> None:
    response = Client().post("/iclr-2025/agenda/calendar/reset/")

    assert (response.status_code, response["Location"]) == (302, "/iclr-2025/agenda/calendar/")
    assert Client().get(world.feed).status_code == 200


def test_qr_codes_are_images_no_cache_keeps(world: World) -> None:
    for url in ["/iclr-2025/agenda/calendar/qr.svg", "/iclr-2025/agenda/qr.svg"]:
        response = world.visitor().get(url)

        assert (response["Content-Type"], response["Cache-Control"]) == ("image/svg+xml", "private, no-store")
        assert response.content.startswith(b'<?xml version="1.0" encoding="utf-8"?>\n<svg ')


def test_qr_code_of_a_feed_is_for_its_owner_only(world: World) -> None:
    assert Client().get("/iclr-2025/agenda/calendar/qr.svg").status_code == 404


def test_button_for_the_file_is_a_form(world: World) -> None:
    response = world.visitor(enforce_csrf_checks=True).get("/iclr-2025/agenda/calendar/")

    (form,) = re.findall(r'<form[^>]* action="/iclr-2025/agenda.ics">.*?</form>', response.text, re.DOTALL)
    assert 'method="post"' in form
    assert 'name="csrfmiddlewaretoken"' in form
    assert "Download .ics</button>" in form


def test_page_says_what_a_replaced_address_will_tell(world: World) -> None:
    text = world.visitor().get("/iclr-2025/agenda/calendar/").text

    assert "For 30 days it has one entry, “This calendar link was replaced”, and after that nothing." in text
    assert "This link is a secret: whoever has it can read your agenda, not change it." in text


@pytest.mark.parametrize("rows", [1, 3])
def test_page_costs_the_same_queries_for_one_pick_and_visit_and_three(
    world: World, django_assert_num_queries: Any, rows: int
) -> None:
    for kind in ["google", "mac", "other"][:rows]:
        world.agenda.fetches.create(client=kind, at=timezone.now(), agenda_revision=1, conference_revision=0)
    for _ in range(rows - 1):
        world.agenda.bookmark(make_event(world.conference, start="09:00", end="10:00"), on=True)
    client = world.visitor()

    with django_assert_num_queries(PAGE_QUERIES):
        response = client.get("/iclr-2025/agenda/calendar/")

    assert (len(response.context["visits"]), response.context["entries"]) == (rows, rows)
