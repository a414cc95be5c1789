"""conference.toml: the conference itself, its figures, days, types of event, tracks and topics."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

from events.importers.cells import key_of, quoted
from events.importers.data import (
    ConferenceData,
    DayData,
    EventTypeData,
    FactData,
    PastEditionData,
    TopicData,
    TrackData,
)
from events.importers.seeds.keys import unique
from events.importers.seeds.rows import KEY, NAME, SENTENCE, Row
from events.importers.seeds.tables import KINDS, LINE_COLOURS
from events.importers.seeds.toml import TomlFile

_SHORT, USUAL_MINUTES = 200, 60
NOT_ITS_FOLDER = "is not the name of its folder, {expected}: make them the same"
NOT_THIS_CONFERENCE = "is not the conference it is imported into, {expected}: choose the conference that the folder is of"


def conference(row: Row, expected: str, contradiction: str) -> ConferenceData:
    slug = row.key("slug")
    if slug != expected:
        raise row.refuse("slug", contradiction.format(expected=quoted(expected)))
    start, end = row.required_date("start"), row.required_date("end")
    if end < start:
        raise row.refuse("end", f"is before the start, {start}")
    return ConferenceData(
        slug=slug,
        name=row.required("name", NAME),
        title=row.text("title"),
        series=row.text("series", NAME),
        edition=row.text("edition", NAME),
        city=row.text("city", NAME),
        country=row.text("country", NAME),
        timezone=time_zone(row).key,
        start=start,
        end=end,
        colour=row.colour("colour"),
        url=row.url("url"),
        about=row.prose("about"),
    )


def time_zone(row: Row) -> ZoneInfo:
    """A zone of the database: its folders, “localtime” and leap-second variants are none."""
    name = row.required("timezone", KEY)
    try:
        if re.fullmatch(r"UTC|(?!posix|right)[A-Za-z_]+(/[A-Za-z0-9_+-]+)+", name):
            return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        pass
    raise row.refuse("timezone", "is not a time zone: write a name like Asia/Singapore")


def facts(file: TomlFile) -> tuple[FactData, ...]:
    found = unique(
        file.rows("facts"), lambda row: row.key() if row.has("key") else key_of(row.required("label", _SHORT)), "label"
    )
    return tuple(
        FactData(
            key=key,
            label=row.required("label", _SHORT),
            value=row.required("value", _SHORT),
            note=row.text("note", SENTENCE),
            source_url=row.url("source_url"),
            position=position,
        )
        for position, (key, row) in enumerate(found.items(), start=1)
    )


def past_editions(file: TomlFile) -> tuple[PastEditionData, ...]:
    found = unique(file.rows("past_editions"), lambda row: str(row.year()), "year")
    return tuple(
        PastEditionData(
            key=key,
            year=int(key),
            place=row.required("place", _SHORT),
            participants=row.whole("participants"),
            countries=row.whole("countries"),
        )
        for key, row in found.items()
    )


def days(file: TomlFile) -> tuple[DayData, ...]:
    found = unique(file.rows("days"), lambda row: row.required_date("date").isoformat(), "date")
    return tuple(
        DayData(key=key, date=row.required_date("date"), title=row.text("title", NAME), note=row.text("note", SENTENCE))
        for key, row in found.items()
    )


def types(file: TomlFile) -> tuple[EventTypeData, ...]:
    return tuple(
        EventTypeData(
            key=key,
            name=row.required("name", NAME),
            plural=row.text("plural", NAME),
            kind=row.choice("kind", KINDS) or row.required("kind"),
            colour=row.colour("colour", LINE_COLOURS),
            icon=row.icon(),
            position=position,
            default_minutes=row.whole("default_minutes", 1) or USUAL_MINUTES,
        )
        for position, (key, row) in enumerate(unique(file.rows("types")).items(), start=1)
    )


def tracks(file: TomlFile) -> tuple[TrackData, ...]:
    return tuple(
        TrackData(key=key, name=row.required("name", NAME), colour=row.colour("colour"), position=position)
        for position, (key, row) in enumerate(unique(file.rows("tracks")).items(), start=1)
    )


def topics(file: TomlFile) -> tuple[TopicData, ...]:
    return tuple(
        TopicData(key=key, area=row.required("area", _SHORT), subarea=row.text("subarea", _SHORT))
        for key, row in unique(file.rows("topics")).items()
    )
