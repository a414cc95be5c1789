"""Drawings that are small where they come from and large, slow or wrong where they arrive."""

from __future__ import annotations

import time

import pytest

from events.importers.errors import ScheduleParseError
from events.schedule.plans import check_inside, shape_of
from tests.importers.drawings import assert_harmless, drawing

RECT = '<rect width="10" height="10"/>'
LONG = 300_000
CLASSES = " ".join(f"a{it}" for it in range(20))
LONG_RULES = "".join(f".a{it}{{stroke-dasharray:{'1 ' * 900}1;fill:{' ' * 3000}red}}" for it in range(20))
FAR = "".join('<g transform="' + it * 20 + '">' for it in ("scale(1000000)", "scale(1000000)", "skewX(90)"))
STAIRS = "<path d='M0 0" + "h1v1" * 30 + "'/>"


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param(f"<style>{'/* ' * LONG}</style>", id="comments-without-an-end"),
        pytest.param(f"<style>{'a' * 4 * LONG}</style>", id="rule-without-a-body"),
        pytest.param(f"<style>{'a{' * LONG}</style>", id="rules-in-rules"),
        pytest.param(f"<style>{'.a{}' * LONG}</style>", id="empty-rules"),
        pytest.param('<g style="' + "fill:red;" * (LONG // 2) + '"/>', id="long-style"),
        pytest.param('<g transform="' + "scale(1) " * (LONG // 2) + '"/>', id="long-transformation"),
        pytest.param('<text x="' + "1 " * LONG + '">x</text>', id="long-list"),
        pytest.param(f"<text>{'<tspan>' * 40}{'x' * LONG}{'</tspan>' * 40}</text>", id="text-in-text"),
        pytest.param(f'<g id="a">{STAIRS * 9000}</g>', id="much-of-a-room"),
        pytest.param(f"<style>{LONG_RULES}</style>" + f'<g class="{CLASSES}"/>' * 15_000, id="classes-of-classes"),
    ],
)
def test_no_drawing_takes_long_or_grows(inside: str) -> None:
    started = time.monotonic()

    found = drawing(inside + RECT, wanted=["a"])

    assert time.monotonic() - started < 2
    assert len(found.svg) < len(inside) + 500


def test_drawing_that_grows_beyond_all_measure_is_refused() -> None:
    names = ("opacity", "fill-opacity", "stroke-opacity", "stroke-width", "letter-spacing")
    rules = "".join(f".a{{{name}:000001.{'1' * 20}}}" for name in names)
    group = '<g class="a"/>'

    with pytest.raises(ScheduleParseError) as refused:
        drawing(f"<style>{rules}</style>{group * 19_000}{RECT}")

    assert str(refused.value) == "plan.svg: is larger than 2 MB once it is cleaned: simplify its paths and styles"


@pytest.mark.parametrize(
    ("element", "points"),
    [
        pytest.param(
            '<rect id="hall-1" x="-50" y="-50" width="200" height="200"/>', "0,0 150,0 150,150 0,150", id="half-outside"
        ),
        pytest.param('<rect id="hall-1" x="-50" y="-50" width="9999" height="9999"/>', "0,600 0,0 1000,0 1000,600", id="around"),
        pytest.param('<polygon id="hall-1" points="-100,100 100,-100 100,100"/>', "0,100 0,0 100,0 100,100", id="cut-corner"),
        pytest.param('<rect id="hall-1" x="-500" width="200" height="20"/>', None, id="outside"),
        pytest.param('<polygon id="hall-1" points="1,1 5,5"/>', None, id="a-line"),
        pytest.param('<rect id="hall-1" width="9" height="9" transform="scale(0)"/>', None, id="nothing"),
        pytest.param('<defs><rect id="hall-1" width="9" height="9"/></defs>', None, id="not-drawn"),
        pytest.param(
            FAR + '<rect id="hall-1" x="-1" width="2" height="2" transform="scale(0)"/></g></g></g>',
            None,
            id="beyond-all-numbers",
        ),
    ],
)
def test_area_of_a_room_is_always_one_that_a_form_would_take(element: str, points: str | None) -> None:
    found = drawing(element + RECT, wanted=["hall-1"])

    assert found.areas.get("hall-1") == points
    for area in found.areas.values():
        check_inside(shape_of(area), found.width, found.height)


@pytest.mark.parametrize(
    ("fill", "written"),
    [
        pytest.param("url(#p)", ' fill="none"', id="pattern"),
        pytest.param("url(https://evil.example/#x)", ' fill="none"', id="elsewhere"),
        pytest.param("url(#p) red", ' fill="red"', id="with-a-colour-instead"),
        pytest.param("url(#p) url(#p)", ' fill="none"', id="twice"),
        pytest.param("url(", "", id="broken"),
    ],
)
def test_shape_whose_paint_is_left_out_is_not_black(fill: str, written: str) -> None:
    found = drawing(f'<pattern id="p"/><rect fill="{fill}" width="1" height="1"/>')

    assert found.inside == f'<rect{written} height="1" width="1"/>'
    assert_harmless(found)


def test_all_the_digits_that_programs_write_are_read() -> None:
    found = drawing(
        '<g transform="translate(0.12345678901234567,1.5)"><path d="M0.123456789 1h2.000000000000004v3z"/></g>'
        '<rect width="9.99999999999999999" height="1"/>',
        'width="793.7007874015748" height="400"',
    )

    assert found.inside == (
        '<g transform="translate(0.123457 1.5)"><path d="M0.123456789 1h2.000000000000004v3z"/></g>'
        '<rect height="1" width="9.99999999999999999"/>'
    )
    assert (found.width, dict(found.left_out)) == (794, {})


def test_numbers_that_are_too_large_are_not_two_smaller_ones() -> None:
    found = drawing(f'<g transform="translate(12345678)">{RECT}</g><path d="M0 0h123456789"/>{RECT}')

    clean = '<rect height="10" width="10"/>'
    assert found.inside == f"<g>{clean}</g><path/>{clean}"
    assert found.left_out == {"shapes that cannot be read": 1}


def test_what_a_drawing_says_itself_is_known() -> None:
    lines = '<tspan x="1" dy="1">Hall</tspan><tspan x="1" dy="9">1</tspan>'
    found = drawing(f"<text>{lines}</text><text><tspan>G</tspan>arnet 2</text><defs><text>Unseen</text></defs>")

    assert found.words == {"hall-1", "hall1", "garnet-2", "g-arnet-2"}


def test_definitions_alone_are_no_drawing() -> None:
    with pytest.raises(ScheduleParseError, match="holds nothing that can be drawn"):
        drawing("<defs><rect/></defs><clipPath><text>x</text></clipPath>")
