"""main_calendar.json and the sessions of papers.csv: the standard Mini-Conf, which has no schedule.yml."""

from __future__ import annotations

import datetime as dt
from urllib.parse import parse_qs, urlsplit

from events.importers.cells import is_address, key_of
from events.importers.data import EventData
from events.importers.kinds import kind_of
from events.importers.miniconf.programme import Programme
from events.importers.miniconf.schedule import session_called, show
from events.importers.miniconf.sitedata import Entry, text
from events.importers.miniconf.times import UTC
from events.importers.times import moment

_FILE = "main_calendar.json"


def calendar(programme: Programme) -> None:
    """Its entries as events; the dates become the conference's."""
    for entry in programme.files.entries(_FILE):
        title = text(entry, "title")
        place = f"{_FILE}, “{title[:60]}”"
        start, end = (moment(text(entry, name), UTC) for name in ("start", "end"))
        if start is None or end is None:
            programme.builder.skip(place, "its start or end is no time like 2020-04-27T05:00:00+00:00")
            continue
        programme.dates.append(start.date())
        event = programme.add(_event(programme, entry, title, start, end), place=place)
        for name in (title, *_named(entry)):
            programme.sessions.setdefault(name, event)
    programme.dates[:] = sorted(set(programme.dates))


def _event(programme: Programme, entry: Entry, title: str, start: dt.datetime, end: dt.datetime) -> EventData:
    types, sort = programme.builder, text(entry, "calendarId")
    shows_posters = "poster" in f"{title} {sort}".lower()
    where, link = text(entry, "location"), text(entry, "link")
    place = f"{_FILE}, “{title[:60]}”"
    return EventData(
        # Its entries have no ids: an entry is the same while its day and its title are.
        key=programme.key("calendar", f"{start.date()}-{key_of(title)}"),
        title=title,
        type=types.type("session", "Poster session") if shows_posters else types.type(kind_of(title, sort)),
        start=start,
        end=end,
        place="" if is_address(where) else where,
        links=programme.builder.link(link or (where if is_address(where) else ""), place=place),
    )


def _named(entry: Entry) -> list[str]:
    """What the pages of its papers call the session: “papers.html?session=Mon+Session+3”."""
    found = []
    for name in ("location", "link"):
        try:
            found += parse_qs(urlsplit(text(entry, name)).query).get("session", [])
        except ValueError:
            continue
    return found


def paper_sessions(programme: Programme) -> None:
    """papers.csv: “Mon Session 1|Mon Session 3”."""
    for position, row in enumerate(programme.files.rows("papers.csv"), start=1):
        for name in filter(None, (it.strip() for it in text(row, "sessions").split("|"))):
            session = session_called(programme, name, "papers.csv")
            show(programme, text(row, "UID"), session, position, "", f"papers.csv, “{text(row, 'UID')[:60]}”, “{name[:60]}”")
