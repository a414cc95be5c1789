"""What the types of a file become."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from events.imports.formats.document import Document
from events.imports.runs import PlannedImport, run_import
from events.models import Conference, Event, EventType, ImportRun
from tests.factories import make_conference, make_type

pytestmark = pytest.mark.django_db
FILE = Path(__file__).parents[1] / "data" / "frab_xml" / "wafer_utc_days.xml"


def take_in(**options: Any) -> ImportRun:
    return run_import(Document.read(FILE), slug="demo", create=True, timezone="Asia/Kolkata", **options)


def kinds() -> dict[str, str]:
    return dict(Event.objects.values_list("title", "type__kind"))


def types_shown() -> dict[str, tuple[int, str]]:
    planned: list[PlannedImport] = []
    take_in(dry_run=True, on_planned=planned.append)
    return {row.name: (row.events, row.choice) for row in planned[0].types}


def test_guesses_are_shown_with_the_number_of_events() -> None:
    assert types_shown() == {
        "Plenary": (1, "kind:talk"),
        "Break": (1, "kind:break"),
        "BoF": (1, "kind:social"),
        "No Track": (1, "kind:talk"),
    }


def test_choice_is_written_and_remembered_by_the_next_import() -> None:
    take_in(types={"bof": "kind:session"})
    first = kinds()
    take_in()

    assert (first["Quiz night"], kinds()["Quiz night"]) == ("session", "session")
    assert types_shown()["BoF"] == (1, "kind:session")
    assert list(ImportRun.objects.values_list("types", flat=True)) == [{"bof": "kind:session"}] * 2


def test_later_choice_replaces_an_earlier_one_only() -> None:
    take_in(types={"bof": "kind:session", "plenary": "kind:invited-talk"})
    run = take_in(types={"bof": "kind:social"})

    assert run.types == {"bof": "kind:social", "plenary": "kind:invited-talk"}
    assert (kinds()["Quiz night"], kinds()["Opening Ceremony"]) == ("social", "invited-talk")


def test_type_of_ours_replaces_theirs_and_stays_as_it_is() -> None:
    take_in()
    ours = make_type(Conference.objects.get(), "social", slug="meet-up", name="Meet-up", colour="#123456")
    take_in(types={"bof": "type:meet-up"})

    ours.refresh_from_db()
    assert Event.objects.get(title="Quiz night").type == ours
    assert (ours.name, ours.kind, ours.colour) == ("Meet-up", "social", "#123456")


@pytest.mark.parametrize("choice", ["kind:nonsense", "type:gone", "type:bof", "", "kind:"])
def test_choice_that_means_nothing_leaves_the_guess(choice: str) -> None:
    take_in(types={"bof": choice})

    assert kinds()["Quiz night"] == "social"


def test_kind_edited_by_hand_is_what_the_table_shows() -> None:
    take_in()
    EventType.objects.filter(slug="bof").update(kind="session")

    assert types_shown()["BoF"] == (1, "kind:session")


def test_file_that_names_no_kind_claims_none() -> None:
    take_in()
    EventType.objects.filter(slug="plenary").update(kind="session", plural="Plenaries", default_minutes=90)

    run = take_in()

    assert (run.lines, [it["name"] for it in EventType.objects.filter(slug="plenary").values("name")]) == ([], ["Plenary"])
    assert EventType.objects.filter(kind="session", plural="Plenaries", default_minutes=90).count() == 1


def test_type_of_the_same_name_is_ours_under_any_slug() -> None:
    conference = make_conference(slug="demo")
    ours = make_type(conference, "social", slug="evenings", name="BoF")

    shown = types_shown()
    take_in()

    assert shown["BoF"] == (1, "type:evenings")
    assert Event.objects.get(title="Quiz night").type == ours
    assert not EventType.objects.filter(slug="bof").exists()
