"""Real calendars, where they are: every event of each is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.importers import formats, icalendar_file
from events.importers.document import Document
from events.importers.hints import Hints

FOLDER = Path(__file__).parents[2].parent / "shared" / "data" / "ics"
# Events, rooms, zone, first and last day, warnings.
EXPECTED = {
    "emf2022_schedule.ics": (326, 19, "Europe/London", "2022-06-02", "2022-06-05", 0),
    "jres_2022.ics": (120, 15, "Europe/Paris", "2022-05-17", "2022-05-20", 1),
    "kielux_2020.ics": (24, 4, "UTC", "2020-09-18", "2020-09-19", 1),
    "miniconf_sample_cal_iclr2020.ics": (56, 2, "America/New_York", "2020-04-26", "2020-04-30", 0),
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ics")), ids=lambda path: path.name)
def test_every_event_is_taken(path: Path) -> None:
    document = Document.read(path)

    schedule = icalendar_file.parse(document, Hints(slug="demo"))

    told = schedule.conference
    found = (len(schedule.events), len(schedule.rooms), told.timezone, str(told.start), str(told.end), len(schedule.warnings))
    assert formats.detected(document).name == "icalendar"
    assert found == EXPECTED[path.name]
    assert schedule.skipped == ()
    assert "@" not in "".join(person.name for person in schedule.people)
