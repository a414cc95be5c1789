"""Until when one can sign up, as an entry of its own beside the event's."""

from __future__ import annotations

import datetime as dt
import uuid

import icalendar
from django.conf import settings
from django.db.models import Count, Q
from icalendar.prop import vUri

from events.calendars.entries import Entry, each
from events.calendars.folding import serialised
from events.calendars.style import ONE, Style
from events.calendars.text import Text, one_line, shorten
from events.calendars.vevent import alarm
from events.calendars.words import LONGEST_SUMMARY
from events.models import Event
from events.models.event import EventQuerySet
from events.schedule.spans import utc

# It ends when sign-up does; without a length several calendars do not draw it.
LENGTH = dt.timedelta(minutes=15)
# Events have the numbers above zero, private entries those just below it.
BELOW = 1 << 62


def uid(event: Event) -> str:
    """Always the same, and never the event's own."""
    return str(uuid.uuid5(event.guid, "sign-up"))


def with_deadline(events: EventQuerySet) -> EventQuerySet:
    """Those with one, each with how often it has moved."""
    moved = Count("changes", filter=Q(changes__field="signup_until"))
    return events.exclude(signup_until=None).annotate(deadline_moved=moved)


def deadlines(events: EventQuerySet, style: Style = ONE) -> dict[int, Entry]:
    """Of these events, by number."""
    found = each(with_deadline(events), lambda event: entry_of(event, style))
    return {pk - BELOW: entry for pk, entry in found.items()}


def entry_of(event: Event, style: Style) -> Entry:
    if event.signup_until is None:
        raise ValueError("it has no deadline")
    end = utc(event.signup_until)
    return Entry(end - LENGTH, uid(event), vevent(event, end, style))


def vevent(event: Event, end: dt.datetime, style: Style) -> bytes:
    before = "Cancelled: sign-up for " if event.is_cancelled else "Sign-up ends: "
    title = before + shorten(one_line(event.title) or event.type.name, LONGEST_SUMMARY - len(before))
    page = settings.SITE_URL + event.get_absolute_url()
    local = end.astimezone(event.conference.zone)
    entry = icalendar.Event()
    entry.add("uid", Text(uid(event)))
    entry.add("sequence", event.sequence + getattr(event, "deadline_moved", 0))
    entry.add("status", "CANCELLED" if event.is_cancelled else "CONFIRMED")
    # Nobody has to be anywhere.
    entry.add("transp", "TRANSPARENT")
    entry.add("class", "PUBLIC")
    revised = utc(event.revised_at)
    moments = {"dtstart": end - LENGTH, "dtend": end, "dtstamp": revised, "created": utc(event.created_at)}
    for name, moment in (moments | {"last-modified": revised}).items():
        entry.add(name, moment)
    entry.add("summary", Text(title))
    until = f"Sign-up until {local:%A} {local.day} {local:%B, %H:%M} {event.conference.zone_name}."
    entry.add("description", Text(f"{one_line(until)}\n\n{page}"))
    entry.add("url", vUri(page))
    if style.alarm and not event.is_cancelled:
        entry.add_component(alarm(title))
    return serialised(entry)
