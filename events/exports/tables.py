"""schedule.csv and papers.csv, with the columns that the spreadsheets of the admin import."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from events.core.parsing.cells import escape_formula
from events.programme.data.schedule import AppearanceData, EventData, LinkData, PaperData, ScheduleData, load_time_zone

EVENT_CSV_COLUMNS = (
    *("guid", "title", "subtitle", "type", "status", "day", "start", "end", "room", "place", "travel_minutes"),
    *("track", "topic", "session", "position", "paper", "service", "board"),
    *("language", "abstract", "description", "official", "at_venue", "people", "links"),
    *("audience", "signup_url", "signup_state", "signup_checked_at", "signup_until", "cost", "capacity"),
    *("access_notes", "overflow_room", "takes_questions"),
    *("stream_url", "recording_url", "recording_from", "recording_offset", "recording_license", "do_not_record"),
    *("notes", "notes_source", "export_number", "export_slug", "logo_url"),
)
PAPER_CSV_COLUMNS = ("guid", "title", "tldr", "abstract", "topic", "authors", "links")
CSV_UNFIT_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def schedule_csv(data: ScheduleData) -> bytes:
    return _csv(EVENT_CSV_COLUMNS, data.events, _CsvCells(data).event_cells)


def papers_csv(data: ScheduleData) -> bytes:
    return _csv(PAPER_CSV_COLUMNS, data.papers, _CsvCells(data).paper_cells)


def _csv(columns: tuple[str, ...], rows: Iterable[Any], cells: Callable[[Any], dict[str, str]]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in rows:
        values = cells(row)
        writer.writerow([escape_formula(CSV_UNFIT_CHARACTERS.sub("", values[name])) for name in columns])
    # Without a byte order mark Excel does not read the file as UTF-8.
    return b"\xef\xbb\xbf" + file.getvalue().encode("utf-8", "ignore")


class _CsvCells:
    """References between rows are names; rows with the same name have a longer name or their key."""

    def __init__(self, data: ScheduleData) -> None:
        self.zone = load_time_zone(data.conference.timezone)
        zones = {it.key: it for it in data.zones}
        venues = {it.key: it.name for it in data.venues}
        within = {it.key: f"{zones[it.zone].name} › {it.name}" if it.zone in zones else it.name for it in data.rooms}
        wider = {it.key: f"{venues[zones[it.zone].venue]} › {within[it.key]}" for it in data.rooms if it.zone in zones}
        sessions = {it.key for it in data.events} & {it.session for it in data.events}
        self.names: dict[str, Mapping[str, str]] = {
            "type": _unique_names((it.key, it.name, it.key) for it in data.types),
            "room": _unique_names((it.key, it.name, within[it.key], wider.get(it.key, "")) for it in data.rooms),
            "track": _unique_names((it.key, it.name, it.key) for it in data.tracks),
            "topic": _unique_names((it.key, " › ".join(filter(None, [it.area, it.subarea])), it.key) for it in data.topics),
            "service": _unique_names((it.key, it.name) for it in data.services),
            "paper": _unique_names((it.key, it.title, it.key) for it in data.papers),
            "session": _unique_names((it.key, it.title, it.key) for it in data.events if it.key in sessions),
            "person": _unique_names(
                (person.key, person.name if ";" not in person.name else "", _name_with_guid(person.name, person.guid))
                for person in data.people
            ),
        }

    def event_cells(self, event: EventData) -> dict[str, str]:
        moments = ("start", "end", "signup_checked_at", "signup_until")
        refs = ("type", "room", "track", "topic", "session", "paper", "service")
        plain = {name: _value_cell(getattr(event, name)) for name in EVENT_CSV_COLUMNS}
        offset = event.recording_offset
        return {
            **plain,
            **{name: _moment_cell(getattr(event, name), self.zone) for name in moments},
            # Whoever reads an offset in the start expects it in the end.
            "end": _moment_cell(event.end, self.zone, has_offset=_is_repeated(event.start, self.zone)),
            **{name: self.names[name].get(getattr(event, name), "") for name in refs},
            "overflow_room": self.names["room"].get(event.overflow_room, ""),
            "position": str(event.position or ""),
            "recording_offset": f"{offset // 60}:{offset % 60:02}" if offset is not None else "",
            "people": "; ".join(self._appearance(it) for it in event.people),
            "links": _links_cell(event.links),
        }

    def paper_cells(self, paper: PaperData) -> dict[str, str]:
        return {
            **{name: _value_cell(getattr(paper, name)) for name in PAPER_CSV_COLUMNS},
            "topic": self.names["topic"].get(paper.topic, ""),
            "authors": "; ".join(self.names["person"][it] for it in paper.authors),
            "links": _links_cell(paper.links),
        }

    def _appearance(self, appearance: AppearanceData) -> str:
        notes = [appearance.role] if appearance.role != "speaker" else []
        notes += ["remote"] if appearance.remote else []
        return self.names["person"][appearance.person] + (f" ({', '.join(notes)})" if notes else "")


def _unique_names(rows: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """Return for each key the first of its names that no other key has, else its last; ``rows`` are (key, names …)."""
    names_by_key = {key: [name for name in names if name] for key, *names in rows}
    uses = Counter(folded for names in names_by_key.values() for folded in {_folded(name) for name in names})
    return {
        key: next((name for name in names if uses[_folded(name)] == 1), names[-1] if names else "")
        for key, names in names_by_key.items()
    }


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _name_with_guid(name: str, guid: str) -> str:
    return f"{name.replace(';', ',')} [{guid}]"


def _moment_cell(moment: dt.datetime | None, zone: ZoneInfo, *, has_offset: bool = False) -> str:
    """The time there, with its offset in an hour that occurs twice."""
    if moment is None:
        return ""
    at, text = moment.astimezone(zone), f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
    return at.isoformat(" ", "minutes") if has_offset or _is_repeated(moment, zone) else text


def _is_repeated(moment: dt.datetime | None, zone: ZoneInfo) -> bool:
    """Whether the clocks there show this time twice, because summer time ends."""
    at = moment.astimezone(zone) if moment else None
    return at is not None and at.utcoffset() != at.replace(fold=1 - at.fold).utcoffset()


def _links_cell(links: Iterable[LinkData]) -> str:
    return "; ".join(" ".join(filter(None, [link.kind, link.url, link.title])) for link in links)


def _value_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value.isoformat() if isinstance(value, dt.date) else str(value)
