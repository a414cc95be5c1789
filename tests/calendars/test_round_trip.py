"""schedule.ics comes back from our own import as the programme that it was written from; the zone is that of the conference."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.calendars.feeds import schedule_feed
from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar import reader
from events.models import Conference, Event
from tests.factories import at, make_conference, make_event, make_room

pytestmark = pytest.mark.django_db

TITLES = st.text("aß漢😀é,;:\\\"'&-n", min_size=1, max_size=70).map(lambda text: f"Talk {text}")
STATUSES = st.sampled_from(["confirmed", "cancelled", "tentative"])
EVENTS = st.lists(
    st.tuples(
        TITLES,
        st.integers(0, 18 * 60),
        st.integers(1, 300),
        st.sampled_from(["confirmed", "cancelled", "tentative"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(EVENTS)
def test_schedule_calendar_is_read_as_it_was_written(rows: list[tuple[str, int, int, str, bool]]) -> None:
    Conference.objects.all().delete()
    conference = make_conference(slug="demo")
    rooms = [make_room(conference, name) for name in ("Hall", "Attic; left, “up”")]
    for title, begin, minutes, status, has_time in rows:
        start = at("04:00") + dt.timedelta(minutes=begin)
        times: dict[str, Any] = {"start": start, "end": start + dt.timedelta(minutes=minutes)} if has_time else {}
        make_event(conference, kind="talk", title=title, room=rooms[minutes % 2], status=status, **times)
    feed = schedule_feed(conference)

    data = reader.parse(Document.from_upload("schedule.ics", feed.body), Hints(slug="demo", timezone=conference.timezone))

    names = {room.key: room.name for room in data.rooms}
    read = {(it.guid, it.title, it.day, it.start, it.end, it.status, names[it.room]) for it in data.events}
    assert read == {
        (str(it.guid), it.title, it.day and it.day.date.isoformat(), it.start, it.end, status_read(it), it.location)
        for it in Event.objects.select_related("day", "room__zone")
    }


def status_read(event: Event) -> str:
    """An entry without an hour is tentative in a calendar."""
    return "tentative" if event.start is None and event.status == "confirmed" else event.status
