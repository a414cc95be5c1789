"""Conferences as they are shipped, and as hostile hands filled them: in, out, and in again."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.exports.tables import schedule_csv
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.seeds.reader import parse_folder
from events.imports.runs import run_import
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.models import Conference, Event, Paper, Person
from events.programme.data.schedule import EventData, ScheduleData
from tests.exports.reading import as_json, as_xml, data_of, from_xml, problems
from tests.security.planting import planted
from tests.security.strings import IN_FILES
from tests.security.world import World

pytestmark = pytest.mark.django_db

SEEDS = sorted(path.name for path in (Path(__file__).parents[2] / "seeds").iterdir() if path.is_dir())
FILES = {"schedule.xml": as_xml, "schedule.json": as_json}


def seeded(name: str) -> Conference:
    sync(parse_folder(Path(__file__).parents[2] / "seeds" / name), source="seeds", hooks=PUBLISHING)
    return Conference.objects.get(slug=name)


def taken_in(content: bytes, name: str, slug: str) -> Conference:
    """The conference that an empty database has after importing a file of ours."""
    Conference.objects.all().delete()
    found, data = registry.parse_document(Document.from_upload(name, content), Hints(slug=slug))
    sync(data, source=found.name, hooks=PUBLISHING)
    return Conference.objects.get(slug=slug)


@pytest.mark.parametrize("slug", SEEDS)
@pytest.mark.parametrize("name", FILES)
def test_shipped_conference_is_a_valid_file(slug: str, name: str) -> None:
    assert problems(FILES[name](data_of(seeded(slug))), name) == []


@pytest.mark.parametrize("slug", SEEDS)
def test_shipped_conference_is_the_same_after_json_into_an_empty_database(slug: str) -> None:
    before = data_of(seeded(slug))

    after = data_of(taken_in(as_json(before), "schedule.json", slug))

    assert after == before
    assert as_json(after) == as_json(before)


@pytest.mark.parametrize("slug", SEEDS)
def test_shipped_conference_has_the_same_hours_after_xml_into_an_empty_database(slug: str) -> None:
    before = as_xml(data_of(seeded(slug)))

    after = as_xml(data_of(taken_in(before, "schedule.xml", slug)))

    assert by_guid(from_xml(after, slug)) == by_guid(from_xml(before, slug))


def by_guid(data: ScheduleData) -> list[EventData]:
    return sorted(data.events, key=lambda it: it.guid)


@pytest.mark.parametrize("slug", SEEDS)
@pytest.mark.parametrize("name", FILES)
def test_own_file_changes_nothing_in_the_conference_it_is_from(slug: str, name: str) -> None:
    conference = seeded(slug)
    before, rows = data_of(conference), counts()
    found, data = registry.parse_document(Document.from_upload(name, FILES[name](before)), Hints(slug=slug, name=conference.name))

    report = sync(data, source=found.name, hooks=PUBLISHING)

    revision = conference.revision
    conference.refresh_from_db()
    assert (report.created, report.changed, report.cancelled) == (0, 0, 0)
    assert (data_of(conference), counts(), conference.revision) == (before, rows, revision)


def counts() -> list[int]:
    return [model.objects.count() for model in (Event, Paper, Person)]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("texts", IN_FILES)
def test_hostile_texts_are_a_valid_file_that_our_own_import_reads(name: str, texts: list[str]) -> None:
    world = World()
    if planted(*texts):
        content = FILES[name](data_of(world.conference))

        assert problems(content, name) == []
        _, data = registry.parse_document(Document.from_upload(name, content), Hints(slug=world.conference.slug))
        assert (len(data.events), data.skipped) == ({"schedule.xml": 9, "schedule.json": 12}[name], ())


@pytest.mark.parametrize("slug", SEEDS)
def test_own_spreadsheet_changes_nothing_in_the_conference_it_is_from(slug: str) -> None:
    before = data_of(seeded(slug))
    file = Document.from_upload("schedule.csv", schedule_csv(before))

    would = run_import(file, slug=slug, dry_run=True)
    runs = [run_import(file, slug=slug) for _ in range(2)]

    for run in (would, *runs):
        assert (run.created, run.changed, run.cancelled, run.lines, run.made) == (0, 0, 0, [], [])
    assert [len(run.warnings) for run in (would, *runs)] == [1, 1, 0]
    assert data_of(Conference.objects.get(slug=slug)) == before


def test_own_spreadsheet_changes_what_was_edited_in_it() -> None:
    before = schedule_csv(data_of(seeded("iclr-2024"))).decode()
    edited = before.replace("Stories from my life,,Invited talk,tentative", "Stories of a life,,Invited talk,confirmed")

    run = run_import(Document.from_upload("schedule.csv", edited.encode()), slug="iclr-2024")

    assert [(line["verb"], line["title"], [each["field"] for each in line["differences"]]) for line in run.lines] == [
        ("changed", "Stories from my life", ["title", "status"])
    ]
