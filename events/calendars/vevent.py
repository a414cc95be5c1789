"""One event as the bytes of one VEVENT."""

from __future__ import annotations

import datetime as dt

import icalendar
from django.urls import reverse
from icalendar.prop import vCategory, vInline, vUri

from events.calendars import words
from events.calendars.folding import serialised
from events.calendars.style import ONE, Style
from events.calendars.text import Text, one_line
from events.calendars.ways import NOWHERE, WayWords
from events.models import Event, Kind, Status
from events.schedule.spans import Span, utc

BEFORE = dt.timedelta(minutes=10)
PLACELESS = (Kind.BREAK, Kind.SERVICE)


def vevent(
    event: Event,
    style: Style = ONE,
    *,
    site_url: str,
    way: WayWords = NOWHERE,
    moved_at: dt.datetime | None = None,
    gone: bool = False,
) -> bytes:
    """Serialised and folded; raises on a row that would make a client refuse the whole calendar.

    ``gone`` takes back what an earlier file had in it; ``moved_at`` is when that, or its return, was decided.
    """
    link = site_url + event.get_absolute_url()
    directions = site_url + reverse("events:directions", args=[event.conference.slug])
    title = words.summary(event, gone=gone)
    off = event.is_cancelled or gone
    entry = icalendar.Event()
    entry.add("uid", Text(str(event.guid)))
    entry.add("sequence", event.sequence)
    entry.add("status", "CANCELLED" if gone else status(event, titled=style.titled))
    entry.add("transp", "TRANSPARENT" if style.transparent or event.is_tba or off else "OPAQUE")
    entry.add("class", "PUBLIC")
    for name, value in moments(event, moved_at).items():
        entry.add(name, value)
    entry.add("summary", Text(title))
    entry.add("description", Text(words.description(event, link, directions=directions, brief=style.brief, way=way)))
    entry.add("categories", categories(event))
    entry.add("url", vUri(link))
    if place := one_line(event.location):
        entry.add("location", Text(place))
    if point := coordinates(event):
        entry.add("geo", vInline(point))
    if style.alarm and not event.is_tba and not off:
        entry.add_component(alarm(title))
    return serialised(entry)


def alarm(title: str) -> icalendar.Alarm:
    bell = icalendar.Alarm()
    bell.add("action", "DISPLAY")
    bell.add("description", Text(title))
    bell.add("trigger", -BEFORE)
    return bell


def moments(event: Event, moved_at: dt.datetime | None = None) -> dict[str, dt.datetime | dt.date]:
    """Instants in UTC, the one form all clients read alike; a whole day while the hour is unknown."""
    start, end = boundaries(event)
    revised = max(utc(event.revised_at), utc(moved_at or event.revised_at))
    # Without METHOD, DTSTAMP says when the entry last changed, not when it was asked for (RFC 5545 3.8.7.2).
    return {"dtstart": start, "dtend": end, "dtstamp": revised, "last-modified": revised, "created": utc(event.created_at)}


def boundaries(event: Event) -> tuple[dt.date, dt.date]:
    if event.start is None and event.end is None and event.day is not None:
        return event.day.date, event.day.date + dt.timedelta(days=1)
    span = Span.of(event.start, event.end)
    if span is None or span.length < dt.timedelta(seconds=1):
        raise ValueError("it does not end after it starts")
    return span.start, span.end


def status(event: Event, *, titled: bool = False) -> str:
    if event.is_cancelled:
        return "CONFIRMED" if titled else "CANCELLED"
    settled = event.status == Status.CONFIRMED and not event.is_tba and has_place(event)
    return "CONFIRMED" if settled else "TENTATIVE"


def has_place(event: Event) -> bool:
    """Coffee and desks are where the programme says elsewhere; anything else without a place is not settled."""
    return bool(event.location) or event.type.kind in PLACELESS


def categories(event: Event) -> vCategory:
    return vCategory([Text(name) for name in words.categories(event)])


def coordinates(event: Event) -> str:
    """Where the venue stands; nothing for a place elsewhere, whose own coordinates nobody knows."""
    if event.room is None or event.room.zone.off_site:
        return ""
    venue = event.room.zone.venue
    if venue.latitude is None or venue.longitude is None:
        return ""
    if not (-90 <= venue.latitude <= 90 and -180 <= venue.longitude <= 180):
        return ""
    return f"{venue.latitude:.6f};{venue.longitude:.6f}"
