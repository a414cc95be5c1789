"""The report of an import: counts, a line for each row, and titles and values as text."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from events.imports.sync.merge import as_json
from events.imports.sync.tables import TIME_FIELDS, SyncTable
from events.programme.models.changes import ChangeGroup
from events.programme.models.conference import Conference
from events.programme.models.papers import LinkKind
from events.programme.models.people import Role
from events.programme.rules.clashes import clash_time

ROW_CREATED, ROW_CHANGED, ROW_CANCELLED, ROW_KEPT, ROW_SKIPPED = REPORT_VERBS = (
    "created",
    "changed",
    "cancelled",
    "kept",
    "skipped",
)


class SyncError(ValueError):
    """A programme that cannot be imported; nothing of it was written."""


class UnknownConferenceError(SyncError):
    """There is no conference of this slug, and the import may not create it."""

    def __init__(self, slug: str) -> None:
        super().__init__(f"There is no conference “{slug}”: create it first, or allow the import to create it.")


class Outdated(Exception):  # noqa: N818 - no error: the import reads again
    """A row was changed between reading and writing."""


class TooManyCancelledError(SyncError):
    """So many events are missing from the file that it may be the wrong one."""

    def __init__(self, missing: int, known: int, first: str) -> None:
        self.missing, self.known, self.first = missing, known, first
        super().__init__(self.with_remedy("so many are cancelled only if that is allowed."))

    def with_remedy(self, remedy: str) -> str:
        return f"{self.missing} of {self.known} events are missing from the file; {remedy} The first is “{self.first}”."


@dataclass(frozen=True, slots=True)
class ImportDifference:
    """``field`` is its name in the admin; values are texts, "" for none."""

    field: str
    old: str
    new: str


DIFFERENCE_GROUPS = {
    "time": {"day", "start", "end"},
    "room": {"room", "place"},
    "title": {"title", "name"},
    "people": {"people", "authors"},
    "words": {
        *("abstract", "language", "tldr", "bio", "description", "about", "note", "notes", "notes_source", "links", "url"),
        *("affiliation", "sort_name", "access_notes", "audience", "stream_url", "recording_url", "subtitle", "recording_license"),
    },
    "looks": {"position", "colour", "icon", "plural"},
    "exports": {"export_number", "export_slug", "logo_url"},
}
"""What a difference is about, with the fields of each group; "other" has the rest."""
LOOKS_ONLY = ("looks",)


def difference_groups(fields: Iterable[str]) -> tuple[str, ...]:
    names = set(fields)
    groups = [group for group, members in DIFFERENCE_GROUPS.items() if names & members]
    return (*groups, *(["other"] if names - set().union(*DIFFERENCE_GROUPS.values()) else []))


@dataclass(frozen=True, slots=True)
class ReportLine:
    """``what`` is "event", "room" …; ``guid`` is empty for rows without a page.

    ``slot`` is the day, hour and room of an event after the import, ``about`` the groups of its differences.

    The verb "kept" means that the row did not change: ``old`` of a difference is its value, ``new`` the value in the file.
    """

    verb: str
    title: str
    what: str = "event"
    guid: str = ""
    differences: tuple[ImportDifference, ...] = ()
    reason: str = ""
    slot: str = ""
    about: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> ReportLine:
        differences = tuple(ImportDifference(**difference) for difference in line["differences"])
        return cls(**{**line, "differences": differences, "about": tuple(line.get("about", ()))})

    def __str__(self) -> str:
        if self.verb == ROW_SKIPPED:
            return f"skipped {self.title}"
        name = f"“{self.title}”" if self.what == "event" else f"{self.what} “{self.title}”"
        if self.verb == ROW_KEPT:
            details = [f"{it.field} stays “{it.old}”, the file says “{it.new}”" for it in self.differences]
        else:
            details = [f"{it.field}: “{it.old}” → “{it.new}”" for it in self.differences]
        details += [self.reason] if self.reason else []
        return f"{self.verb} {name}" + (f": {'; '.join(details)}" if details else "")


@dataclass
class SyncReport:
    """Counts are of events; ``elsewhere`` are those of the file that another source brought, or that were made by hand.

    ``lines`` has every row that differs, was protected from the file, or was skipped.
    """

    created: int = 0
    changed: int = 0
    cancelled: int = 0
    unchanged: int = 0
    elsewhere: int = 0
    skipped: int = 0
    other_rows: int = 0
    lines: list[ReportLine] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    clashes: list[str] = field(default_factory=list)
    made: list[dict[str, Any]] = field(default_factory=list)
    """New rows other than events, which have lines of their own: part, count, and the first names."""
    slot_changes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    """What changes of day, hours, room, place and status, by the primary key of the event; not part of the record."""
    group: ChangeGroup | None = field(default=None, repr=False)
    """Of an import that wrote something."""

    @property
    def is_empty(self) -> bool:
        return not (self.created or self.changed or self.cancelled or self.other_rows)

    def sentences(self, *verbs: str) -> list[str]:
        return [str(line) for line in self.lines if line.verb in verbs]

    def counts(self) -> dict[str, int]:
        names = ("created", "changed", "cancelled", "unchanged", "elsewhere", "skipped", "other_rows")
        return {name: getattr(self, name) for name in names}

    def as_json(self, max_lines: int) -> dict[str, Any]:
        """Return at most ``max_lines`` lines, and how many were left out.

        Those that need attention come first, and those of which only order and colour change last.
        """
        ranks = {verb: rank for rank, verb in enumerate((ROW_CANCELLED, ROW_KEPT, ROW_SKIPPED, ROW_CHANGED, ROW_CREATED))}
        lines = sorted(self.lines, key=lambda line: (line.about == LOOKS_ONLY, ranks[line.verb]))
        rest = [lines[max_lines:], self.warnings[max_lines:], self.clashes[max_lines:]]
        return {
            "lines": [asdict(line) for line in lines[:max_lines]],
            "left_out": max(0, len(lines) - max_lines),
            # Distinguishes two reports that differ only in the lines left out.
            "rest": hashlib.sha256(repr(rest).encode("utf-8", "replace")).hexdigest() if any(rest) else "",
            "warnings": _truncated(self.warnings, max_lines),
            "clashes": _truncated(self.clashes, max_lines),
            "made": self.made,
        }

    def __str__(self) -> str:
        return counts_text(self)


def counts_text(counts: Any) -> str:
    """The counts of events in words, of a report or its record."""
    names = ["created", "changed", "cancelled", "unchanged", "skipped"]
    elsewhere = [f"kept by another source {counts.elsewhere}"] if counts.elsewhere else []
    return ", ".join([*(f"{name} {getattr(counts, name)}" for name in names), *elsewhere])


def _truncated(texts: list[str], max_lines: int) -> list[str]:
    more = len(texts) - max_lines
    return [*texts[:max_lines], f"… and {more} more"] if more > 0 else texts


ProgressCallback = Callable[[str, int, int], None]
"""Called with the step ("comparing", "writing"), the number of rows done, and the number of all rows."""


def _no_progress(step: str, done: int, total: int) -> None:
    pass


def _no_record(report: SyncReport, conference: Conference) -> None:
    pass


@dataclass(frozen=True)
class ImportHooks:
    """``on_written`` runs inside the transaction: its rows are committed with the programme or not at all.

    ``reason`` is recorded with each change that attendees see. ``hand_over`` lets a file that has most events of another
    source, known by their guids, take its place: the same programme in another format. ``publish`` makes a new conference public
    at once. ``by`` is who imports.
    """

    progress: ProgressCallback = _no_progress
    on_written: Callable[[SyncReport, Conference], None] = _no_record
    reason: str = ""
    by: str = ""
    hand_over: bool = False
    publish: bool = False


NO_HOOKS = ImportHooks()
PUBLISHING = ImportHooks(publish=True)

MAX_REPORT_VALUE_CHARS = 160
REPORT_CONTEXT_CHARS = 30
"""Characters of a shortened value before the first difference."""


class RowTitles:
    """The titles of rows by part and key, before and after the import. Slots in ``year`` do not name it."""

    def __init__(self, zone: ZoneInfo, year: int | None = None) -> None:
        self.zone, self.year = zone, year
        self._old_titles: dict[str, dict[str, str]] = defaultdict(dict)
        self._new_titles: dict[str, dict[str, str]] = defaultdict(dict)

    def learn(self, table: SyncTable, key: str, values: Mapping[str, Any], *, stored: bool) -> None:
        titles = self._old_titles if stored else self._new_titles
        titles[table.part][key] = self.title(table, values)

    def title(self, table: SyncTable, values: Mapping[str, Any]) -> str:
        if not table.label:
            return " → ".join(self._title_of(part, values.get(name, "")) for name, part in table.refs.items())
        shown = [_plain_value_text(values[name], self.zone) for name in table.label]
        return " › ".join(filter(None, shown))

    def slot(self, table: SyncTable, values: Mapping[str, Any]) -> str:
        """Day, hours and room of an event in words, "" for other rows. References are keys."""
        if table.part != "events":
            return ""
        rooms = filter(None, [values["place"], self._title_of("rooms", values["room"], self._new_titles)])
        return self._slot(values["start"], values["end"], values["day"], ", ".join(rooms))

    def differences(
        self, table: SyncTable, values: Mapping[str, tuple[Any, Any]], verb: str = ROW_CHANGED
    ) -> tuple[ImportDifference, ...]:
        rest, told = dict(values), []
        if verb == ROW_KEPT and table.part == "events" and set(TIME_FIELDS) <= rest.keys():
            old, new = (self._time(*times) for times in zip(*(rest[name] for name in TIME_FIELDS), strict=True))
            if old != new:
                told = [ImportDifference("time", old, new)]
                rest = {name: pair for name, pair in rest.items() if name not in TIME_FIELDS}
        told += [self._difference(table, name, old, new) for name, (old, new) in rest.items() if as_json(old) != as_json(new)]
        return tuple(told)

    def _time(self, day: str, start: dt.datetime | None, end: dt.datetime | None) -> str:
        return self._slot(start, end, day, "")

    def _slot(self, start: dt.datetime | None, end: dt.datetime | None, day: str, where: str) -> str:
        with_year = start is not None and start.astimezone(self.zone).year != self.year
        return slot_text(start, end, self._title_of("days", day), where, self.zone, with_year=with_year)

    def _difference(self, table: SyncTable, name: str, old: Any, new: Any) -> ImportDifference:
        before = self._value(table, name, old, self._old_titles)
        after = self._value(table, name, new, self._new_titles)
        label = name if name in table.children else str(table.model._meta.get_field(name).verbose_name)
        return ImportDifference(label, *shortened(before, after))

    def _value(self, table: SyncTable, name: str, value: Any, first: Mapping[str, Mapping[str, str]]) -> str:
        if name in table.refs:
            return self._title_of(table.refs[name], value, first)
        if name in table.children:
            return self._children(table, name, value, first)
        return field_value_text(table.model._meta.get_field(name), value, self.zone)

    def _title_of(self, part: str, key: str, first: Mapping[str, Mapping[str, str]] | None = None) -> str:
        if not key:
            return ""
        for titles in (first or self._old_titles, self._old_titles, self._new_titles):
            if title := titles.get(part, {}).get(key):
                return title
        return key

    def _children(self, table: SyncTable, name: str, items: Iterable[Any], first: Mapping[str, Mapping[str, str]]) -> str:
        child = table.children[name]
        return ", ".join(self._child(dict(zip(child.fields, cells, strict=True)), child.refs, first) for cells in items)

    def _child(self, values: dict[str, Any], refs: Mapping[str, str], first: Mapping[str, Mapping[str, str]]) -> str:
        if "points" in values:
            places = [self._title_of(part, values[name], first) for name, part in refs.items()]
            return values["label"] or "".join(places) or str(values["points"])
        if not refs:
            kind = dict(LinkKind.choices).get(values.get("kind", ""), "")
            return f"{kind}: {values['url']}" if "url" in values else str(values.get("instruction", ""))
        name = self._title_of("people", values["person"], first)
        role = values.get("role", Role.SPEAKER)
        notes = [str(dict(Role.choices).get(role, role)).lower()] if role != Role.SPEAKER else []
        notes += ["remote"] if values.get("remote") else []
        return f"{name} ({', '.join(notes)})" if notes else name


TIME_KEPT_REASON = (
    "edited here, so day, start and end stay together; to follow the file again, give the event the time that the file says"
)
SLOT_FIELDS = ("day", "start", "end", "room", "place")


def slot_text(
    start: dt.datetime | None, end: dt.datetime | None, day: str, where: str, zone: ZoneInfo, *, with_year: bool = False
) -> str:
    if start and end and with_year:
        when = f"{_plain_value_text(start, zone)}–{end.astimezone(zone):%H:%M}"
    else:
        when = clash_time(start, end, zone) if start and end else f"{day}, time to be announced" if day else ""
    return " · ".join(filter(None, [when, where]))


def differences_of(model: Any, values: Mapping[str, tuple[Any, Any]], zone: ZoneInfo) -> tuple[ImportDifference, ...]:
    differences = []
    for name, (old, new) in values.items():
        field = model._meta.get_field(name)
        texts = shortened(field_value_text(field, old, zone), field_value_text(field, new, zone))
        differences.append(ImportDifference(str(field.verbose_name), *texts))
    return tuple(differences)


def field_value_text(field: models.Field[Any, Any], value: Any, zone: ZoneInfo) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    choices = dict(field.flatchoices)
    if value in choices:
        return str(choices[value]).partition(":")[0]
    return _plain_value_text(value, zone)


def _plain_value_text(value: Any, zone: ZoneInfo) -> str:
    if isinstance(value, dt.datetime):
        local = value.astimezone(zone)
        return f"{local:%a} {local.day} {local:%B %Y}, {local:%H:%M}"
    if isinstance(value, dt.date):
        return f"{value:%a} {value.day} {value:%B %Y}"
    return "" if value is None else str(as_json(value))


def shortened(old: str, new: str) -> tuple[str, str]:
    """Return both texts; if one is long, both from shortly before their first difference."""
    if max(len(old), len(new)) <= MAX_REPORT_VALUE_CHARS:
        return old, new
    shorter = min(len(old), len(new))
    differ_at = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), shorter)
    start = max(0, differ_at - REPORT_CONTEXT_CHARS)
    return _truncated_from(old, start), _truncated_from(new, start)


def _truncated_from(text: str, start: int) -> str:
    shown = ("…" if start and text else "") + text[start : start + MAX_REPORT_VALUE_CHARS]
    return shown + ("…" if len(text) > start + MAX_REPORT_VALUE_CHARS else "")
