"""A feed address that was given up: a month of one entry, then gone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.models import Conference, FeedAddress
from tests.calendars.readers.python import by_icalendar
from tests.calendars.reading import read, unfolded, values
from tests.calendars.world import World
from tests.factories import at

pytestmark = pytest.mark.django_db

RESET = at("12:00")
DAY = dt.timedelta(days=1)
REPLACED = "This calendar link was replaced"


@pytest.fixture
def old(world: World) -> str:
    """The address that was reset at noon of Thursday, Singapore time."""
    url = world.feed
    with time_machine.travel(RESET, tick=False):
        world.agenda.reset_feed()
    return url


def get(url: str, when: dt.datetime = RESET, **headers: str) -> Any:
    with time_machine.travel(when, tick=False):
        return Client().get(url, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_replaced_address_is_a_calendar_with_one_entry_today(old: str) -> None:
    response = get(old)

    (entry,) = read(response.content)
    assert (response.status_code, response["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert (entry.start, entry.end) == (dt.date(2025, 4, 24), dt.date(2025, 4, 25))
    assert (entry.summary, entry.status) == (REPLACED, "CONFIRMED")
    assert values(response.content, "TRANSP") == [":TRANSPARENT"]


def test_entry_of_a_replaced_address_says_where_the_new_one_is_and_not_what_it_is(world: World, old: str) -> None:
    text = "".join(unfolded(get(old).content))

    assert "open the page below in the browser you picked your events with" in text
    assert "http://127.0.0.1:8000/iclr-2025/agenda/calendar/" in text
    assert [secret for secret in (old, world.feed, world.token, world.event.title) if secret in text] == []


def test_replaced_address_answers_like_any_feed(old: str) -> None:
    first = get(old)

    unchanged = get(old, if_none_match=f"W/{first['ETag']}")
    by_date = get(old, if_modified_since=first["Last-Modified"])

    assert (first["Cache-Control"], first["X-Robots-Tag"], first["Referrer-Policy"]) == (
        "private, no-cache",
        "noindex",
        "no-referrer",
    )
    assert [(it.status_code, it.content) for it in (unchanged, by_date)] == [(304, b"")] * 2
    assert dict(first.cookies) == {}


def test_replaced_address_changes_once_a_day_and_keeps_its_one_entry(old: str) -> None:
    times = [RESET, RESET + DAY / 3, at("00:00") + DAY, at("23:59") + DAY, RESET + 29 * DAY]

    answers = [get(old, when) for when in times]

    assert [len({it["ETag"] for it in some}) for some in (answers[:2], answers[2:4], answers)] == [1, 1, 3]
    assert [answers[0].content, answers[2].content] == [answers[1].content, answers[3].content]
    assert len({by_icalendar(it.content)[0].uid for it in answers}) == 1
    assert [values(it.content, "SEQUENCE") for it in answers] == [[":0"], [":0"], [":1"], [":1"], [":29"]]
    assert [get(old, RESET + DAY, if_modified_since=answers[0]["Last-Modified"]).status_code] == [200]


def test_replaced_address_counts_its_days_as_the_venue_does(old: str) -> None:
    # Noon in Singapore is the evening before there.
    Conference.objects.update(timezone="America/Los_Angeles")

    answers = [get(old, when) for when in (RESET, RESET + DAY / 2, RESET + DAY)]

    dates = [values(it.content, "DTSTART") for it in answers]
    assert dates == [[";VALUE=DATE:20250423"], [";VALUE=DATE:20250424"], [";VALUE=DATE:20250424"]]
    assert [values(it.content, "SEQUENCE") for it in answers] == [[":0"], [":1"], [":1"]]


def test_replaced_address_is_gone_after_thirty_days(old: str) -> None:
    last, gone = get(old, RESET + 30 * DAY), get(old, RESET + 30 * DAY + dt.timedelta(seconds=1))

    assert (last.status_code, gone.status_code) == (200, 410)
    assert gone["Content-Type"] == "text/html; charset=utf-8"
    assert (REPLACED in gone.text, 'href="/iclr-2025/agenda/calendar/"' in gone.text, old in gone.text) == (True, True, False)
    assert gone["Referrer-Policy"] == "no-referrer"


def test_every_address_that_was_replaced_says_so(world: World, old: str) -> None:
    second = world.feed

    with time_machine.travel(RESET + DAY, tick=False):
        world.agenda.reset_feed()

    entries = [by_icalendar(get(url, RESET + DAY).content) for url in (old, second, world.feed)]
    assert [[it.summary for it in some] for some in entries] == [[REPLACED], [REPLACED], [world.event.title]]
    assert entries[0][0].uid != entries[1][0].uid


def test_replaced_address_of_a_deleted_agenda_is_unknown(world: World, old: str) -> None:
    world.agenda.delete()

    assert (get(old).status_code, FeedAddress.objects.count()) == (404, 0)


def test_replaced_address_of_a_conference_taken_back_is_unknown(old: str) -> None:
    Conference.objects.update(status="draft")

    assert get(old).status_code == 404


def test_reset_forgets_who_fetched_the_old_address(world: World) -> None:
    world.agenda.fetches.create(client="google", at=RESET, agenda_revision=1, conference_revision=1)

    world.agenda.reset_feed()

    assert world.agenda.fetches.count() == 0


def test_only_a_hash_of_a_replaced_address_is_kept(world: World, old: str) -> None:
    token = old.removeprefix("/feeds/").removesuffix(".ics")

    assert token not in repr(FeedAddress.objects.exclude(replaced_at=None).values().get())


def test_finding_a_feed_costs_nothing_for_those_that_were_replaced(
    world: World, old: str, django_assert_num_queries: Any
) -> None:
    url = world.feed
    etag = get(url)["ETag"]

    with django_assert_num_queries(1):
        current = get(url, if_none_match=etag)
    with django_assert_num_queries(2):
        replaced = get(old)

    assert (current.status_code, replaced.status_code) == (304, 200)
