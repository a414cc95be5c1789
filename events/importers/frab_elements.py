"""The elements of a schedule.xml: which are events, what they are called, and where they stand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from events.importers import cells
from events.importers.builder import ScheduleBuilder
from events.importers.frab_texts import said
from events.importers.safe_xml import Place


def events_of(day: Element, build: ScheduleBuilder) -> Iterator[tuple[str, Element]]:
    """A day's events with their rooms; in pentabarf's files the room is only said by the event."""
    for element in day:
        if element.tag == "event":
            yield said(element, "room"), element
        elif element.tag == "room":
            name = element.get("name") or ""
            build.room(name, key=element.get("guid") or "")
            yield from ((name or said(event, "room"), event) for event in element.iterfind("event"))


def key_of(event: Element, title: str, room: str) -> str:
    """What the source calls it: its guid, else the nearest thing that stays when it moves."""
    if guid := event.get("guid", "").strip():
        return guid.lower()
    for name in ("id", "code"):
        if found := (event.get(name) or said(event, name)).strip():
            return f"{name}:{found}"
    return f"url:{url}" if (url := said(event, "url")) else f"title:{cells.key_of(f'{title} {room}')}"


def moments_of(root: Element) -> list[dt.datetime]:
    """The times of the file that name an offset."""
    texts = {it.text or "" for it in root.iterfind("day//event/date")}
    found = [_aware(text) for text in sorted(texts)]
    return [it for it in found if it is not None]


def _aware(text: str) -> dt.datetime | None:
    try:
        found = dt.datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.utcoffset() is not None and found.year in cells.YEARS else None


def first(element: Element, name: str) -> Element:
    found = element.find(name)
    return Element(name) if found is None else found


def line_of(element: Element) -> str:
    return f"line {element.line}, " if isinstance(element, Place) else ""
