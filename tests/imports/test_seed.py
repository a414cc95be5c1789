from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from events.imports.formats.seeds.reader import parse_folder
from events.models import Conference, Event, Leg, Paper, Person
from tests.factories import make_conference
from tests.imports.formats.seeds.seed_folders import write_folder
from tests.imports.sync.programmes import everything

pytestmark = pytest.mark.django_db

SEEDS = Path(__file__).parents[2] / "seeds"
FOLDERS = ["iclr-2019", "iclr-2024", "iclr-2025"]
EVENTS = "key,title,type,day,start,end\nkeynote,Keynote,talk,2025-03-29,09:00,10:00\nlunch,Lunch,talk,2025-03-29,12:00,{end}\n"


def seed(*folders: Path, **options: Any) -> str:
    out = StringIO()
    call_command("seed", *folders, stdout=out, **options)
    return out.getvalue()


def refusal(folder: Path) -> str:
    with pytest.raises(CommandError) as caught:
        seed(folder)
    return str(caught.value)


def test_seed_loads_every_folder_there_is() -> None:
    output = seed()

    assert sorted(Conference.objects.values_list("slug", flat=True)) == FOLDERS
    for slug in FOLDERS:
        data = parse_folder(SEEDS / slug)
        conference = Conference.objects.get(slug=slug)
        rows = {part: getattr(conference, part).count() for part in ("days", "rooms", "walks", "services", "routes", "papers")}
        assert rows == {part: len(getattr(data, part)) for part in rows}
        assert f"{data.conference.name}: created {len(data.events)}, changed 0, cancelled 0, unchanged 0, skipped 0" in output
        assert conference.events.public().count() == len(data.events)


def test_seed_twice_changes_nothing() -> None:
    seed()
    before = everything()

    output = seed()

    assert everything() == before
    assert [line.partition("created")[2] for line in output.splitlines() if "created" in line] == [
        f" 0, changed 0, cancelled 0, unchanged {Event.objects.filter(conference__slug=slug).count()}, skipped 0"
        for slug in FOLDERS
    ]


def test_seed_keeps_references_of_the_folder() -> None:
    data = parse_folder(SEEDS / "iclr-2025")

    seed(SEEDS / "iclr-2025")

    assert Leg.objects.count() == sum(len(route.legs) for route in data.routes)
    assert Person.objects.count() == len(data.people)
    assert {paper.title: paper.authorships.count() for paper in Paper.objects.all()} == {
        paper.title: len(paper.authors) for paper in data.papers
    }
    assert {event.source_key: event.people_names != [] for event in Event.objects.all()} == {
        event.key: event.people != () for event in data.events
    }


def test_seed_missing_leaves_conferences_that_are_there() -> None:
    make_conference(slug="iclr-2025", name="By hand")

    output = seed(missing=True)

    assert sorted(Conference.objects.values_list("slug", "name")) == [
        ("iclr-2019", "ICLR 2019"),
        ("iclr-2024", "ICLR 2024"),
        ("iclr-2025", "By hand"),
    ]
    assert [line.partition(":")[0] for line in output.splitlines()] == ["ICLR 2019", "ICLR 2024"]


def test_seed_missing_loads_a_folder_named_with_a_slash(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {})

    seed(Path(f"{folder}/"), missing=True)
    output = seed(Path(f"{folder}/"), missing=True)

    assert (Conference.objects.get().slug, output) == ("demo", "")


@pytest.mark.parametrize(
    ("files", "output"),
    [
        pytest.param(
            {"events.csv": EVENTS.format(end="noon")},
            "events.csv, line 3, column “end”: “noon” is not a time: write it like 09:30, from 00:00 to 23:59.",
            id="no-time",
        ),
        pytest.param(
            {"events.csv": EVENTS.format(end="13:00").replace("talk", "tlak")},
            "events.csv, line 2, column “type”: “tlak” is not the key of a type: did you mean “talk”?",
            id="unknown-type",
        ),
        pytest.param(
            {"conference.toml": '[conference]\nslug = "demo"\n'},
            "conference.toml, [conference]: the key “name” is missing.",
            id="key-missing",
        ),
    ],
)
def test_broken_folder_is_refused_by_file_line_column_and_value(tmp_path: Path, files: dict[str, str], output: str) -> None:
    folder = write_folder(tmp_path, files)
    before = everything()

    assert refusal(folder) == f"demo: {output} Nothing was written."
    assert everything() == before


def test_broken_folder_leaves_what_was_loaded_before(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"events.csv": EVENTS.format(end="13:00")})
    seed(folder)
    before = everything()
    (folder / "events.csv").write_text(EVENTS.format(end="noon").replace("Keynote", "Changed"))

    refusal(folder)

    assert everything() == before


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == "nowhere: cannot be read: name an existing folder. Nothing was written."


def test_seed_refuses_many_cancellations(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"events.csv": EVENTS.format(end="13:00")})
    seed(folder)
    (folder / "events.csv").write_text("\n".join(EVENTS.splitlines()[:2]))

    output = refusal(folder)
    report = seed(folder, allow_cancel=True)

    assert output == (
        "demo: 1 of 2 events are missing from the file; cancelling so many needs --allow-cancel. The first is “Lunch”. "
        "Nothing was written."
    )
    assert report.splitlines()[-1] == "Demo: created 0, changed 0, cancelled 1, unchanged 1, skipped 0"
    assert dict(Event.objects.values_list("source_key", "status")) == {"keynote": "confirmed", "lunch": "cancelled"}


def test_dry_run_reports_every_line_and_writes_nothing(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"events.csv": EVENTS.format(end="13:00")})

    output = seed(folder, dry_run=True)

    assert output.splitlines() == [
        "  created “Keynote”",
        "  created “Lunch”",
        "Demo: created 2, changed 0, cancelled 0, unchanged 0, skipped 0",
    ]
    assert Conference.objects.count() == 0


def test_seed_reports_fields_protected_by_an_edit(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"events.csv": EVENTS.format(end="13:00")})
    seed(folder)
    lunch = Event.objects.get(source_key="lunch")
    lunch.title = "Long lunch"
    lunch.revise()
    (folder / "events.csv").write_text(EVENTS.format(end="13:00").replace("Lunch", "Dinner"))

    output = seed(folder)

    assert output.splitlines() == [
        "  kept “Long lunch”: title stays “Long lunch”, the file says “Dinner”",
        "Demo: created 0, changed 0, cancelled 0, unchanged 2, skipped 0",
    ]


def test_same_folder_in_another_database_gives_the_same_guids() -> None:
    seed(SEEDS / "iclr-2019")
    first = dict(Event.objects.values_list("source_key", "guid"))
    Event.objects.all().delete()
    Conference.objects.all().delete()

    seed(SEEDS / "iclr-2019")

    assert dict(Event.objects.values_list("source_key", "guid")) == first
    assert len(first) == len(parse_folder(SEEDS / "iclr-2019").events)
