"""Calendars of a few lines, and the programmes read from them."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar import reader as icalendar
from events.programme.data.schedule import EventData, ScheduleData

LONDON = ZoneInfo("Europe/London")


def calendar(*events: str, head: str = "") -> bytes:
    """A calendar of events, each the lines of its properties."""
    entries = "".join(f"BEGIN:VEVENT\n{lines.strip()}\nEND:VEVENT\n" for lines in events)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{head}{entries}END:VCALENDAR\n".replace("\n", "\r\n").encode()


def parse(content: bytes, timezone: str = "Europe/London") -> ScheduleData:
    return icalendar.parse(Document("c.ics", {"c.ics": content}), Hints(slug="demo", timezone=timezone))


def one(lines: str, **more: str) -> EventData:
    schedule = parse(calendar(lines, **more))
    (event,) = schedule.events
    return event


def at(day: int, hour: int, minute: int = 0, month: int = 6) -> dt.datetime:
    return dt.datetime(2022, month, day, hour, minute, tzinfo=dt.UTC)


SMALL = "UID:1\nSUMMARY:Talk\n"
GOOD = "UID:good\nSUMMARY:Good\nDTSTART:20220603T120000Z\nDURATION:PT1H"
