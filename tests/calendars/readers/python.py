"""Readers that are written in Python."""

from __future__ import annotations

import datetime as dt
from typing import Any

import icalendar
import ics
import vobject

from tests.calendars.readers.entry import Entry, utc


def by_icalendar(body: bytes) -> list[Entry]:
    events = icalendar.Calendar.from_ical(body).walk("VEVENT")
    return [Entry(str(e["UID"]), e["DTSTART"].dt, e["DTEND"].dt, str(e["SUMMARY"]), str(e["STATUS"])) for e in events]


def by_vobject(body: bytes) -> list[Entry]:
    events = vobject.readOne(body.decode()).contents.get("vevent", [])
    return [Entry(e.uid.value, utc(e.dtstart.value), utc(e.dtend.value), e.summary.value, e.status.value) for e in events]


def by_ics(body: bytes) -> list[Entry]:
    events = ics.Calendar(body.decode()).events
    return [Entry(e.uid, _moment(e, e.begin), _moment(e, e.end), e.name, e.status) for e in events]


def _moment(event: ics.Event, moment: Any) -> dt.date:
    return moment.date() if event.all_day else moment.datetime.astimezone(dt.UTC)
