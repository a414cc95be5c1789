"""Rows that no form would take: every page and file answers, without them or with what can be shown of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from events.models import Event, SearchIndex
from events.models.readable import report
from tests.calendars.poison import end_before_start, make_unreadable, without_a_date
from tests.calendars.world import World
from tests.factories import make_event

pytestmark = pytest.mark.django_db

POISONS = [end_before_start, make_unreadable, without_a_date]
UNREADABLE = [make_unreadable, without_a_date]
ADDRESSES = [
    "/iclr-2025/?at=2025-04-24T09:30",
    "/iclr-2025/schedule/2025-04-24/",
    "/iclr-2025/schedule/2025-04-24/?view=grid",
    "/iclr-2025/agenda/",
    "/iclr-2025/search/?q=Erdbeeren",
    "/iclr-2025/schedule.json",
    "/iclr-2025/schedule.xml",
    "/iclr-2025/schedule.csv",
    "/iclr-2025/schedule.ics",
    "/iclr-2025/agenda.ics",
]
BARE = [f"/iclr-2025/{name}/" for name in ("about", "changes", "people", "papers", "venue", "services", "topics", "socials")]


@pytest.fixture(autouse=True)
def _nothing_reported() -> None:
    report.cache_clear()


def poisoned(poison: Callable[[Event], None]) -> World:
    """A visitor's two picks, one of which is broken by now."""
    world = World()
    good = make_event(world.conference, title="Erdbeeren", start="09:00", end="10:00", place="Hall 2")
    world.agenda.bookmark(good, on=True)
    SearchIndex.follow(world.conference.pk)
    poison(world.event)
    return world


@pytest.mark.parametrize("poison", POISONS, ids=lambda it: it.__name__)
@pytest.mark.parametrize("address", ADDRESSES)
def test_page_shows_the_other_rows(address: str, poison: Callable[[Event], None]) -> None:
    answer = poisoned(poison).visitor().get(address)

    assert (answer.status_code, b"Erdbeeren" in answer.getvalue()) == (200, True)


@pytest.mark.parametrize("poison", POISONS, ids=lambda it: it.__name__)
@pytest.mark.parametrize("address", BARE)
def test_page_without_events_answers(address: str, poison: Callable[[Event], None]) -> None:
    assert poisoned(poison).visitor().get(address).status_code == 200


def test_page_of_an_event_that_ends_before_it_starts_answers() -> None:
    world = poisoned(end_before_start)

    assert Client().get(world.event.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("poison", UNREADABLE, ids=lambda it: it.__name__)
def test_page_of_an_unreadable_event_is_not_there(poison: Callable[[Event], None]) -> None:
    world = poisoned(poison)

    assert Client().get(world.event.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("poison", POISONS, ids=lambda it: it.__name__)
def test_session_with_a_broken_talk_shows_the_others(poison: Callable[[Event], None]) -> None:
    world = World()
    session = make_event(world.conference, start="09:00", end="12:00")
    talks = [make_event(world.conference, kind="talk", session=session, title=it, start="09:00", end="10:00") for it in "AB"]
    poison(talks[0])

    answer = Client().get(session.get_absolute_url())

    assert (answer.status_code, talks[1].get_absolute_url() in answer.text) == (200, True)


@pytest.mark.parametrize("poison", POISONS, ids=lambda it: it.__name__)
def test_search_index_follows_past_it(poison: Callable[[Event], None]) -> None:
    world = poisoned(poison)
    make_event(world.conference, title="Erdnuss", start="09:00", end="10:00")

    SearchIndex.follow(world.conference.pk)

    assert "Erdnuss" in Client().get("/iclr-2025/search/?q=Erdnuss").text


@pytest.mark.parametrize("poison", POISONS, ids=lambda it: it.__name__)
def test_bookmark_can_still_be_set_beside_it(poison: Callable[[Event], None]) -> None:
    world = poisoned(poison)
    other = make_event(world.conference, title="Erdnuss", start="09:00", end="10:00")

    answer = world.visitor(headers={"Origin": "http://testserver", "HX-Request": "true"}).post(
        f"{other.get_absolute_url()}bookmark/", {"on": "1"}
    )

    assert answer.status_code == 200
    assert world.agenda.bookmarks.filter(event=other, removed_at=None).exists()


def test_unreadable_row_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    world = poisoned(make_unreadable)

    for _ in range(2):
        Client().get("/iclr-2025/schedule/2025-04-24/")

    told = [it.getMessage() for it in caplog.records if it.name == "events.rows"]
    assert [it.partition(":")[0] for it in told] == [f"Event {world.event.pk} cannot be read and is left out"]
