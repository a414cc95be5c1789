from __future__ import annotations

from typing import Any

import pytest

from events.core.db.writing import update_rows
from events.models import Event
from tests.factories import at, make_conference, make_event, make_room

pytestmark = pytest.mark.django_db


def test_update_rows_stores_the_named_fields_and_no_others() -> None:
    conference = make_conference()
    one, two = (make_event(conference, title=title, start="09:00", end="10:00") for title in ("One", "Two"))
    room = make_room(conference)
    for event in (one, two):
        event.start, event.room, event.title, event.announced = at("09:30"), room, "Not this", {"title": event.title}

    update_rows(Event, [one, two], ["start", "room", "announced"])

    assert list(Event.objects.order_by("pk").values_list("title", "start", "room", "announced")) == [
        ("One", at("09:30"), room.pk, {"title": "One"}),
        ("Two", at("09:30"), room.pk, {"title": "Two"}),
    ]
    assert [event.history.count() for event in (one, two)] == [1, 1]


def test_update_rows_of_nothing_asks_nothing(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        update_rows(Event, [], ["title"])
