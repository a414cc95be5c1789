"""Files of conference services: a second import changes nothing, and a moved entry moves alone."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from events.imports.formats import registry
from events.imports.formats.document import Document
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncReport
from events.models import Change, Conference, Event, Paper
from tests.imports.formats.services.service_files import DATA, FILES, HINTS, content_of
from tests.imports.sync.programmes import everything

pytestmark = pytest.mark.django_db
# Events and papers of each file.
ROWS = {
    "sessionize/all.json": (6, 0),
    "sessionize/grid_smart.json": (2, 0),
    "indico/contributions.json": (4, 0),
    "indico/sessions.json": (7, 1),
    "indico/timetable.json": (4, 0),
    "sigchi/program.json": (11, 4),
    "sched/export.csv": (2, 0),
    "sched/export.json": (3, 0),
    "openreview/notes.json": (0, 3),
}
HOUR = 3_600_000


def bring_in(content: bytes) -> SyncReport:
    found, schedule = registry.parse_document(Document.from_upload("some.file", content), HINTS)
    return sync(schedule, source=found.name, hooks=PUBLISHING)


@pytest.mark.parametrize("name", FILES)
def test_file_is_imported_whole_and_once(name: str) -> None:
    content = (DATA / name).read_bytes()
    bring_in(content)
    before = everything()

    again = bring_in(content)

    assert (Event.objects.count(), Paper.objects.count()) == ROWS[name]
    assert (again.created, again.changed, again.cancelled, again.other_rows) == (0, 0, 0, 0)
    assert everything() == before


def move_sessionize(top: Any) -> None:
    top["sessions"][0] |= {"startsAt": "2025-04-24T15:00:00", "endsAt": "2025-04-24T15:45:00"}


def move_grid(top: Any) -> None:
    top[0]["rooms"][0]["sessions"][0] |= {"startsAt": "2025-04-24T15:00:00", "endsAt": "2025-04-24T15:45:00"}


def move_indico(contribution: dict[str, Any]) -> None:
    for part, clock in (("startDate", "11:00:00"), ("endDate", "11:20:00")):
        contribution[part] = {"date": "2025-04-24", "time": clock, "tz": "Europe/Zurich"}


def move_sigchi(top: Any) -> None:
    top["events"][1]["startDate"] += HOUR
    top["events"][1]["endDate"] += HOUR


def move_sched(top: Any) -> None:
    top[0] |= {"event_start": "2025-04-24 16:00", "event_end": "2025-04-24 17:00"}


MOVES: dict[str, tuple[str, Callable[[Any], None], str]] = {
    "sessionize": ("sessionize/all.json", move_sessionize, "Typed rivers"),
    "sessionize grid": ("sessionize/grid_smart.json", move_grid, "Typed rivers"),
    "indico": (
        "indico/sessions.json",
        lambda top: move_indico(top["results"][0]["sessions"][0]["contributions"][0]),
        "Cold examples",
    ),
    "indico timetable": (
        "indico/timetable.json",
        lambda top: move_indico(top["results"]["4711"]["20250424"]["s10"]["entries"]["c11"]),
        "Cold examples",
    ),
    "sigchi": ("sigchi/program.json", move_sigchi, "Opening reception"),
    "sched": ("sched/export.json", move_sched, "Opening & keynote"),
}


def starts() -> dict[str, tuple[Any, dt.datetime | None, str]]:
    return {
        title: (guid, start, status)
        for guid, title, start, status in Event.objects.values_list("guid", "title", "start", "status")
    }


@pytest.mark.parametrize("name", MOVES)
def test_moved_file_moves_only_what_moved(name: str) -> None:
    file, move, title = MOVES[name]
    content = content_of(file)
    bring_in(dumped(content))
    before = starts()
    move(content)

    report = bring_in(dumped(content))

    after = starts()
    assert (report.created, report.changed, report.cancelled) == (0, 1, 0)
    assert {each for each in before if before[each] != after[each]} == {title}
    assert before[title][0] == after[title][0]
    assert {change.event.title for change in Change.objects.select_related("event")} == {title}


@pytest.mark.parametrize("name", ["sessionize/all.json", "sched/export.csv"])
def test_command_names_the_option_for_a_zone_that_nobody_knows(name: str) -> None:
    with pytest.raises(CommandError, match=r"names no time zone: say which one .* with --timezone\. Nothing was written\.$"):
        call_command("import_schedule", str(DATA / name), "--conference", "demo", "--create")

    call_command(
        "import_schedule", str(DATA / name), "--conference", "demo", "--create", "--timezone", "Europe/Vienna", stdout=StringIO()
    )

    assert Event.objects.count() == ROWS[name][0]


def test_moved_row_of_a_table_moves_alone() -> None:
    content = (DATA / "sched/export.csv").read_bytes()
    bring_in(content)

    report = bring_in(content.replace(b"2025-04-24 12:00,2025-04-24 13:00", b"2025-04-24 12:30,2025-04-24 13:30"))

    assert (report.created, report.changed, report.cancelled, report.unchanged) == (0, 1, 0, 1)


def test_order_of_the_file_does_not_matter() -> None:
    for file, part in (
        ("sessionize/all.json", "sessions"),
        ("sigchi/program.json", "sessions"),
        ("sigchi/program.json", "contents"),
    ):
        content = content_of(file)
        bring_in(dumped(content))
        content[part].reverse()

        report = bring_in(dumped(content))

        assert (report.created, report.changed, report.cancelled) == (0, 0, 0), (file, part)
        Conference.objects.all().delete()


def test_guids_are_equal_on_every_site() -> None:
    content = (DATA / "indico/sessions.json").read_bytes()
    bring_in(content)
    first = dict(Event.objects.values_list("source_key", "guid"))
    Conference.objects.all().delete()

    bring_in(content)

    assert dict(Event.objects.values_list("source_key", "guid")) == first


def dumped(content: Any) -> bytes:
    return json.dumps(content).encode()
