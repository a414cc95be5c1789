"""A seed folder or zip: conference.toml, place.toml and CSV files, read in the order of their references."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol
from zoneinfo import ZoneInfo

from events.core.parsing.cells import first_unprintable, quoted, spelling_hint
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Document, Hints
from events.imports.formats.languages import EventLanguages
from events.imports.formats.seeds import conference, place, programme
from events.imports.formats.seeds.files import (
    NOTES_FOLDER,
    DiskFolder,
    SeedFolder,
    TomlFile,
    UploadedFolder,
    csv_rows,
    read_text,
)
from events.imports.formats.seeds.tables import CONFERENCE_TOML, CSV_FILES, MAX_PROSE_CHARS, PLACE_TOML
from events.programme.data.schedule import ScheduleData

_CONFERENCE_FILE, _PLACE_FILE = "conference.toml", "place.toml"
_MISSING_CONFERENCE_FILE = "is missing: every conference folder has one"
_FOLDER_FILES = (_CONFERENCE_FILE, _PLACE_FILE, *CSV_FILES)


def recognises(document: Document) -> bool:
    return any(PurePosixPath(path).name == _CONFERENCE_FILE for path in document.files)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """Raise ScheduleParseError with the place of the error, or for a folder with another slug than the conference."""
    paths = sorted((path for path in document.files if PurePosixPath(path).name == _CONFERENCE_FILE), key=len)
    if not paths:
        raise ScheduleParseError(_MISSING_CONFERENCE_FILE, file=_CONFERENCE_FILE)
    if len(paths) > 1:
        raise ScheduleParseError(f"holds {len(paths)} conferences: upload the folder of one", file=document.name)
    folder = UploadedFolder(document, paths[0].removesuffix(_CONFERENCE_FILE))
    return SeedFolderReader(folder).read(hints.slug, conference.CONFERENCE_SLUG_MISMATCH)


def parse_folder(path: Path) -> ScheduleData:
    """Read a folder on disk, whose name must be the slug; raise ScheduleParseError with the place of the error."""
    folder = DiskFolder(path)
    return SeedFolderReader(folder).read(folder.name, conference.FOLDER_SLUG_MISMATCH)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


class SeedFolderReader:
    def __init__(self, folder: SeedFolder) -> None:
        self.folder = folder
        files = folder.files()
        _check_files(files)
        self.head = TomlFile(_CONFERENCE_FILE, read_text(folder, _CONFERENCE_FILE), CONFERENCE_TOML)
        self.venue = TomlFile(_PLACE_FILE, read_text(folder, _PLACE_FILE), PLACE_TOML)
        self.rows = {file: csv_rows(file, read_text(folder, file), table) for file, table in CSV_FILES.items()}
        self.files = files

    def read(self, slug: str, mismatch: str) -> ScheduleData:
        """Raise ScheduleParseError with ``mismatch`` for a folder with another slug."""
        schedule = self._with_programme(self._with_venue(self._conference(slug, mismatch)))
        amenity_targets = {
            "event": _keys(schedule.events),
            "service": _keys(schedule.services),
            "room": _keys(schedule.rooms),
            "zone": _keys(schedule.zones),
        }
        return dataclasses.replace(schedule, amenities=place.read_amenities(self.venue, amenity_targets))

    def _conference(self, slug: str, mismatch: str) -> ScheduleData:
        return ScheduleData(
            conference=conference.read_conference(self.head.one("conference"), slug, mismatch),
            facts=conference.read_facts(self.head),
            past_editions=conference.read_past_editions(self.head),
            days=conference.read_days(self.head),
            types=conference.read_event_types(self.head),
            tracks=conference.read_tracks(self.head),
            topics=conference.read_topics(self.head),
        )

    def _with_venue(self, schedule: ScheduleData) -> ScheduleData:
        venues = place.read_venues(self.venue)
        zones = place.read_zones(self.venue, _keys(venues))
        rooms = place.read_rooms(self.venue, _keys(zones))
        starting_points = place.read_starting_points(self.venue)
        services = place.read_services(self.venue, _keys(zones), _keys(rooms))
        keys = {"venue": _keys(venues), "zone": _keys(zones), "room": _keys(rooms), "service": _keys(services)}
        return dataclasses.replace(
            schedule,
            venues=venues,
            zones=zones,
            rooms=rooms,
            walks=place.read_walks(self.venue, _keys(zones)),
            services=services,
            plans=place.read_plans(self.venue, self.folder, keys),
            starting_points=starting_points,
            routes=place.read_routes(self.venue, _keys(starting_points), _keys(zones)),
        )

    def _with_programme(self, schedule: ScheduleData) -> ScheduleData:
        notes = _read_notes(self.folder, self.files)
        zone = ZoneInfo(schedule.conference.timezone)
        people = programme.SeedPeople(self.rows["people.csv"])
        papers = programme.read_papers(self.rows["papers.csv"], people, _keys(schedule.topics))
        references = programme.EventReferences(
            zone=zone,
            types={event_type.key: event_type for event_type in schedule.types},
            days=_keys(schedule.days),
            rooms=_rooms_at_venue(schedule),
            tracks=_keys(schedule.tracks),
            topics=_keys(schedule.topics),
            papers=_keys(papers),
            services=_keys(schedule.services),
            notes=notes,
            people=people,
            languages=EventLanguages(),
        )
        events = programme.read_events(self.rows["events.csv"], self.rows["socials.csv"], references)
        _check_notes(notes, _keys(events))
        return dataclasses.replace(
            schedule,
            people=people.all(),
            papers=papers,
            events=events,
            awards=programme.read_awards(self.rows["awards.csv"], _keys(papers), _keys(events)),
            announcements=programme.read_announcements(self.rows["announcements.csv"], zone),
            warnings=(*people.warnings, *references.languages.warnings()),
        )


def _check_files(files: Iterable[str]) -> None:
    names = [name for name in files if "/" not in name]
    for name in names:
        if name not in _FOLDER_FILES and name.endswith((".csv", ".toml")):
            raise ScheduleParseError(f"is not a file of a conference folder{spelling_hint(name, _FOLDER_FILES)}", file=name)
    if _CONFERENCE_FILE not in names:
        raise ScheduleParseError(_MISSING_CONFERENCE_FILE, file=_CONFERENCE_FILE)


def _keys(rows: Iterable[_Keyed]) -> list[str]:
    return [row.key for row in rows]


def _rooms_at_venue(schedule: ScheduleData) -> dict[str, bool]:
    off_site = {zone.key for zone in schedule.zones if zone.off_site}
    return {room.key: room.zone not in off_site for room in schedule.rooms}


def _read_notes(folder: SeedFolder, files: Iterable[str]) -> dict[str, str]:
    """Return the texts of notes/<key of the event>.md, which are too long for a cell, by key."""
    paths = [PurePosixPath(file) for file in files if file.startswith(f"{NOTES_FOLDER}/")]
    notes = [path for path in paths if path.suffix == ".md" and len(path.parts) == 2]
    return {path.stem: _read_note(folder, str(path)) for path in notes}


def _read_note(folder: SeedFolder, file: str) -> str:
    text = read_text(folder, file).strip().replace("\r\n", "\n").replace("\r", "\n")
    if unprintable := first_unprintable(text):
        line = next(number for number, line in enumerate(text.split("\n"), start=1) if first_unprintable(line))
        raise ScheduleParseError(f"holds the control character {unprintable}: delete it", file=file, line=line)
    if len(text) > MAX_PROSE_CHARS:
        raise ScheduleParseError(f"has {len(text)} characters: keep it to {MAX_PROSE_CHARS}", file=file)
    return text


def _check_notes(notes: Mapping[str, str], event_keys: list[str]) -> None:
    for key in notes:
        if key not in event_keys:
            raise ScheduleParseError(
                f"{quoted(key)} is not the key of an event{spelling_hint(key, event_keys)}", file=f"notes/{key}.md"
            )
