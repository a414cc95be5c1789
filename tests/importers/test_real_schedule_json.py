"""Real schedule.json files, where they are: their counts, and the one that must be refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.importers import formats
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.hints import Hints

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "schedule_json"
# Events, people, rooms, tracks, days.
COUNTS = {
    "voc_frab_camp2019.json": (79, 90, 2, 7, 5),
    "voc_pretalx_democon.json": (36, 27, 2, 2, 3),
    "voc_pretalx_rc3.json": (48, 56, 5, 5, 4),
}
INVALID = "voc_invalid_example.json"
FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", [path for path in FILES if path.name != INVALID], ids=lambda path: path.name)
def test_real_files_come_in_whole(path: Path) -> None:
    found, schedule = formats.parse(Document.read(path), Hints(slug="demo", timezone="Europe/Berlin"))

    counts = tuple(map(len, (schedule.events, schedule.people, schedule.rooms, schedule.tracks, schedule.days)))
    assert (found.name, counts, schedule.skipped) == ("schedule.json", COUNTS[path.name], ())
    assert all(event.start and event.end and event.guid for event in schedule.events)


@pytest.mark.parametrize("path", [path for path in FILES if path.name == INVALID], ids=lambda path: path.name)
def test_the_invalid_example_is_refused_in_words(path: Path) -> None:
    with pytest.raises(ScheduleParseError, match="nor id “dsadf” of"):
        formats.parse(Document.read(path), Hints(slug="demo"))
