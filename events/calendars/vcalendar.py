"""A VCALENDAR around entries that are bytes already, with the conference's time zone in it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings
from icalendar.prop import vUri

from events.calendars.folding import serialised
from events.calendars.text import Text, clean, one_line
from events.models import Conference

SECOND, HOUR, DAY = dt.timedelta(seconds=1), dt.timedelta(hours=1), dt.timedelta(days=1)
# Socials run on days before the conference, and people stay on after it.
AROUND = dt.timedelta(days=7)
END = b"END:VCALENDAR\r\n"


def calendar(
    conference: Conference, name: str, vevents: Iterable[bytes], *, url: str, about: str = "", source: str = ""
) -> bytes:
    """No METHOD, which would make it an invitation; the zone stands in it so that no entries at all is still valid."""
    frame = icalendar.Calendar()
    frame.add("version", "2.0")
    frame.add("prodid", Text(settings.CALENDAR_PRODUCT))
    # A property without a value is an error to libical.
    named = Text(one_line(name) or one_line(conference.name))
    frame.add("name", named)
    frame.add("x-wr-calname", named)
    if about:
        frame.add("description", Text(clean(about)))
        frame.add("x-wr-caldesc", Text(clean(about)))
    frame.add("url", vUri(url))
    if source:
        frame.add("source", vUri(source), parameters={"VALUE": "URI"})
    frame.add("refresh-interval", icalendar.vDuration(HOUR), parameters={"VALUE": "DURATION"})
    frame.add("x-published-ttl", "PT1H")
    body = serialised(frame).removesuffix(END)
    return b"".join([body, vtimezone(conference), *vevents, END])


def vtimezone(conference: Conference) -> bytes:
    return _vtimezone(conference.zone, conference.start - AROUND, conference.end + AROUND)


@lru_cache(maxsize=64)
def _vtimezone(zone: ZoneInfo, first: dt.date, last: dt.date) -> bytes:
    """Each change of the clocks as a block of its own: several readers take only the first date of an RDATE list."""
    begin = dt.datetime.combine(first, dt.time(), dt.UTC)
    component = icalendar.Timezone()
    component.add("tzid", Text(zone.key))
    # The first block stands since the epoch, so no entry can be before it.
    component.add_component(observance(zone, begin, begin, dt.datetime(1970, 1, 1)))  # noqa: DTZ001 - wall time, as RFC 5545 has it here
    for change in offset_changes(zone, begin, begin + (last - first)):
        before = change - SECOND
        onset = change.replace(tzinfo=None) + utc_offset(zone, before)
        component.add_component(observance(zone, before, change, onset))
    return serialised(component)


def observance(zone: ZoneInfo, before: dt.datetime, after: dt.datetime, onset: dt.datetime) -> icalendar.cal.Component:
    local = after.astimezone(zone)
    block = icalendar.TimezoneDaylight() if local.dst() else icalendar.TimezoneStandard()
    block.add("dtstart", onset)
    block.add("tzoffsetfrom", utc_offset(zone, before))
    block.add("tzoffsetto", utc_offset(zone, after))
    block.add("tzname", Text(local.tzname() or zone.key))
    return block


def utc_offset(zone: ZoneInfo, instant: dt.datetime) -> dt.timedelta:
    return instant.astimezone(zone).utcoffset() or dt.timedelta()


def offset_changes(zone: ZoneInfo, begin: dt.datetime, end: dt.datetime) -> Iterator[dt.datetime]:
    """The first second of each new offset."""
    while begin < end:
        if utc_offset(zone, begin) != utc_offset(zone, begin + DAY):
            yield _first_second(zone, begin, begin + DAY)
        begin += DAY


def _first_second(zone: ZoneInfo, low: dt.datetime, high: dt.datetime) -> dt.datetime:
    old = utc_offset(zone, low)
    while high - low > SECOND:
        middle = (low + (high - low) // 2).replace(microsecond=0)
        low, high = (middle, high) if utc_offset(zone, middle) == old else (low, middle)
    return high
