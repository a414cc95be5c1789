"""What the calendar page says about who came for the feed, and what they have not been told."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils.html import strip_tags

from events.calendars.health import ago_text
from events.models import Event
from tests.calendars.world import World
from tests.factories import at, make_agenda, make_conference, make_event, make_room
from tests.visitors import browser

pytestmark = pytest.mark.django_db

PAGE = "/iclr-2025/agenda/calendar/"
NINE = at("09:00")
HOUR = dt.timedelta(hours=1)
GOOGLE, IPHONE = "Google-Calendar-Importer", "iOS/17.1 (21B74) dataaccessd/1.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36"


@pytest.fixture
def world(db: None) -> World:
    """Two days before anybody comes."""
    with time_machine.travel(NINE - 48 * HOUR, tick=False):
        return World()


def fetch(world: World, user_agent: str, when: dt.datetime = NINE) -> None:
    with time_machine.travel(when, tick=False):
        Client().get(world.feed, headers={"user-agent": user_agent})


def page(world: World, when: dt.datetime = NINE + 3 * HOUR, query: str = "") -> Any:
    with time_machine.travel(when, tick=False):
        return world.visitor().get(PAGE + query)


def shown_visits(world: World, when: dt.datetime = NINE + 3 * HOUR, query: str = "") -> list[str]:
    """The lines about visits, as they are read."""
    found = re.findall(r'<ul class="visits">(.*?)</ul>', page(world, when, query).text, re.DOTALL)
    return [" ".join(strip_tags(line).split()) for line in re.findall(r"<p .*?</p>", "".join(found), re.DOTALL)]


def revise(event: Event, when: dt.datetime, **fields: Any) -> None:
    with time_machine.travel(when, tick=False):
        stored = Event.objects.get(pk=event.pk)
        for name, value in fields.items():
            setattr(stored, name, value)
        stored.revise()


def test_feed_that_nobody_fetched_says_so(world: World) -> None:
    response = page(world)

    assert "Your calendar has 1 entry now. No calendar has connected yet;" in " ".join(response.text.split())
    assert shown_visits(world) == []


def test_session_with_a_talk_in_it_is_said_to_be_one_entry() -> None:
    conference = make_conference(slug="iclr-2025")
    workshop = make_event(conference, title="Workshop", start="09:00", end="12:00")
    talk = make_event(conference, kind="talk", title="A talk", start="09:30", end="10:00", session=workshop)
    _, token = make_agenda(conference, workshop, talk)

    text = " ".join(browser(token=token).get(PAGE).text.split())

    assert "Your calendar has 1 entry now. A session and the talks in it are one entry." in text


def test_calendar_that_came_after_the_last_change_has_everything(world: World) -> None:
    fetch(world, GOOGLE)

    assert shown_visits(world) == ["Google Calendar, 3 hours ago: has everything"]
    assert "No calendar has connected" not in page(world).text


def test_each_kind_of_calendar_is_told_apart_the_latest_first(world: World) -> None:
    fetch(world, GOOGLE)
    fetch(world, IPHONE, NINE + HOUR)
    fetch(world, "curl/8", NINE + 2 * HOUR)

    assert shown_visits(world) == [
        "Another calendar, 1 hour ago: has everything",
        "Apple Calendar on a phone or tablet, 2 hours ago: has everything",
        "Google Calendar, 3 hours ago: has everything",
    ]


@pytest.mark.parametrize(("changes", "words"), [(1, "your last change"), (2, "your last 2 changes")])
def test_own_changes_that_a_calendar_has_not_been_told_are_counted(world: World, changes: int, words: str) -> None:
    fetch(world, GOOGLE)
    for _ in range(changes):
        world.agenda.bookmark(make_event(world.conference, start="11:00", end="12:00"), on=True)

    assert shown_visits(world) == [
        f"Google Calendar, 3 hours ago: does not have {words} yet",
        "Google may take a day: this page is always up to date.",
    ]


def test_what_no_calendar_shows_is_nothing_that_one_lacks(world: World) -> None:
    fetch(world, GOOGLE)

    with time_machine.travel(NINE + HOUR, tick=False):
        assert [world.agenda.acknowledge(NINE), world.agenda.visit(world.event, on=True)] == [True, True]

    assert shown_visits(world) == ["Google Calendar, 3 hours ago: has everything"]


def test_changed_events_that_a_calendar_has_not_been_told_are_counted(world: World) -> None:
    with time_machine.travel(NINE - HOUR, tick=False):
        other = make_event(world.conference, start="13:00", end="14:00")
        world.agenda.bookmark(other, on=True)
    fetch(world, IPHONE)
    revise(world.event, NINE + HOUR, title="Other")
    revise(world.event, NINE + HOUR, title="Another")

    one = shown_visits(world)
    revise(other, NINE + HOUR, status="draft")
    both = shown_visits(world)

    assert one == [
        "Apple Calendar on a phone or tablet, 3 hours ago: does not have 1 changed event yet",
        "It updates when it next refreshes: this page is always up to date.",
    ]
    assert both[0] == "Apple Calendar on a phone or tablet, 3 hours ago: does not have 2 changed events yet"


def test_change_of_what_is_not_picked_is_not_missed(world: World) -> None:
    other = make_event(world.conference, start="13:00", end="14:00")
    fetch(world, GOOGLE)

    revise(other, NINE + HOUR, title="Other")

    assert shown_visits(world) == ["Google Calendar, 3 hours ago: has everything"]


def test_change_of_what_is_watched_later_is_not_missed(world: World) -> None:
    with time_machine.travel(NINE - HOUR, tick=False):
        world.agenda.bookmark(world.event, on=True, level="later")
    fetch(world, GOOGLE)

    revise(world.event, NINE + HOUR, title="Other")

    assert shown_visits(world) == ["Google Calendar, 3 hours ago: has everything"]


def test_room_that_is_renamed_is_missed(world: World) -> None:
    room = make_room(world.conference)
    revise(world.event, NINE - HOUR, room=room)
    fetch(world, GOOGLE)

    with time_machine.travel(NINE + HOUR, tick=False):
        room.name = "Hall 9"
        room.revise()

    assert shown_visits(world)[0] == "Google Calendar, 3 hours ago: does not have 1 changed event yet"


def test_own_and_other_changes_are_said_in_one_sentence(world: World) -> None:
    fetch(world, "Microsoft.Exchange/15.20")
    revise(world.event, NINE + HOUR, title="Other")
    world.agenda.bookmark(make_event(world.conference, start="11:00", end="12:00"), on=True)
    Event.objects.exclude(pk=world.event.pk).update(revised_at=NINE - HOUR)

    assert shown_visits(world) == [
        "Outlook, 3 hours ago: does not have your last change and 1 changed event yet",
        "Outlook may take some hours: this page is always up to date.",
    ]


def test_calendar_that_is_told_later_has_everything_again(world: World) -> None:
    fetch(world, GOOGLE)
    world.agenda.bookmark(world.event, on=False)

    fetch(world, GOOGLE, NINE + 3 * HOUR)

    assert shown_visits(world) == ["Google Calendar, just now: has everything"]


def test_calendar_that_stopped_asking_is_told_with_what_to_try(world: World) -> None:
    fetch(world, GOOGLE)

    before, after = shown_visits(world, NINE + 48 * HOUR), shown_visits(world, NINE + 73 * HOUR)

    assert before == ["Google Calendar, 2 days ago: has everything"]
    assert after[0] == "Google Calendar, 3 days ago: has everything"
    assert after[1].startswith("It has stopped asking. Open that calendar and refresh it; if nothing happens,")


def test_somebody_who_looks_with_a_browser_is_no_subscription(world: World) -> None:
    fetch(world, CHROME)

    assert shown_visits(world) == ["A web browser, 3 hours ago: it opened the address, which subscribes to nothing"]
    assert "No calendar has connected yet" in page(world).text


def test_page_at_another_moment_tells_dates_and_not_how_long_ago(world: World) -> None:
    fetch(world, GOOGLE)

    assert shown_visits(world, query="?at=2025-04-20T09:30") == ["Google Calendar, Thu 24 Apr 2025, 09:00: has everything"]


def test_new_address_has_been_fetched_by_nobody(world: World) -> None:
    fetch(world, GOOGLE)

    world.visitor().post(f"{PAGE}reset/")

    assert shown_visits(world) == []


def test_unknown_kind_of_an_older_version_is_another_calendar(world: World) -> None:
    world.agenda.fetches.create(client="palm", at=NINE, agenda_revision=99, conference_revision=99)

    assert shown_visits(world) == ["Another calendar, 3 hours ago: has everything"]


def test_page_counts_what_the_feed_holds_and_not_what_is_picked(world: World) -> None:
    world.agenda.bookmark(make_event(world.conference, kind="break", start="10:00", end="10:30"), on=True)
    with_breaks = page(world).context

    world.agenda.set_feed_options(feed_breaks=False)
    without = page(world).context

    assert [(it["entries"], it["has_talks_inside"]) for it in (with_breaks, without)] == [(2, False), (1, False)]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (-5, "just now"),
        (0.9, "just now"),
        (1, "1 minute ago"),
        (59, "59 minutes ago"),
        (60, "1 hour ago"),
        (47 * 60 + 59, "47 hours ago"),
        (48 * 60, "2 days ago"),
        (500 * 60, "20 days ago"),
    ],
)
def test_ago_is_never_more_exact_than_it_needs_to_be(minutes: float, words: str) -> None:
    assert ago_text(dt.timedelta(minutes=minutes)) == words
