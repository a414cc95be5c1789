"""socials.yml: weekdays and hours paired by their order (ICLR 2020), or sessions with dates (ACL 2020)."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from events.importers.data import EventData
from events.importers.miniconf import times
from events.importers.miniconf.people import appearances, names
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.sitedata import Entry, inner, text, texts
from events.importers.times import moment

_FILE = "socials.yml"
_ALL_DAY = "all day"


def socials(programme: Programme) -> None:
    for entry in programme.files.entries(_FILE, under="socials"):
        place = f"{_FILE}, “{text(entry, 'name')[:60]}”"
        events = list(_dated(programme, entry, place) if "sessions" in entry else _paired(programme, entry, place))
        if not events:
            programme.builder.warn(f"{place}: it says neither day nor hour; both are to be announced")
            events = [_social(programme, entry, place)]
        for event in events:
            programme.add(event, place=place)


def _social(programme: Programme, entry: Entry, place: str, label: str = "", link: str = "") -> EventData:
    builder, title = programme.builder, text(entry, "name")
    members = entry.get("organizers")
    organisers = texts(members, "members") if isinstance(members, dict) else names(text(entry, "organizers"))
    return EventData(
        key=programme.key("social", text(entry, "id"), text(entry, "UID"), title),
        title=f"{title} ({label})" if label and title else title,
        type=builder.type("social"),
        abstract=text(entry, "description"),
        people=appearances(builder, organisers, "host"),
        links=builder.link(text(entry, "website"), place=place) if text(entry, "website") else (),
        stream_url=link,
    )


def _paired(programme: Programme, entry: Entry, place: str) -> Iterator[EventData]:
    """The first day with the first hours and the first link; a single one goes with all of the others."""
    days, spans, links = texts(entry, "day"), texts(entry, "times"), texts(entry, "links")
    if len(days) == 1 and len(spans) > 1:
        days *= len(spans)
    elif len(spans) == 1 and len(days) > 1:
        spans *= len(days)
    for day, span, link in zip_longest(days, spans, links[: max(len(days), len(spans))], fillvalue=""):
        yield from _on(programme, entry, day, span, link, place)


def _on(programme: Programme, entry: Entry, day: str, span: str, link: str, place: str) -> Iterator[EventData]:
    hours = times.hours(span)
    dates = programme.days(day, hours, place)
    if not dates:
        programme.builder.skip(place, f"“{span[:40]}” has no weekday (“{day[:40]}”): write one for each time")
    if hours is None:
        programme.builder.warn(f"{place}: “{span[:40]}” is not from one hour to another; {day[:40]} stands without an hour")
    for label, date in dates:
        event = _social(programme, entry, place, label, link)
        yield dataclasses.replace(event, **_when(programme, date, hours), abstract=_said(event.abstract, span))


def _said(abstract: str, span: str) -> str:
    """The one thing said of the hours that no hours can say."""
    return f"{span.strip()}.\n\n{abstract}".strip() if span.strip().lower() == _ALL_DAY else abstract


def _when(programme: Programme, date: dt.date | None, hours: times.Hours | None) -> dict[str, Any]:
    if date and hours:
        start, end = hours.on(date)
        return {"start": start, "end": end}
    return {"day": programme.day(date)}


def _dated(programme: Programme, entry: Entry, place: str) -> Iterator[EventData]:
    for session in inner(entry, "sessions"):
        start, end = (moment(text(session, name).replace("_", "T"), times.UTC) for name in ("start_time", "end_time"))
        named = f"{place}, “{text(session, 'name')[:60]}”"
        if start is None or end is None:
            programme.builder.skip(named, "it has no start_time and end_time like 2020-07-09_14:00:00")
            continue
        event = _social(programme, entry, named, _label(text(session, "name")), text(session, "zoom_link"))
        yield dataclasses.replace(event, start=start, end=end)


def _label(name: str) -> str:
    """“S-Session B (Social)” says “Social”; “S-Session B” says nothing."""
    found = re.fullmatch(r"S-Session \w+(?:\s*\((.+)\))?", name)
    return (found[1] or "") if found else name
