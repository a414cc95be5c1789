"""schedule.csv and papers.csv, in the columns that the lists of the admin take in again."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from events.exports.escaping import escaped
from events.importers.data import AppearanceData, EventData, LinkData, PaperData, ScheduleData
from events.importers.hints import zone_of

EVENT_COLUMNS = (
    *("guid", "title", "type", "status", "day", "start", "end", "room", "place", "travel_minutes"),
    *("track", "topic", "session", "position", "paper", "service", "board"),
    *("abstract", "official", "at_venue", "people", "links"),
    *("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity"),
    *("access_notes", "overflow_room", "takes_questions"),
    *("stream_url", "recording_url", "recording_from", "recording_offset", "notes", "notes_source"),
)
PAPER_COLUMNS = ("guid", "title", "tldr", "abstract", "topic", "authors", "links")
UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def schedule_csv(data: ScheduleData) -> bytes:
    """Every public event, also those to be announced and those cancelled."""
    return _csv(EVENT_COLUMNS, data.events, _Cells(data).of_event)


def papers_csv(data: ScheduleData) -> bytes:
    return _csv(PAPER_COLUMNS, data.papers, _Cells(data).of_paper)


def _csv(columns: tuple[str, ...], rows: Iterable[Any], cells: Callable[[Any], dict[str, str]]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in rows:
        found = cells(row)
        writer.writerow([escaped(UNFIT.sub("", found[name])) for name in columns])
    # Without this mark Excel takes it for a file of another age.
    return b"\xef\xbb\xbf" + file.getvalue().encode("utf-8", "ignore")


class _Cells:
    """What stands in each cell: names where they are somebody's own, else what tells two of one name apart."""

    def __init__(self, data: ScheduleData) -> None:
        self.zone = zone_of(data.conference.timezone)
        zones = {it.key: it for it in data.zones}
        venues = {it.key: it.name for it in data.venues}
        within = {it.key: f"{zones[it.zone].name} › {it.name}" if it.zone in zones else it.name for it in data.rooms}
        wider = {it.key: f"{venues[zones[it.zone].venue]} › {within[it.key]}" for it in data.rooms if it.zone in zones}
        sessions = {it.key for it in data.events} & {it.session for it in data.events}
        self.names: dict[str, Mapping[str, str]] = {
            "type": _names((it.key, it.name, it.key) for it in data.types),
            "room": _names((it.key, it.name, within[it.key], wider.get(it.key, "")) for it in data.rooms),
            "track": _names((it.key, it.name, it.key) for it in data.tracks),
            "topic": _names((it.key, " › ".join(filter(None, [it.area, it.subarea])), it.key) for it in data.topics),
            "service": _names((it.key, it.name) for it in data.services),
            "paper": _names((it.key, it.title, it.key) for it in data.papers),
            "session": _names((it.key, it.title, it.key) for it in data.events if it.key in sessions),
            "person": _names((it.key, it.name if ";" not in it.name else "", _named(it.name, it.guid)) for it in data.people),
        }

    def of_event(self, event: EventData) -> dict[str, str]:
        moments = ("start", "end", "signup_checked_at", "signup_until")
        refs = ("type", "room", "track", "topic", "session", "paper", "service")
        plain = {name: _shown(getattr(event, name)) for name in EVENT_COLUMNS}
        offset = event.recording_offset
        return {
            **plain,
            **{name: _moment(getattr(event, name), self.zone) for name in moments},
            **{name: self.names[name].get(getattr(event, name), "") for name in refs},
            "overflow_room": self.names["room"].get(event.overflow_room, ""),
            "position": str(event.position or ""),
            "recording_offset": f"{offset // 60}:{offset % 60:02}" if offset is not None else "",
            "people": "; ".join(self._appearance(it) for it in event.people),
            "links": _links(event.links),
        }

    def of_paper(self, paper: PaperData) -> dict[str, str]:
        return {
            **{name: _shown(getattr(paper, name)) for name in PAPER_COLUMNS},
            "topic": self.names["topic"].get(paper.topic, ""),
            "authors": "; ".join(self.names["person"][it] for it in paper.authors),
            "links": _links(paper.links),
        }

    def _appearance(self, found: AppearanceData) -> str:
        words = [found.role] if found.role != "speaker" else []
        words += ["remote"] if found.remote else []
        return self.names["person"][found.person] + (f" ({', '.join(words)})" if words else "")


def _names(rows: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """For each key the first of its names that is nobody else's; the last if all are."""
    named = {key: [name for name in names if name] for key, *names in rows}
    borne = Counter(name for names in named.values() for name in {_folded(it) for it in names})
    return {
        key: next((it for it in names if borne[_folded(it)] == 1), names[-1] if names else "") for key, names in named.items()
    }


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _named(name: str, guid: str) -> str:
    return f"{name.replace(';', ',')} [{guid}]"


def _moment(moment: dt.datetime | None, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}" if moment else ""


def _links(links: Iterable[LinkData]) -> str:
    return "; ".join(" ".join(filter(None, [it.kind, it.url, it.title])) for it in links)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value.isoformat() if isinstance(value, dt.date) else str(value)
