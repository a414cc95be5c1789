from __future__ import annotations

from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.reader import parse_folder
from events.programme.data.place import AreaData, PlanData
from events.venue.rules.checked_plans import checked_plan
from tests.imports.formats.seeds.seed_folders import PLACE, refusal, write_folder
from tests.venue.drawn import drawing

PLAN = '[[plans]]\nkey = "ground"\nvenue = "fair"\nname = "Ground floor"\n'
SVG = drawing('<rect id="hall-1" width="100" height="50"/><rect id="bar" width="9" height="9"/>', 'viewBox="0 0 300 200"')


def plans(tmp_path: Path, place: str) -> tuple[PlanData, ...]:
    return parse_folder(write_folder(tmp_path, {"place.toml": PLACE + place})).plans


def test_areas_are_a_plan(tmp_path: Path) -> None:
    areas = '[[plans.areas]]\nroom = "hall-1"\npoints = "0 0 10 20"\n[[plans.areas]]\nlabel = "Stairs"\npoints = "0,0 9,0 9,9"\n'

    assert plans(tmp_path, f"{PLAN}width = 500\n{areas}") == (
        PlanData(
            key="ground",
            venue="fair",
            name="Ground floor",
            width=500,
            height=600,
            position=1,
            areas=(AreaData(room="hall-1", points="0 0 10 20"), AreaData(label="Stairs", points="0,0 9,0 9,9")),
        ),
    )


def test_drawing_beside_place_toml_names_rooms(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"place.toml": f'{PLACE}{PLAN}[[plans.areas]]\nroom = "bar"\npoints = "0 0 1 2"\n'})
    (folder / "plans").mkdir()
    (folder / "plans" / "ground.svg").write_text(SVG)

    (plan,) = parse_folder(folder).plans

    assert (plan.width, plan.height, plan.areas) == (
        300,
        200,
        (AreaData(room="bar", points="0 0 1 2"), AreaData(room="hall-1", points="0,0 100,0 100,50 0,50")),
    )
    assert plan.drawing == SVG


def test_drawing_of_no_plan_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"place.toml": PLACE + PLAN})
    (folder / "plans").mkdir()
    (folder / "plans" / "grond.svg").write_text(SVG)

    with pytest.raises(ScheduleParseError) as refused:
        parse_folder(folder)

    assert str(refused.value) == "plans/grond.svg: “grond” is not the key of a plan: did you mean “ground”?"


@pytest.mark.parametrize(
    ("area", "words"),
    [
        pytest.param('room = "hall-1"', "the key “points” is missing", id="no-points"),
        pytest.param(
            'points = "0 0 1 1"', "key “room”: is empty: name a room, a zone or a service, or write a label", id="nothing"
        ),
        pytest.param('room = "hall-1"\npoints = "0 0 2000 1"', "“0 0 2000 1” the area reaches from 0,0 to 2000,1", id="outside"),
        pytest.param('room = "hall-1"\npoints = "0 0"', "“0 0” 2 numbers are no area", id="half-an-area"),
        pytest.param(
            'room = "hall-1"\nzone = "hall"\npoints = "0 0 1 1"', "names more than one of room, zone and service", id="two"
        ),
        pytest.param('room = "hall-9"\npoints = "0 0 1 1"', "“hall-9” is not the key of a room", id="unknown-room"),
    ],
)
def test_area_that_cannot_be_drawn_is_refused(tmp_path: Path, area: str, words: str) -> None:
    said = refusal(write_folder(tmp_path, {"place.toml": f"{PLACE}{PLAN}[[plans.areas]]\n{area}\n"}))

    assert words in said
    assert said.startswith("place.toml, [[plans]] “ground”, [[plans.areas]] number 1")


def test_plan_of_another_hallway_is_as_large_as_its_drawing() -> None:
    plan = checked_plan(PlanData(key="a", venue="b", name="c", width=1, drawing=SVG))

    assert (plan.drawing, plan.width, plan.height) == (SVG, 300, 200)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        pytest.param({"drawing": "<html/>"}, "drawing: is no SVG drawing", id="no-drawing"),
        pytest.param({"width": 0}, "is 0 wide and 600 high", id="no-width"),
        pytest.param({"height": 10**9}, "is 1000 wide and 1000000000 high", id="beyond-measure"),
        pytest.param({"areas": (AreaData(label="x", points="0 0 1 1"),) * 501}, "has 501 areas: keep the 500", id="too-many"),
        pytest.param({"areas": (AreaData(label="x", points="0 0"),)}, "area 1: 2 numbers are no area", id="no-area"),
    ],
)
def test_plan_that_cannot_be_drawn_is_refused(plan: dict[str, object], words: str) -> None:
    with pytest.raises(ScheduleParseError) as refused:
        checked_plan(PlanData(key="a", venue="b", name="c", **plan))  # type: ignore[arg-type]

    assert str(refused.value).startswith(words)
