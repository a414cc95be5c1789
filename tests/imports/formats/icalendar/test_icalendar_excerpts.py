"""Excerpts of calendars of whole conferences: every event of each is imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar import reader as icalendar

FOLDER = Path(__file__).parents[3] / "data/excerpts/ics"
# Events, rooms, zone, first and last day, warnings.
EXPECTED = {
    "alarms.ics": (8, 0, "America/New_York", "2020-04-27", "2020-04-30", 0),
    "camp.ics": (8, 6, "Europe/London", "2022-06-02", "2022-06-05", 0),
    "charset_parameters.ics": (8, 5, "Europe/Paris", "2022-05-17", "2022-05-20", 0),
    "method_in_event.ics": (4, 3, "Europe/Berlin", "2020-09-18", "2020-09-19", 0),
}
# Named by an organiser, as the file names none.
ZONES = {"method_in_event.ics": "Europe/Berlin"}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_event_is_imported(name: str) -> None:
    document = Document.read(FOLDER / name)

    schedule = icalendar.parse(document, Hints(slug="demo", timezone=ZONES.get(name, "")))

    conference = schedule.conference
    days = (str(conference.start), str(conference.end))
    counts = (len(schedule.events), len(schedule.rooms), conference.timezone, *days, len(schedule.warnings))
    assert registry.detect_format(document).name == "icalendar"
    assert counts == EXPECTED[name]
    assert schedule.skipped == ()
    assert "@" not in "".join(person.name for person in schedule.people)
