"""VEVENTs, serialised: of an event in a given style, of a private entry, and of a sign-up deadline."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass, replace

import icalendar
from django.conf import settings
from django.urls import reverse
from icalendar.prop import vCategory, vInline, vUri

from events.agenda.models.agenda import Agenda
from events.agenda.models.feeds import CancelledDisplay
from events.agenda.models.private_entries import PrivateEntry
from events.calendars.description import MAX_SUMMARY_CHARS, NO_DIRECTIONS, EntryDirections, category_names, description, summary
from events.calendars.ical import IcalText, serialised, shorten
from events.core.spans import Span, utc
from events.core.text import one_line
from events.programme.models.event import Event
from events.programme.models.labels import Kind, Status


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


ALARM_LEAD = dt.timedelta(minutes=10)
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
    directions = site_url + reverse("events:directions", args=[event.conference.slug])
    title = summary(event, removed=removed)
    is_off = event.is_cancelled or removed
    entry = icalendar.Event()
    entry.add("uid", IcalText(str(event.guid)))
    entry.add("sequence", event.sequence)
    entry.add("status", "CANCELLED" if removed else vevent_status(event, titled=style.titled))
    entry.add("transp", "TRANSPARENT" if style.transparent or event.is_tba or is_off else "OPAQUE")
    entry.add("class", "PUBLIC")
    for name, value in vevent_moments(event, bookmark_changed_at).items():
        entry.add(name, value)
    entry.add("summary", IcalText(title))
    entry.add("description", IcalText(description(event, link, directions=directions, brief=style.brief, way=way)))
    entry.add("categories", category_property(event))
    entry.add("url", vUri(link))
    if place := one_line(event.location):
        entry.add("location", IcalText(place))
    if point := coordinates(event):
        entry.add("geo", vInline(point))
    if style.alarm and not event.is_tba and not is_off:
        entry.add_component(alarm(title))
    return serialised(entry)


def alarm(title: str) -> icalendar.Alarm:
    component = icalendar.Alarm()
    component.add("action", "DISPLAY")
    component.add("description", IcalText(title))
    component.add("trigger", -ALARM_LEAD)
    return component


def vevent_moments(event: Event, bookmark_changed_at: dt.datetime | None = None) -> dict[str, dt.datetime | dt.date]:
    """Return instants in UTC, which all clients read alike; dates while the time is to be announced."""
    start, end = boundaries(event)
    revised = max(utc(event.revised_at), utc(bookmark_changed_at or event.revised_at))
    # Without METHOD, DTSTAMP is the last change of the entry, not the moment of the request (RFC 5545 3.8.7.2).
    return {"dtstart": start, "dtend": end, "dtstamp": revised, "last-modified": revised, "created": utc(event.created_at)}


def boundaries(event: Event) -> tuple[dt.date, dt.date]:
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


def category_property(event: Event) -> vCategory:
    return vCategory([IcalText(name) for name in category_names(event)])


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
    component = icalendar.Event()
    component.add("uid", IcalText(str(entry.guid)))
    component.add("sequence", entry.sequence)
    component.add("status", "CONFIRMED")
    component.add("transp", "TRANSPARENT" if style.transparent else "OPAQUE")
    component.add("class", "PRIVATE")
    moments = {"dtstart": entry.start, "dtend": entry.end, "dtstamp": entry.updated_at, "created": entry.created_at}
    for name, moment in (moments | {"last-modified": entry.updated_at}).items():
        component.add(name, utc(moment))
    component.add("summary", IcalText(title))
    component.add("description", IcalText(f"Private: nobody else sees it.\n\n{page}"))
    component.add("url", vUri(page))
    if place := one_line(entry.place):
        component.add("location", IcalText(place))
    if style.alarm:
        component.add_component(alarm(title))
    return serialised(component)


# The entry ends when sign-up ends. Several clients do not draw an entry without a length.
DEADLINE_ENTRY_LENGTH = dt.timedelta(minutes=15)


def deadline_uid(event: Event) -> str:
    return str(uuid.uuid5(event.guid, "sign-up"))


def deadline_vevent(event: Event, end: dt.datetime, style: Style) -> bytes:
    before = "Cancelled: sign-up for " if event.is_cancelled else "Sign-up ends: "
    title = before + shorten(one_line(event.title) or event.type.name, MAX_SUMMARY_CHARS - len(before))
    page = settings.SITE_URL + event.get_absolute_url()
    local = end.astimezone(event.conference.zone)
    entry = icalendar.Event()
    entry.add("uid", IcalText(deadline_uid(event)))
    entry.add("sequence", event.sequence + getattr(event, "deadline_moved", 0))
    entry.add("status", "CANCELLED" if event.is_cancelled else "CONFIRMED")
    # A deadline takes no time.
    entry.add("transp", "TRANSPARENT")
    entry.add("class", "PUBLIC")
    revised = utc(event.revised_at)
    moments = {"dtstart": end - DEADLINE_ENTRY_LENGTH, "dtend": end, "dtstamp": revised, "created": utc(event.created_at)}
    for name, moment in (moments | {"last-modified": revised}).items():
        entry.add(name, moment)
    entry.add("summary", IcalText(title))
    until = f"Sign-up until {local:%A} {local.day} {local:%B, %H:%M} {event.conference.zone_name}."
    entry.add("description", IcalText(f"{one_line(until)}\n\n{page}"))
    entry.add("url", vUri(page))
    if style.alarm and not event.is_cancelled:
        entry.add_component(alarm(title))
    return serialised(entry)
