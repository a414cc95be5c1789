"""Mistakes of other programmes' calendars that no other test here has made impossible; docs/calendars.md lists them all."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.calendars.reading import read, unfolded, values
from tests.calendars.world import World
from tests.calendars.writing import written
from tests.factories import make_conference, make_day, make_event

pytestmark = pytest.mark.django_db


def test_address_of_a_feed_does_not_wear_out(world: World, time_machine: Any) -> None:
    """Signed for fifteen days and kept in a session, it would be dead before the conference begins."""
    Session.objects.all().delete()
    time_machine.move_to(timezone.now() + dt.timedelta(days=400))

    response = Client().get(world.feed)

    assert [entry.uid for entry in read(response.content)] == [str(world.event.guid)]


def test_summer_in_london_is_not_greenwich() -> None:
    """A zone called GMT has moved a whole programme by an hour."""
    july, london = dt.date(2025, 7, 1), ZoneInfo("Europe/London")
    conference = make_conference(timezone="Europe/London", start=july, end=july)
    hours = [dt.datetime.combine(july, dt.time(hour), london) for hour in (10, 11)]

    body = written(make_event(conference, day=make_day(conference, july), start=hours[0], end=hours[1]))

    (entry,) = read(body)
    assert (entry.start, entry.end) == (hours[0], hours[1])
    assert values(body, "DTSTART") == [":20250701T090000Z"]
    assert [line for line in unfolded(body) if "GMT" in line or "TZID" in line] == ["TZID:Europe/London"]


def test_personal_calendar_is_linked_from_the_agenda_and_alone_on_its_page(world: World) -> None:
    """Where one's own is hidden, people subscribe to everybody's."""
    client = world.visitor()

    agenda = client.get("/iclr-2025/agenda/").text
    page = client.get("/iclr-2025/agenda/calendar/").text

    assert 'href="/iclr-2025/agenda/calendar/"' in agenda
    tokens = set(re.findall(r"[\w-]+(?=\.ics)", page.replace("%2F", "/")))
    assert tokens - {"agenda"} == {world.agenda.feed_token}
