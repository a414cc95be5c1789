"""Walks are read once in each process, until they may have changed."""

from __future__ import annotations

from typing import Any

import pytest

from events.agenda.queries.conflicts import walks_of
from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference
from tests.factories import make_conference, make_event, make_room, make_walk, make_zone

pytestmark = pytest.mark.django_db


def test_walks_are_read_again_after_a_change(monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**24)
    conference = make_conference()
    here, there = make_zone(conference, "Hall"), make_zone(conference, "Exit")
    walk = make_walk(conference, here, there, minutes=5)
    event = make_event(conference, room=make_room(conference, "Room"))

    def minutes() -> int | None:
        way = walks_of(Conference.objects.get(pk=conference.pk)).way(here.pk, there.pk)
        return way and way.minutes

    before = minutes()
    with django_assert_num_queries(1):
        again = minutes()
    walk.minutes = 9
    walk.revise()
    changed = minutes()
    # Each record of a first change is one of everything; later ones say which event they are about.
    for title in ("Renamed", "Renamed again"):
        event.title = title
        event.revise()
    minutes()
    with django_assert_num_queries(1):
        after_an_event = minutes()

    assert (before, again, changed, after_an_event) == (5, 5, 9, 9)
