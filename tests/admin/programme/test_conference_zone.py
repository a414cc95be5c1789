"""Another time zone chosen by hand: nothing moves behind anybody's back, and that is said."""

from __future__ import annotations

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from events.models import Change, Conference, Event
from tests.admin.pages import UNDO_LINK, errors_of, open_form, save, url
from tests.factories import at, make_conference, make_event

pytestmark = pytest.mark.django_db

VIENNA = {"city": "Vienna", "country": "Austria", "timezone": "Europe/Vienna"}


def messages_after_save(client: Client, conference: Conference, **changes: str) -> list[str]:
    """What the admin says besides that it saved."""
    form = url("change", "conference", conference.pk)
    answer = save(client, form, open_form(client, form), **changes)
    assert answer.status_code == 302
    return [str(it) for it in get_messages(answer.wsgi_request) if "successfully" not in str(it)]


def test_another_zone_asks_what_the_events_keep_and_saves_nothing_before(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, title="Meet-up", start="18:45", end="20:00")
    form = url("change", "conference", conference.pk)

    page = save(organiser, form, open_form(organiser, form), **VIENNA)

    assert errors_of(page) == {"keep": ["Nothing is saved yet: choose what the events keep in the new time zone."]}
    assert "their times on the clock: “Meet-up” stays at Thu 18:45. All move in calendars" in page.text
    assert "their moments: attendees read Thu 12:45 for “Meet-up”, no longer Thu 18:45." in page.text
    assert Conference.objects.get().timezone == "Asia/Singapore"


def test_events_that_keep_their_moments_stay_and_nothing_is_announced(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00").revise()

    assert messages_after_save(organiser, conference, **VIENNA, keep="moment") == []
    assert (Event.objects.get().start, list(Change.objects.filter(field="start"))) == (at("09:00"), [])


def test_events_that_keep_the_clock_move_as_one_announced_change_with_an_undo(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, title="Meet-up", start="09:00", end="10:00", signup_until=at("08:00")).revise()

    told = messages_after_save(organiser, conference, **VIENNA, keep="clock")

    event = Event.objects.get()
    zone = Conference.objects.get().zone
    assert UNDO_LINK.sub("", told[0]) == "Moved to the clocks of Vienna: “Meet-up”."
    assert [f"{it.astimezone(zone):%H:%M}" for it in (event.start, event.end, event.signup_until)] == ["09:00", "10:00", "08:00"]
    assert list(Change.objects.filter(field="start").values_list("group__title", flat=True)) == ["Moved to the clocks of Vienna"]


def test_another_zone_with_the_same_clocks_is_nothing_to_ask(organiser: Client) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")

    assert messages_after_save(organiser, conference, timezone="Asia/Manila") == []


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
