"""An event as its entry is written now."""

from __future__ import annotations

from events.calendars.ical import vcalendar
from events.calendars.vevent import DEFAULT_STYLE, Style, vevent
from events.models import Event
from tests.calendars.reading import values

SITE = "https://hallway.example"


def written(event: Event, style: Style = DEFAULT_STYLE) -> bytes:
    """The event as it is stored now, in a calendar by itself."""
    loaded = Event.objects.for_calendars().get(pk=event.pk)
    entry = vevent(loaded, style, site_url=SITE)
    return vcalendar(loaded.conference, "Test", [entry], url=SITE)


def property_of(event: Event, name: str) -> str:
    (value,) = values(written(event), name)
    return value.removeprefix(":")
