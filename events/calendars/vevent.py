"""One event as the bytes of one VEVENT."""

from __future__ import annotations

import datetime as dt

import icalendar
from icalendar.prop import vCategory, vInline, vUri

from events.calendars import words
from events.calendars.folding import serialised
from events.calendars.text import Text, one_line
from events.models import Event, Kind, Status
from events.schedule.spans import Span, utc

PLACELESS = (Kind.BREAK, Kind.SERVICE)


def vevent(event: Event, *, transparent: bool, site_url: str) -> bytes:
    """Serialised and folded; raises on a row that would make a client refuse the whole calendar."""
    link = site_url + event.get_absolute_url()
    entry = icalendar.Event()
    entry.add("uid", Text(str(event.guid)))
    entry.add("sequence", event.sequence)
    entry.add("status", status(event))
    entry.add("transp", "TRANSPARENT" if transparent or event.is_tba or event.is_cancelled else "OPAQUE")
    entry.add("class", "PUBLIC")
    for name, value in moments(event).items():
        entry.add(name, value)
    entry.add("summary", Text(words.summary(event)))
    entry.add("description", Text(words.description(event, link)))
    entry.add("categories", categories(event))
    entry.add("url", vUri(link))
    if place := one_line(event.location):
        entry.add("location", Text(place))
    if point := coordinates(event):
        entry.add("geo", vInline(point))
    return serialised(entry)


def moments(event: Event) -> dict[str, dt.datetime | dt.date]:
    """Instants in UTC, the one form all clients read alike; a whole day while the hour is unknown."""
    start, end = boundaries(event)
    revised = utc(event.revised_at)
    # Without METHOD, DTSTAMP says when the entry last changed, not when it was asked for (RFC 5545 3.8.7.2).
    return {"dtstart": start, "dtend": end, "dtstamp": revised, "last-modified": revised, "created": utc(event.created_at)}


def boundaries(event: Event) -> tuple[dt.date, dt.date]:
    if event.start is None and event.end is None and event.day is not None:
        return event.day.date, event.day.date + dt.timedelta(days=1)
    span = Span.of(event.start, event.end)
    if span is None or span.length < dt.timedelta(seconds=1):
        raise ValueError("it does not end after it starts")
    return span.start, span.end


def status(event: Event) -> str:
    if event.is_cancelled:
        return "CANCELLED"
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
