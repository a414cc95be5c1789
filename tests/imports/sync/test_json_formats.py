"""Programmes of the JSON formats are imported whole, and a second import changes nothing."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.runs import run_import
from events.imports.sync.engine import sync
from events.models import Conference, Event, Paper
from tests.factories import make_conference

DATA = Path(__file__).parents[2] / "data"
HINTS = Hints(slug="demo", name="Demo", timezone="Europe/Vienna", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 26))
# Events and papers.
FILES = {
    "schedule_json/frab.json": (5, 0),
    "schedule_json/v2.json": (3, 0),
    "pretalx": (6, 0),
    "pretalx_legacy/submissions.json": (2, 0),
    "virtual_site": (8, 4),
    "paperlists/papers.json": (0, 2),
    "paperlists/papers.jsonl": (0, 2),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", FILES)
def test_file_is_imported_whole_and_once(name: str) -> None:
    found, schedule = registry.parse_document(Document.read(DATA / name), HINTS)

    sync(schedule, source=found.name)
    revision = Conference.objects.get().revision
    again = sync(schedule, source=found.name)

    assert (Event.objects.count(), Paper.objects.count()) == FILES[name]
    assert (again.created, again.changed, again.cancelled, again.other_rows) == (0, 0, 0, 0)
    assert Conference.objects.get().revision == revision


@pytest.mark.django_db
def test_oral_and_poster_of_a_paper_share_its_page() -> None:
    found, schedule = registry.parse_document(Document.read(DATA / "virtual_site"), HINTS)

    sync(schedule, source=found.name)

    paper = Paper.objects.get(title="Learning & Forgetting at Scale")
    assert [(event.type.name, event.board, str(event.session)) for event in paper.events.order_by("start")] == [
        ("Poster", "461", "Poster Session 3"),
        ("Oral", "", "Oral Session 3A"),
    ]
    assert [authorship.person.name for authorship in paper.authorships.all()] == ["Ada D'Example", "Semi; Colon"]


@pytest.mark.django_db
def test_a_list_of_papers_takes_its_dates_from_the_conference() -> None:
    conference = make_conference()
    dates = (conference.start, conference.end)

    run = run_import(Document.read(DATA / "paperlists/papers.json"), slug=conference.slug)

    conference.refresh_from_db()
    assert (run.format, conference.papers.count()) == ("paperlists", 2)
    assert (conference.start, conference.end) == dates
