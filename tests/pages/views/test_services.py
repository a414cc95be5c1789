"""The desks' page as people read it, and what they take from it."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from events.models import Agenda, Conference, Service
from tests.calendars.reading import values
from tests.factories import make_conference, make_event, make_room, make_zone

pytestmark = pytest.mark.django_db

SERVICES = "/demo/services/"


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


@pytest.fixture
def desk(conference: Conference) -> Service:
    room = make_room(conference, "Foyer", make_zone(conference, "Hall 2"))
    return Service.objects.create(conference=conference, name="Registration", icon="id-card", room=room)


def state(at: str = "2025-04-24T09:30") -> str:
    """What stands below the name of the first service."""
    text = Client().get(SERVICES, {"at": at}).text.partition("<h2>Registration</h2>")[2].partition("</p>")[0]
    return " ".join(strip_tags(text).split())


def test_hours_of_a_desk_are_bookmarked_on_its_page_and_stand_in_agenda_and_calendar(
    conference: Conference, desk: Service
) -> None:
    hours = make_event(conference, kind="service", title="Early registration", service=desk, start="14:00", end="19:00")
    client = Client()
    (url,) = set(re.findall(r'formaction="([^"]+/bookmark/)"', client.get(SERVICES).text))

    client.post(url, {"on": "1"})

    agenda = Agenda.objects.get()
    assert list(agenda.bookmarks.values_list("event", "removed_at")) == [(hours.pk, None)]
    assert "Early registration" in client.get("/demo/agenda/?at=2025-04-24T09:30").text
    feed = client.get(reverse("events:feed", args=[agenda.feed_token])).content
    assert [values(feed, name) for name in ("SUMMARY", "LOCATION")] == [
        [":Early registration"], [r":Foyer\, Hall 2\, Singapore EXPO"],
    ]  # fmt: skip


def test_service_without_hours_claims_none(desk: Service) -> None:
    assert state() == "Hours not announced"


def test_desk_that_is_open_for_days_names_the_day_it_closes(conference: Conference, desk: Service) -> None:
    for day in (24, 25):
        start = dt.datetime.fromisoformat(f"2025-04-{day}T00:00+08:00")
        make_event(conference, kind="service", service=desk, start=start, end=start + dt.timedelta(days=1))

    assert [state(), state("2025-04-25T09:30")] == ["Open now, until Sat 26 Apr, 00:00", "Open now, until 00:00"]
