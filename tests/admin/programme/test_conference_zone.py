"""Another time zone chosen by hand: nothing moves behind anybody's back, and that is said."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from events.models import Conference, Event
from tests.admin.pages import open_form, save, url
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db

VIENNA = {"city": "Vienna", "country": "Austria", "timezone": "Europe/Vienna"}
TOLD = (
    "Events keep their moment: 12:00 in the old time zone is 06:00 in Europe/Vienna. "
    "To keep the times on the clock instead, import the programme again or move the events."
)


def messages_after_save(client: Client, conference: Conference, **changes: str) -> list[str]:
    """What the admin says besides that it saved."""
    form = url("change", "conference", conference.pk)
    answer = save(client, form, open_form(client, form), **changes)
    assert answer.status_code == 302
    return [str(it) for it in get_messages(answer.wsgi_request) if "successfully" not in str(it)]


def test_another_zone_leaves_instants_and_says_so(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")

    assert messages_after_save(organiser, conference, **VIENNA) == [TOLD]
    assert Event.objects.get().start == at("09:00")


def test_another_zone_without_times_is_nothing_to_tell(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference)

    assert messages_after_save(organiser, conference, **VIENNA) == []


def test_same_zone_is_nothing_to_tell(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")

    assert messages_after_save(organiser, conference, name="ICLR, the thirteenth") == []


def test_city_of_another_zone_names_no_times_and_says_so(organiser: Client) -> None:
    conference = make_conference(slug="demo", city="Lisbon", country="Portugal", timezone="Europe/Lisbon")

    told = messages_after_save(organiser, conference, city="Tokyo", country="Japan")

    assert told == [
        (
            "Tokyo, Japan has other clocks than Europe/Lisbon: attendees read all times as “Lisbon time”. "
            "If the events take place there, choose its time zone."
        )
    ]
    assert "Times are Lisbon time (UTC+1)" in " ".join(Client().get("/demo/").text.split())
    assert messages_after_save(organiser, conference, timezone="Asia/Tokyo") == []
    assert Conference.objects.get().zone_name == "Tokyo time"
