"""Reads a conference folder file by file, each against the keys of those before."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Protocol
from zoneinfo import ZoneInfo

from events.importers.cells import hint, quoted, unprintable
from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints
from events.importers.seeds import conference, papers, place, plans
from events.importers.seeds.events import Programme, events
from events.importers.seeds.files import NOTES, Folder, FolderHandedIn, FolderOnDisk, csv_rows, read_text
from events.importers.seeds.people import People
from events.importers.seeds.rows import PROSE, Row
from events.importers.seeds.tables import CONFERENCE_TOML, CSV_FILES, PLACE_TOML
from events.importers.seeds.toml import TomlFile

_HEAD = "conference.toml"
_NO_HEAD = "is missing: every conference folder has one"
_FILES = (_HEAD, "place.toml", *CSV_FILES)


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


def parse_folder(path: Path) -> ScheduleData:
    """Everything the folder says, or a ScheduleParseError that says where it cannot be taken."""
    folder = FolderOnDisk(path)
    return _parsed(folder, folder.name, conference.NOT_ITS_FOLDER)


def recognises(document: Document) -> bool:
    return any(PurePosixPath(path).name == _HEAD for path in document.files)


def parse(document: Document, hints: Hints) -> ScheduleData:
    """The same of a folder or zip that was handed in for a conference, whose slug must be the folder's own."""
    found = sorted((path for path in document.files if PurePosixPath(path).name == _HEAD), key=len)
    if not found:
        raise ScheduleParseError(_NO_HEAD, file=_HEAD)
    if len(found) > 1:
        raise ScheduleParseError(f"holds {len(found)} conferences: hand in the folder of one", file=document.name)
    return _parsed(FolderHandedIn(document, found[0].removesuffix(_HEAD)), hints.slug, conference.NOT_THIS_CONFERENCE)


def _parsed(folder: Folder, slug: str, contradiction: str) -> ScheduleData:
    files = folder.files()
    _check_files(files)
    head = TomlFile(_HEAD, read_text(folder, _HEAD), CONFERENCE_TOML)
    venue = TomlFile("place.toml", read_text(folder, "place.toml"), PLACE_TOML)
    rows = {file: csv_rows(file, read_text(folder, file), table) for file, table in CSV_FILES.items()}
    schedule = _with_place(_conference(head, slug, contradiction), venue, folder)
    whole = _with_programme(schedule, rows, _notes(folder, files))
    known = {
        "event": _keys(whole.events),
        "service": _keys(whole.services),
        "room": _keys(whole.rooms),
        "zone": _keys(whole.zones),
    }
    return dataclasses.replace(whole, amenities=place.amenities(venue, known))


def _check_files(files: Iterable[str]) -> None:
    names = [name for name in files if "/" not in name]
    for name in names:
        if name not in _FILES and name.endswith((".csv", ".toml")):
            raise ScheduleParseError(f"is not a file of a conference folder{hint(name, _FILES)}", file=name)
    if _HEAD not in names:
        raise ScheduleParseError(_NO_HEAD, file=_HEAD)


def _conference(head: TomlFile, slug: str, contradiction: str) -> ScheduleData:
    return ScheduleData(
        conference=conference.conference(head.one("conference"), slug, contradiction),
        facts=conference.facts(head),
        past_editions=conference.past_editions(head),
        days=conference.days(head),
        types=conference.types(head),
        tracks=conference.tracks(head),
        topics=conference.topics(head),
    )


def _with_place(schedule: ScheduleData, venue: TomlFile, folder: Folder) -> ScheduleData:
    venues = place.venues(venue)
    zones = place.zones(venue, _keys(venues))
    rooms = place.rooms(venue, _keys(zones))
    starting_points = place.starting_points(venue)
    services = place.services(venue, _keys(zones), _keys(rooms))
    keys = {"venue": _keys(venues), "zone": _keys(zones), "room": _keys(rooms), "service": _keys(services)}
    return dataclasses.replace(
        schedule,
        venues=venues,
        zones=zones,
        rooms=rooms,
        walks=place.walks(venue, _keys(zones)),
        services=services,
        plans=plans.plans(venue, folder, keys),
        starting_points=starting_points,
        routes=place.routes(venue, _keys(starting_points), _keys(zones)),
    )


def _with_programme(schedule: ScheduleData, rows: Mapping[str, list[Row]], notes: Mapping[str, str]) -> ScheduleData:
    zone = ZoneInfo(schedule.conference.timezone)
    people = People(rows["people.csv"])
    works = papers.papers(rows["papers.csv"], people, _keys(schedule.topics))
    programme = Programme(
        zone=zone,
        types={kind.key: kind for kind in schedule.types},
        days=_keys(schedule.days),
        rooms=_rooms_at_venue(schedule),
        tracks=_keys(schedule.tracks),
        topics=_keys(schedule.topics),
        papers=_keys(works),
        services=_keys(schedule.services),
        notes=notes,
        people=people,
    )
    happening = events(rows["events.csv"], rows["socials.csv"], programme)
    _check_notes(notes, _keys(happening))
    return dataclasses.replace(
        schedule,
        people=people.all(),
        papers=works,
        events=happening,
        awards=papers.awards(rows["awards.csv"], _keys(works), _keys(happening)),
        announcements=papers.announcements(rows["announcements.csv"], zone),
        warnings=tuple(people.warnings),
    )


def _keys(things: Iterable[_Keyed]) -> list[str]:
    return [thing.key for thing in things]


def _rooms_at_venue(schedule: ScheduleData) -> dict[str, bool]:
    elsewhere = {zone.key for zone in schedule.zones if zone.off_site}
    return {room.key: room.zone not in elsewhere for room in schedule.rooms}


def _notes(folder: Folder, files: Iterable[str]) -> dict[str, str]:
    """What was said, too long for a cell: notes/<key of the event>.md."""
    paths = [PurePosixPath(file) for file in files if file.startswith(f"{NOTES}/")]
    named = [path for path in paths if path.suffix == ".md" and len(path.parts) == 2]
    return {path.stem: _note(folder, str(path)) for path in named}


def _note(folder: Folder, file: str) -> str:
    text = read_text(folder, file).strip().replace("\r\n", "\n").replace("\r", "\n")
    if found := unprintable(text):
        line = next(number for number, line in enumerate(text.split("\n"), start=1) if unprintable(line))
        raise ScheduleParseError(f"holds the control character {found}: delete it", file=file, line=line)
    if len(text) > PROSE:
        raise ScheduleParseError(f"has {len(text)} characters: keep it to {PROSE}", file=file)
    return text


def _check_notes(notes: Mapping[str, str], event_keys: list[str]) -> None:
    for key in notes:
        if key not in event_keys:
            raise ScheduleParseError(f"{quoted(key)} is not the key of an event{hint(key, event_keys)}", file=f"notes/{key}.md")
