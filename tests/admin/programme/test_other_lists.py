"""Above a filtered list: what matches in the other lists of events."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Event, Room
from tests.admin.pages import url
from tests.factories import make_conference, make_event, make_room

pytestmark = pytest.mark.django_db


@pytest.fixture
def room(db: None) -> Room:
    """A session, two invited talks and a social in a room, and an invited talk elsewhere."""
    conference = make_conference()
    room = make_room(conference)
    for kind in ("session", "invited-talk", "invited-talk", "social"):
        make_event(conference, kind=kind, start="09:00", end="10:00", room=room)
    make_event(conference, kind="invited-talk", start="09:00", end="10:00")
    return room


def elsewhere(page: Any) -> list[str]:
    return [it.text for it in page.context["cl"].matches_elsewhere()]


def test_list_says_what_else_its_filters_match(organiser: Client, room: Room) -> None:
    query = f"room__id__exact={room.pk}&day__id__exact={Event.objects.first().day_id}"

    page = organiser.get(f"{url('changelist', 'session')}?{query}")

    assert elsewhere(page) == ["2 invited talks match", "1 social matches"]
    link = page.context["cl"].matches_elsewhere()[0].url
    assert f'<a href="{link.replace("&", "&amp;")}">2 invited talks match</a>' in page.text
    assert organiser.get(link).context["cl"].result_count == 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", []),
        ("room__id__exact={room}&q=Nothing", []),
        ("start__year=2025&start__month=4&start__day=24", ["3 invited talks match", "1 social matches"]),
        ("start__year=2025&start__month=4&start__day=25", []),
        ("inside=no&room__isnull=True", ["1 invited talk matches"]),
    ],
)
def test_it_follows_every_filter_and_the_search(organiser: Client, room: Room, query: str, expected: list[str]) -> None:
    page = organiser.get(f"{url('changelist', 'session')}?{query.format(room=room.pk)}")

    assert elsewhere(page) == expected


def test_it_takes_one_query(organiser: Client, room: Room, django_assert_num_queries: Any) -> None:
    changelist = organiser.get(f"{url('changelist', 'session')}?room__id__exact={room.pk}").context["cl"]

    with django_assert_num_queries(1):
        assert len(changelist.matches_elsewhere()) == 2


def test_chair_reads_nothing_of_lists_that_are_closed_to_them(chair: Client, room: Room) -> None:
    page = chair.get(f"{url('changelist', 'social')}?room__id__exact={room.pk}")

    assert elsewhere(page) == []


def test_list_of_all_events_leads_to_one_with_its_filters_and_words(organiser: Client, room: Room) -> None:
    query = f"day__id__exact={Event.objects.first().day_id}&q=Event+one"

    response = organiser.get(f"{url('changelist', 'event')}?{query}")

    assert response["Location"] == f"{url('changelist', 'session')}?{query}"
