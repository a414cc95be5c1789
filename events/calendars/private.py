"""Private entries as entries of their holder's own calendar, and of no other."""

from __future__ import annotations

import logging

import icalendar
from icalendar.prop import vUri

from events.calendars.entries import Entry
from events.calendars.folding import serialised
from events.calendars.links import address
from events.calendars.style import Style
from events.calendars.text import Text, one_line, shorten
from events.calendars.vevent import alarm
from events.calendars.words import LONGEST_SUMMARY
from events.models import Agenda, PrivateEntry
from events.schedule.spans import utc

logger = logging.getLogger("events.calendars")


def private(agenda: Agenda, style: Style) -> dict[int, Entry]:
    """By number, below zero: events have those above. What was taken out is not in it."""
    page = address("events:agenda-detail", agenda.conference)
    entries = {}
    for row in agenda.private_entries.filter(removed_at=None):
        try:
            entries[-row.pk] = Entry(utc(row.start), str(row.guid), vevent(row, style, page))
        except Exception as error:  # noqa: BLE001 - one bad row must not take the whole calendar away
            # Never its words: organisers read logs.
            logger.error("A private entry is left out of its calendar: %s", type(error).__name__)
    return entries


def vevent(entry: PrivateEntry, style: Style, page: str) -> bytes:
    title = shorten(one_line(entry.title), LONGEST_SUMMARY) or "Private"
    written = icalendar.Event()
    written.add("uid", Text(str(entry.guid)))
    written.add("sequence", entry.sequence)
    written.add("status", "CONFIRMED")
    written.add("transp", "TRANSPARENT" if style.transparent else "OPAQUE")
    written.add("class", "PRIVATE")
    moments = {"dtstart": entry.start, "dtend": entry.end, "dtstamp": entry.updated_at, "created": entry.created_at}
    for name, moment in (moments | {"last-modified": entry.updated_at}).items():
        written.add(name, utc(moment))
    written.add("summary", Text(title))
    written.add("description", Text(f"Private: nobody else sees it.\n\n{page}"))
    written.add("url", vUri(page))
    if place := one_line(entry.place):
        written.add("location", Text(place))
    if style.alarm:
        written.add_component(alarm(title))
    return serialised(written)
