"""Pages travel compressed, calendars as they are."""

from __future__ import annotations

import gzip

import pytest
from django.test import Client

from tests.factories import make_conference, make_event
from tests.venue.drawn import drawing, make_plan

pytestmark = pytest.mark.django_db


def test_page_is_compressed_for_a_browser_that_asks(client: Client) -> None:
    conference = make_conference(title="Learning Representations")

    response = client.get(conference.get_absolute_url(), headers={"Accept-Encoding": "gzip"})

    assert response.headers["Content-Encoding"] == "gzip"
    assert "Learning Representations" in gzip.decompress(response.content).decode()


def test_calendar_is_never_compressed(client: Client) -> None:
    conference = make_conference()
    make_event(conference, title="Lecture", start="09:00", end="10:00")

    response = client.get(f"/{conference.slug}/schedule.ics", headers={"Accept-Encoding": "gzip"})

    assert "Content-Encoding" not in response.headers
    assert b"SUMMARY:Lecture" in response.content


def test_drawing_of_a_floor_is_compressed(client: Client) -> None:
    conference = make_conference()
    make_plan(conference, drawing=drawing("<rect/>" * 100))
    image = client.get(f"/{conference.slug}/venue/").text.partition('<img class="plan-drawing" src="')[2].partition('"')[0]

    response = client.get(image, headers={"Accept-Encoding": "gzip"})

    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.content).decode() == drawing("<rect/>" * 100)
