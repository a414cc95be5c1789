"""conference.toml: the conference, its facts, past editions, days, types, tracks and topics."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from events.core.parsing.cells import key_of, quoted
from events.imports.formats.seeds.files import TomlFile, unique_rows
from events.imports.formats.seeds.tables import (
    EVENT_KINDS,
    MAX_NAME_CHARS,
    MAX_SEED_KEY_CHARS,
    MAX_SENTENCE_CHARS,
    TYPE_COLOURS,
    SeedRow,
)
from events.programme.data.schedule import ConferenceData, DayData, EventTypeData, FactData, PastEditionData, TopicData, TrackData

_MAX_SHORT_TEXT_CHARS, DEFAULT_EVENT_MINUTES = 200, 60
FOLDER_SLUG_MISMATCH = "is not the name of its folder, {expected}: make them the same"
CONFERENCE_SLUG_MISMATCH = "is not the conference it is imported into, {expected}: choose the conference that the folder is of"


def read_conference(row: SeedRow, expected: str, mismatch: str) -> ConferenceData:
    slug = row.key("slug")
    if slug != expected:
        raise row.refuse("slug", mismatch.format(expected=quoted(expected)))
    start, end = row.required_date("start"), row.required_date("end")
    if end < start:
        raise row.refuse("end", f"is before the start, {start}")
    return ConferenceData(
        slug=slug,
        name=row.required("name", MAX_NAME_CHARS),
        title=row.text("title"),
        series=row.text("series", MAX_NAME_CHARS),
        edition=row.text("edition", MAX_NAME_CHARS),
        city=row.text("city", MAX_NAME_CHARS),
        country=row.text("country", MAX_NAME_CHARS),
        timezone=read_time_zone(row).key,
        start=start,
        end=end,
        colour=row.colour("colour"),
        url=row.url("url"),
        about=row.prose("about"),
    )


def read_time_zone(row: SeedRow) -> ZoneInfo:
    """Read a zone of the time zone database, without “localtime” and the leap-second variants."""
    name = row.required("timezone", MAX_SEED_KEY_CHARS)
    try:
        if re.fullmatch(r"UTC|(?!posix|right)[A-Za-z_]+(/[A-Za-z0-9_+-]+)+", name):
            return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        pass
    raise row.refuse("timezone", "is not a time zone: write a name like Asia/Singapore")


def read_facts(file: TomlFile) -> tuple[FactData, ...]:
    rows = unique_rows(
        file.rows("facts"),
        lambda row: row.key() if row.has("key") else key_of(row.required("label", _MAX_SHORT_TEXT_CHARS)),
        "label",
    )
    return tuple(
        FactData(
            key=key,
            label=row.required("label", _MAX_SHORT_TEXT_CHARS),
            value=row.required("value", _MAX_SHORT_TEXT_CHARS),
            note=row.text("note", MAX_SENTENCE_CHARS),
            source_url=row.url("source_url"),
            position=position,
        )
        for position, (key, row) in enumerate(rows.items(), start=1)
    )


def read_past_editions(file: TomlFile) -> tuple[PastEditionData, ...]:
    rows = unique_rows(file.rows("past_editions"), lambda row: str(row.year()), "year")
    return tuple(
        PastEditionData(
            key=key,
            year=int(key),
            place=row.required("place", _MAX_SHORT_TEXT_CHARS),
            participants=row.whole("participants"),
            countries=row.whole("countries"),
        )
        for key, row in rows.items()
    )


def read_days(file: TomlFile) -> tuple[DayData, ...]:
    rows = unique_rows(file.rows("days"), lambda row: row.required_date("date").isoformat(), "date")
    return tuple(
        DayData(
            key=key,
            date=row.required_date("date"),
            title=row.text("title", MAX_NAME_CHARS),
            note=row.text("note", MAX_SENTENCE_CHARS),
        )
        for key, row in rows.items()
    )


def read_event_types(file: TomlFile) -> tuple[EventTypeData, ...]:
    return tuple(
        EventTypeData(
            key=key,
            name=row.required("name", MAX_NAME_CHARS),
            plural=row.text("plural", MAX_NAME_CHARS),
            kind=row.choice("kind", EVENT_KINDS) or row.required("kind"),
            colour=row.colour("colour", TYPE_COLOURS),
            icon=row.icon(),
            position=position,
            default_minutes=row.whole("default_minutes", 1) or DEFAULT_EVENT_MINUTES,
        )
        for position, (key, row) in enumerate(unique_rows(file.rows("types")).items(), start=1)
    )


def read_tracks(file: TomlFile) -> tuple[TrackData, ...]:
    return tuple(
        TrackData(key=key, name=row.required("name", MAX_NAME_CHARS), colour=row.colour("colour"), position=position)
        for position, (key, row) in enumerate(unique_rows(file.rows("tracks")).items(), start=1)
    )


def read_topics(file: TomlFile) -> tuple[TopicData, ...]:
    return tuple(
        TopicData(key=key, area=row.required("area", _MAX_SHORT_TEXT_CHARS), subarea=row.text("subarea", _MAX_SHORT_TEXT_CHARS))
        for key, row in unique_rows(file.rows("topics")).items()
    )
