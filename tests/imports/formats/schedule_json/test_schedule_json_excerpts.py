"""Excerpts of schedule.json files: their counts, and the one that must be refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints

FOLDER = Path(__file__).parents[3] / "data/excerpts/schedule_json"
# Events, people, rooms, tracks, days.
COUNTS = {
    "frab.json": (21, 27, 2, 7, 5),
    "pretalx.json": (12, 13, 2, 2, 3),
    "pretalx_channels.json": (17, 21, 5, 5, 4),
}


@pytest.mark.parametrize("name", COUNTS)
def test_files_are_imported_whole(name: str) -> None:
    found, schedule = registry.parse_document(Document.read(FOLDER / name), Hints(slug="demo", timezone="Europe/Berlin"))

    counts = tuple(map(len, (schedule.events, schedule.people, schedule.rooms, schedule.tracks, schedule.days)))
    assert (found.name, counts, schedule.skipped) == ("schedule.json", COUNTS[name], ())
    assert all(event.start and event.end and event.guid for event in schedule.events)


def test_invalid_example_is_refused_with_a_message() -> None:
    with pytest.raises(ScheduleParseError, match="nor id “no-number” of"):
        registry.parse_document(Document.read(FOLDER / "invalid.json"), Hints(slug="demo"))
