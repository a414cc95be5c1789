from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.venue.rules.plan_labels import area_label, area_label_below, area_sign
from events.venue.rules.plans import PointsError, check_inside, parse_shape, reading_order


@pytest.mark.parametrize(
    ("text", "points"),
    [
        pytest.param("40 40 200 120", "40,40 240,40 240,160 40,160", id="rectangle"),
        pytest.param(" 40, 40, 200, 120 ", "40,40 240,40 240,160 40,160", id="rectangle-with-commas"),
        pytest.param("0 0 10.50 1", "0,0 10.5,0 10.5,1 0,1", id="halves"),
        pytest.param("0,0 10,0 10,10", "0,0 10,0 10,10", id="corners"),
        pytest.param("0,0; 10,0; 10,10", "0,0 10,0 10,10", id="corners-with-semicolons"),
    ],
)
def test_points_are_a_shape(text: str, points: str) -> None:
    assert parse_shape(text).points == points


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "0 numbers are no area", id="nothing"),
        pytest.param("1 2 3", "3 numbers are no area: write left, top, width and height, as 40 40 200 120", id="three"),
        pytest.param("1 2 0 4", "a rectangle 0 wide and 4 high has no room", id="no-width"),
        pytest.param("0,0 1,1", "two corners make no area", id="two-corners"),
        pytest.param("0,0 1,1 5", "“5” is no corner", id="half-a-corner"),
        pytest.param("0,0 1,1 2,2", "all corners are on one line", id="a-line"),
        pytest.param("0 0 x 1", "“x” is no number that a plan can hold", id="a-word"),
        pytest.param("0 0 1e9 1", "“1e9” is no number", id="a-power"),
        pytest.param("0 0 NaN 1", "“NaN” is no number", id="nan"),
        pytest.param("0 0 ٣ 1", "“٣” is no number", id="other-digits"),
        pytest.param("0 0 9999999 1", "“9999999” is no number", id="beyond-measure"),
        pytest.param("0,0 " * 101, "101 corners are more than 100", id="many"),
        pytest.param('0,0 1,0 1,"><script>', "is no number", id="markup"),
    ],
)
def test_points_that_make_no_area_are_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(PointsError, match=words.partition(":")[0].replace("(", r"\(")) as refused:
        parse_shape(text)

    assert words in str(refused.value)


def test_area_outside_of_the_plan_is_refused() -> None:
    check_inside(parse_shape("0 0 100 60"), 100, 60)

    with pytest.raises(PointsError) as refused:
        check_inside(parse_shape("50 0 51 60"), 100, 60)

    assert str(refused.value) == "the area reaches from 50,0 to 101,60, and the plan is 100 wide and 60 high: move it inside"


@pytest.mark.parametrize(
    ("text", "middle", "across"),
    [
        pytest.param("0 0 200 100", (100, 50), (200, 100), id="rectangle"),
        pytest.param("0,0 90,0 90,90", (52.5, 15), (75, 30), id="triangle"),
        pytest.param("0,0 120,0 120,40 40,40 40,120 0,120", (60, 20), (120, 40), id="corner"),
    ],
)
def test_middle_is_where_words_have_room(text: str, middle: tuple[int, int], across: tuple[int, int]) -> None:
    shape = parse_shape(text)

    assert shape.middle == pytest.approx(middle)
    assert shape.across(shape.middle) == pytest.approx(across)


def test_there_is_no_room_outside() -> None:
    shape = parse_shape("0,0 90,0 90,90")

    assert (shape.across((10, 80)), shape.across((-5, 5))) == ((0, 0), (0, 0))


def test_areas_are_read_row_by_row() -> None:
    areas = {"c": "0 100 50 50", "b": "60 10 50 50", "a": "0 0 50 50", "d": "60 110 50 40", "e": "0 300 9 9"}

    assert reading_order((parse_shape(text), name) for name, text in areas.items()) == ["a", "b", "c", "d", "e"]


@given(st.lists(st.tuples(*[st.integers(0, 900)] * 2, *[st.integers(1, 300)] * 2), max_size=20))
def test_reading_order_leaves_none_out(boxes: list[tuple[int, int, int, int]]) -> None:
    items = [(parse_shape(" ".join(map(str, box))), number) for number, box in enumerate(boxes)]

    assert sorted(reading_order(items)) == list(range(len(boxes)))


def label_lines(text: str, *names: str, words: list[tuple[str, str]] | None = None) -> tuple[list[tuple[str, float]], bool]:
    found = area_label(parse_shape(text), names, words or [])
    return [(line.text, line.size) for line in found.lines], found.turned


def test_words_are_as_large_as_they_fit() -> None:
    assert label_lines("0 0 400 100", "Hall 1") == ([("Hall 1", 30)], False)
    assert label_lines("0 0 100 100", "Hall 1") == ([("Hall", 30), ("1", 30)], False)
    assert label_lines("0 0 90 30", "Hall 1") == ([("Hall 1", 22)], False)
    assert label_lines("0 0 40 300", "Hall 1") == ([("Hall 1", 30)], True)
    assert label_lines("0 0 40 40", "Peridot 206", "P") == ([("P", 30)], False)
    assert label_lines("0 0 10 10", "Peridot 206", "P") == ([], False)


def test_what_is_on_stands_below_the_name_as_far_as_there_is_room() -> None:
    words = [("state", "Full, 09:20"), ("now", "Building Safe and Robust AI Systems")]

    assert label_lines("0 0 400 110", "Hall 1", words=words)[0] == [
        ("Hall 1", 30),
        ("Full, 09:20", 17),
        ("Building Safe and Robust AI Systems", 17),
    ]
    assert label_lines("0 0 200 90", "Hall 1", words=words)[0] == [
        ("Hall 1", 30),
        ("Full, 09:20", 17),
        ("Building Safe and…", 17),
    ]
    assert label_lines("0 0 200 50", "Hall 1", words=words)[0] == [("Hall 1", 30)]


@given(st.integers(1, 900), st.integers(1, 900), st.text(max_size=30), st.lists(st.text(max_size=80), max_size=3))
def test_words_stay_inside(width: int, height: int, name: str, words: list[str]) -> None:
    found = area_label(parse_shape(f"0 0 {width} {height}"), [name], [("now", it) for it in words])

    across, down = (height, width) if found.turned else (width, height)
    assert all(len(line.text) * line.size * 0.5 <= across for line in found.lines)
    assert all(-(down - height) / 2 <= line.y - line.size * 0.7 and line.y <= (height + down) / 2 for line in found.lines)


@pytest.mark.parametrize("area", ["0 0 40 40", "970 0 30 30", "400 560 100 40", "400 300 100 100"])
def test_sign_hangs_on_its_area_and_stays_on_the_plan(area: str) -> None:
    shape = parse_shape(area)

    found = area_sign(shape, "Next Thu 10:30", 1000)

    assert 0 <= found.left <= found.left + found.width <= 1000
    assert 0 <= found.top <= shape.top <= found.top + found.height <= 600
    assert found.top < found.baseline < found.top + found.height


def test_words_stand_below_a_name_that_the_drawing_writes() -> None:
    words = [("state", "Full, 09:20"), ("now", "Building Safe and Robust AI Systems")]

    found = area_label_below(parse_shape("0 0 400 200"), words)

    assert [it.text for it in found.lines] == ["Full, 09:20", "Building Safe and Robust AI Systems"]
    assert all(100 + 15 < it.y - 0.7 * it.size < it.y < 200 for it in found.lines)
    assert area_label_below(parse_shape("0 0 400 60"), words).lines == ()
