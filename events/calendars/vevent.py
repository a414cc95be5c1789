"""VEVENTs, serialised: of an event in a given style, of a private entry, and of a sign-up deadline."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, replace
from functools import lru_cache

from django.conf import settings
from django.urls import reverse

from events.agenda.models.agenda import Agenda
from events.agenda.models.feeds import CancelledDisplay
from events.agenda.models.private_entries import PrivateEntry
from events.calendars.description import (
    MAX_SUMMARY_CHARS,
    NO_DIRECTIONS,
    EntryDirections,
    brief_description,
    category_names,
    description,
    summary,
)
from events.calendars.ical import boundary, component, ical_moment, ical_text, shorten
from events.core.parsing.languages import language_tag
from events.core.spans import Span, utc
from events.core.text import one_line
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status
from events.programme.rules.days import board_text


@dataclass(frozen=True, slots=True)
class Style:
    transparent: bool = False
    alarm: bool = False
    # A cancelled event is written as confirmed, with "Cancelled" in its title: Google hides entries with STATUS:CANCELLED.
    titled: bool = False
    # Without abstracts, talks and directions, for feeds with thousands of entries.
    brief: bool = False
    # Id of the StartingPoint of the agenda.
    start: int | None = None

    def for_event(self, *, cancelled: bool) -> Style:
        """Drop options that do not change this event, so that equal entries are cached once."""
        return replace(self, transparent=True, alarm=False) if cancelled else replace(self, titled=False)


# Shown as free time: somebody who subscribes to the programme does not attend all of it.
PROGRAMME_STYLE = Style(transparent=True, brief=True)
DEFAULT_STYLE = Style()


def style_of(agenda: Agenda) -> Style:
    return Style(
        transparent=not agenda.feed_busy,
        alarm=agenda.feed_alarm,
        titled=agenda.feed_cancelled == CancelledDisplay.TITLED,
        start=agenda.start_id,
    )


ALARM_LEAD = "PT10M"
PLACELESS_KINDS = (Kind.BREAK, Kind.SERVICE)


def vevent(
    event: Event,
    style: Style = DEFAULT_STYLE,
    *,
    site_url: str,
    way: EntryDirections = NO_DIRECTIONS,
    bookmark_changed_at: dt.datetime | None = None,
    removed: bool = False,
) -> bytes:
    """Return folded lines; raise ValueError for an event that would make clients refuse the whole calendar.

    ``removed`` cancels an entry of an earlier download; ``bookmark_changed_at`` is when the bookmark was removed or restored.
    """
    link = site_url + event.get_absolute_url()
    title = summary(event, removed=removed)
    is_off = event.is_cancelled or removed
    start, end = boundaries(event)
    if style.brief:
        text = brief_description(event, link)
    else:
        text = description(event, link, directions=site_url + directions_path(event.conference.slug), way=way)
    # Without METHOD, DTSTAMP is the last change of the entry, not the moment of the request (RFC 5545 3.8.7.2).
    revised = ical_moment(max(utc(event.revised_at), utc(bookmark_changed_at or event.revised_at)))
    properties = {
        f"SUMMARY{language_parameter(event)}": ical_text(title),
        **boundary("DTSTART", start),
        **boundary("DTEND", end),
        "DTSTAMP": revised,
        "UID": str(event.guid),
        "SEQUENCE": str(event.sequence),
        "CATEGORIES": ",".join(map(ical_text, category_names(event))),
        "CLASS": "PUBLIC",
        "CREATED": ical_moment(event.created_at),
        "DESCRIPTION": ical_text(text),
        "GEO": coordinates(event),
        "LAST-MODIFIED": revised,
        "LOCATION": ical_text(place_text(event)),
        "STATUS": "CANCELLED" if removed else vevent_status(event, titled=style.titled),
        "TRANSP": "TRANSPARENT" if style.transparent or event.is_tba or is_off else "OPAQUE",
        "URL": link,
    }
    return component("VEVENT", properties, *([alarm(title)] if style.alarm and not event.is_tba and not is_off else []))


def language_parameter(event: Event) -> str:
    # A direct write to the database may have stored something that ends the line.
    tag = language_tag(event.language)
    return f";LANGUAGE={tag}" if tag else ""


@lru_cache(maxsize=64)
def directions_path(slug: str) -> str:
    return reverse("events:directions", args=[slug])


def alarm(title: str) -> bytes:
    return component("VALARM", {"ACTION": "DISPLAY", "DESCRIPTION": ical_text(title), "TRIGGER": f"-{ALARM_LEAD}"})


def boundaries(event: Event) -> tuple[dt.date, dt.date]:
    """Return instants; dates while the time is to be announced."""
    if event.start is None and event.end is None and event.day is not None:
        return event.day.date, event.day.date + dt.timedelta(days=1)
    span = Span.from_times(event.start, event.end)
    if span is None or span.length < dt.timedelta(seconds=1):
        raise ValueError("it does not end after it starts")
    return span.start, span.end


def vevent_status(event: Event, *, titled: bool = False) -> str:
    if event.is_cancelled:
        return "CONFIRMED" if titled else "CANCELLED"
    settled = event.status == Status.CONFIRMED and not event.is_tba and has_place(event)
    return "CONFIRMED" if settled else "TENTATIVE"


def has_place(event: Event) -> bool:
    """Return True for breaks and services, which need no place; other events without one are tentative."""
    return bool(event.location) or event.type.kind in PLACELESS_KINDS


def place_text(event: Event) -> str:
    """Return "Board 43, Hall 1, floor 1": clients show the first words of a place."""
    return one_line(", ".join(filter(None, [board_text(event.board), event.location])))


def coordinates(event: Event) -> str:
    if event.room is None or event.room.zone.off_site:
        return ""
    venue = event.room.zone.venue
    if venue.latitude is None or venue.longitude is None:
        return ""
    if not (-90 <= venue.latitude <= 90 and -180 <= venue.longitude <= 180):
        return ""
    return f"{venue.latitude:.6f};{venue.longitude:.6f}"


def private_vevent(entry: PrivateEntry, style: Style, page: str) -> bytes:
    title = shorten(one_line(entry.title), MAX_SUMMARY_CHARS) or "Private"
    updated = ical_moment(entry.updated_at)
    properties = {
        "SUMMARY": ical_text(title),
        **boundary("DTSTART", entry.start),
        **boundary("DTEND", entry.end),
        "DTSTAMP": updated,
        "UID": str(entry.guid),
        "SEQUENCE": str(entry.sequence),
        "CLASS": "PRIVATE",
        "CREATED": ical_moment(entry.created_at),
        "DESCRIPTION": ical_text(f"Private: nobody else sees it.\n\n{page}"),
        "LAST-MODIFIED": updated,
        "LOCATION": ical_text(one_line(entry.place)),
        "STATUS": "CONFIRMED",
        "TRANSP": "TRANSPARENT" if style.transparent else "OPAQUE",
        "URL": page,
    }
    return component("VEVENT", properties, *([alarm(title)] if style.alarm else []))


# The entry ends when sign-up ends. Several clients do not draw an entry without a length.
DEADLINE_ENTRY_LENGTH = dt.timedelta(minutes=15)


def deadline_uid(event: Event) -> str:
    return str(uuid.uuid5(event.guid, "sign-up"))


def deadline_vevent(event: Event, end: dt.datetime, style: Style) -> bytes:
    before = "Cancelled: sign-up for " if event.is_cancelled else "Sign-up ends: "
    title = before + shorten(one_line(event.title) or event.type.name, MAX_SUMMARY_CHARS - len(before))
    page = settings.SITE_URL + event.get_absolute_url()
    local = end.astimezone(event.conference.zone)
    until = f"Sign-up until {local:%A} {local.day} {local:%B, %H:%M} {event.conference.zone_name}."
    revised = ical_moment(event.revised_at)
    properties = {
        "SUMMARY": ical_text(title),
        **boundary("DTSTART", end - DEADLINE_ENTRY_LENGTH),
        **boundary("DTEND", end),
        "DTSTAMP": revised,
        "UID": deadline_uid(event),
        "SEQUENCE": str(event.sequence + getattr(event, "deadline_moved", 0)),
        "CLASS": "PUBLIC",
        "CREATED": ical_moment(event.created_at),
        "DESCRIPTION": ical_text(f"{one_line(until)}\n\n{page}"),
        "LAST-MODIFIED": revised,
        "STATUS": "CANCELLED" if event.is_cancelled else "CONFIRMED",
        # A deadline takes no time.
        "TRANSP": "TRANSPARENT",
        "URL": page,
    }
    return component("VEVENT", properties, *([alarm(title)] if style.alarm and not event.is_cancelled else []))
