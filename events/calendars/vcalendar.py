"""A VCALENDAR around entries that are bytes already, with the conference's time zone in it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import lru_cache
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings
from icalendar.prop import vUri

from events.calendars.folding import serialised
from events.calendars.text import Text, clean, one_line
from events.models import Conference
from events.schedule.zones import offset_in, rules_of

HOUR = dt.timedelta(hours=1)
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
    for change, _ in rules_of(zone, begin, begin + (last - first)).offsets[1:]:
        before = change - dt.timedelta(seconds=1)
        onset = change.replace(tzinfo=None) + offset_in(zone, before)
        component.add_component(observance(zone, before, change, onset))
    return serialised(component)


def observance(zone: ZoneInfo, before: dt.datetime, after: dt.datetime, onset: dt.datetime) -> icalendar.cal.Component:
    local = after.astimezone(zone)
    block = icalendar.TimezoneDaylight() if local.dst() else icalendar.TimezoneStandard()
    block.add("dtstart", onset)
    block.add("tzoffsetfrom", offset_in(zone, before))
    block.add("tzoffsetto", offset_in(zone, after))
    block.add("tzname", Text(local.tzname() or zone.key))
    return block
