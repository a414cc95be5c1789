from __future__ import annotations

import contextlib
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.venue.rules.drawing import MAX_DRAWING_ELEMENTS, Drawing, read_drawing
from events.venue.rules.plans import check_inside, parse_shape
from tests.processor import at_most
from tests.venue.drawn import HOSTILE, drawing

LONG = 300_000
ROOM = '<rect id="hall-1" width="10" height="10"/>'
STAIRS = "<path d='M0 0" + "h1v1" * 30 + "'/>"


def read(inside: str, root: str = 'viewBox="0 0 1000 600"', names: tuple[str, ...] = ("hall-1",)) -> Drawing:
    return read_drawing(drawing(inside, root).encode(), file="plan.svg", names=names)


def refusal(content: bytes) -> str:
    with pytest.raises(ScheduleParseError) as refused:
        read_drawing(content, file="plan.svg")
    return str(refused.value)


def test_drawing_is_stored_as_it_came() -> None:
    found = read_drawing(b"\xef\xbb\xbf" + HOSTILE.encode(), file="plan.svg")

    assert (found.svg, found.width, found.height) == (HOSTILE, 800, 400)


def test_drawing_without_a_view_box_gets_one() -> None:
    found = read(ROOM, 'width="744.09" height="400px"')

    assert found.svg == drawing(ROOM, 'width="744.09" height="400px"').replace("<svg", '<svg viewBox="0 0 744.09 400.0"')
    assert read_drawing(found.svg.encode(), file="plan.svg", names=["hall-1"]) == found


@pytest.mark.parametrize(
    ("root", "size", "points"),
    [
        pytest.param('viewBox="0 0 800 400"', (800, 400), "0,0 10,0 10,10 0,10", id="as-it-is"),
        pytest.param('width="800" height="400px"', (800, 400), "0,0 10,0 10,10 0,10", id="without-a-view"),
        pytest.param('width="297mm" viewBox="0 0 297 210"', (297, 210), "0,0 10,0 10,10 0,10", id="millimetres"),
        pytest.param('viewBox="-5 -8 793.7 400"', (794, 400), "5,8 15,8 15,18 5,18", id="from-elsewhere"),
        pytest.param('viewBox="0,0,100,60"', (1000, 600), "0,0 100,0 100,100 0,100", id="small"),
        pytest.param('viewBox="0 0 20000 10000"', (1000, 500), "", id="large"),
    ],
)
def test_plan_is_as_large_as_the_drawing(root: str, size: tuple[int, int], points: str) -> None:
    found = read(ROOM, root)

    assert (found.width, found.height, found.areas.get("hall-1", "")) == (*size, points)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "is empty: export it again", id="empty"),
        pytest.param(
            b"<html><svg/></html>", "is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page", id="page"
        ),
        pytest.param(b"%PDF-1.7", "is no SVG drawing", id="pdf"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00", "is no SVG drawing", id="picture"),
        pytest.param(drawing(ROOM).encode("utf-16"), "is not in UTF-8: save it as UTF-8", id="utf-16"),
        pytest.param(
            b'\n<svg viewBox="0 0 9 9"/>',
            'plan.svg, line 2: is shown by no browser: write xmlns="http://www.w3.org/2000/svg" into its <svg>',
            id="no-namespace",
        ),
        pytest.param(b'<svg xmlns="https://evil.example/"/>', "is shown by no browser", id="other-namespace"),
        pytest.param(drawing(ROOM, "").encode(), "does not say how large it is", id="no-size"),
        pytest.param(drawing(ROOM, 'width="80mm" height="40mm"').encode(), "or width and height in pixels", id="millimetres"),
        pytest.param(drawing(ROOM, 'viewBox="0 0 1e400 NaN"').encode(), "does not say how large it is", id="no-number"),
        pytest.param(drawing(ROOM, 'viewBox="0 0 100000 1"').encode(), "does not say how large it is", id="a-line"),
        pytest.param(drawing(ROOM).encode()[:-9], "plan.svg, line 1: is not well-formed XML", id="cut-off"),
        pytest.param(
            b'\n<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
            "plan.svg, line 2: declares a document type or entities, which no drawing needs: take the <!DOCTYPE",
            id="entities",
        ),
        pytest.param(b'<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>', "declares a document type", id="external-document"),
        pytest.param(drawing("<g>" * 100_000).encode(), "nests elements", id="depth"),
        pytest.param(drawing("<g/>" * MAX_DRAWING_ELEMENTS).encode(), "holds more than 20,000 elements", id="elements"),
        pytest.param(drawing(" " * 2**21).encode(), "is larger than 2 MB", id="size"),
    ],
)
def test_drawing_that_cannot_be_shown_is_refused(content: bytes, words: str) -> None:
    with at_most(2):
        assert words in refusal(content)


def test_billion_laughs_do_not_grow() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    content = f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">{laughs}]>{drawing("<text>&l9;</text>")}'

    assert "declares a document type" in refusal(content.encode())


def test_document_type_that_old_programs_write_is_passed_over() -> None:
    doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'

    found = read_drawing(f"{doctype}{drawing(ROOM)}".encode(), file="plan.svg")

    assert found.svg == f"\n{drawing(ROOM)}"


@pytest.mark.parametrize(
    ("element", "points"),
    [
        pytest.param('<rect id="hall-1" x="1" y="2" width="3" height="4px"/>', "1,2 4,2 4,6 1,6", id="rectangle"),
        pytest.param('<rect data-room="Hall 1" width="3" height="4"/>', "0,0 3,0 3,4 0,4", id="name-of-the-room"),
        pytest.param('<polygon id="hall_1" points="0,0 9,0 9,9"/>', "0,0 9,0 9,9", id="corners"),
        pytest.param('<polyline id="hall-1" points="0 0-9 0 9 9 0 0"/>', "0,0 9,9", id="line-that-is-no-area"),
        pytest.param('<path id="hall-1" d="M1 1h8v-.5 8H1z M0 0h1"/>', "1,1 9,1 9,0.5 9,8.5 1,8.5", id="path"),
        pytest.param('<path id="hall-1" d="m1,1 8,0 0,8 -8,0z"/>', "1,1 9,1 9,9 1,9", id="path-of-one-step"),
        pytest.param('<path id="hall-1" d="M1 1L9 1V9H1Z"/>', "1,1 9,1 9,9 1,9", id="path-of-corners"),
        pytest.param('<path id="hall-1" d="M0 0Q10 0 10 10T0 10Z"/>', "0,0 10,0 10,10 0,10", id="quadratic-curve"),
        pytest.param('<path id="hall-1" d="M1 1c1 0 2 0 2 2s-1 2-2 2z"/>', "1,1 2,1 3,1 3,3 2,5 1,5", id="cubic-curve"),
        pytest.param('<path id="hall-1" d="M0 0a5 5 0 0110 0L10 9z"/>', "0,0 10,0 10,9", id="arc-with-close-flags"),
        pytest.param('<path id="hall-1" d="M.123456789012345678 1h2.000000000000004v3z"/>', "0.1,1 2.1,1 2.1,4", id="digits"),
        pytest.param(
            '<g id="hall-1"><rect width="3" height="4"/><g><rect x="5" width="4" height="9"/></g></g>',
            "0,0 9,0 9,9 0,9",
            id="group",
        ),
        pytest.param(
            '<g transform="translate(10 10) scale(2)"><rect id="hall-1" transform="rotate(90)" width="3" height="4"/></g>',
            "10,10 10,16 2,16 2,10",
            id="moved",
        ),
        pytest.param('<g transform="matrix(1,0,0,2,5,6)">' + ROOM + "</g>", "5,6 15,6 15,26 5,26", id="matrix"),
        pytest.param(
            ROOM.replace("/>", ' transform="rotate(180 20 20) scale(1,2)"/>'), "40,40 30,40 30,20 40,20", id="about-a-point"
        ),
        pytest.param(ROOM.replace("/>", ' transform="translate(5)"/>'), "5,0 15,0 15,10 5,10", id="to-the-right"),
        pytest.param(ROOM.replace("/>", ' transform="rotate(1e999) scale() x(1"/>'), "0,0 10,0 10,10 0,10", id="nonsense"),
        pytest.param('<text id="hall-1">Hall 1</text>', "", id="text-alone"),
        pytest.param('<rect id="hall-1" width="10%" height="4"/>', "", id="other-units"),
        pytest.param('<rect id="hall-2" width="10" height="4"/>', "", id="another-room"),
        pytest.param('<path id="hall-1" d="M"/>', "", id="no-path"),
        pytest.param('<path id="hall-1" d="M0 0h1e999v9z"/>', "", id="beyond-all-numbers"),
        pytest.param("<defs>" + ROOM + "</defs>", "", id="not-drawn"),
        pytest.param(ROOM.replace("/>", ' transform="scale(0)"/>'), "", id="nothing"),
        pytest.param('<rect id="hall-1" x="-50" y="-50" width="200" height="200"/>', "0,0 150,0 150,150 0,150", id="half"),
        pytest.param('<rect id="hall-1" x="-9" y="-9" width="9999" height="9999"/>', "0,0 1000,0 1000,600 0,600", id="around"),
        pytest.param('<rect id="hall-1" x="-500" width="200" height="20"/>', "", id="outside"),
        pytest.param(ROOM + '<rect id="hall_1" width="99" height="99"/>', "0,0 10,0 10,10 0,10", id="first-of-a-name"),
    ],
)
def test_element_named_like_a_room_is_its_area(element: str, points: str) -> None:
    areas = read(element).areas

    expected = {"hall-1": points} if points and len(points.split()) > 2 else {}
    assert areas == expected
    for area in areas.values():
        check_inside(parse_shape(area), 1000, 600)


def test_circle_is_an_area_of_many_corners() -> None:
    corners = [read(f'<{it} id="hall-1" cx="50" cy="50" {radii}/>').areas["hall-1"].split() for it, radii in ROUND]

    assert [(len(it), it[0], it[4]) for it in corners] == [(16, "60,50", "50,60"), (16, "60,50", "50,55")]


ROUND = [("circle", 'r="10"'), ("ellipse", 'rx="10" ry="5"')]


def test_shape_of_many_corners_is_its_box() -> None:
    jagged = " ".join(f"{number},{number % 2}" for number in range(200))

    assert read(f'<polygon id="hall-1" points="{jagged}"/>').areas == {"hall-1": "0,0 199,0 199,1 0,1"}


def test_what_a_drawing_writes_is_known() -> None:
    lines = '<tspan x="1" dy="1">Hall</tspan><tspan x="1" dy="9">1</tspan>'

    found = read(f"<text>{lines}</text><g><text><tspan>G</tspan>arnet 2</text></g><defs><text>Unseen</text></defs>")

    assert found.texts == {"hall-1", "hall1", "garnet-2", "g-arnet-2"}


def test_pictures_that_lie_elsewhere_are_counted() -> None:
    inside = '<image href="hall.png"/><image xlink:href="https://elsewhere.example/hall.png"/>'
    embedded = '<image href="data:image/png;base64,AA=="/><image xlink:href=" data:image/png;base64,AA=="/>'

    assert read(inside + embedded).linked_images == 2


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param(f'<g transform="{"scale(1) " * (LONG // 2)}">{ROOM}</g>', id="transforms"),
        pytest.param(f'<g transform="{"scale(" * (LONG // 2)}">{ROOM}</g>', id="transforms-without-an-end"),
        pytest.param(f'<path id="hall-1" d="M0 0{" 1" * 3 * LONG}"/>', id="path"),
        pytest.param(f'<path id="hall-1" d="M{"1" * 5 * LONG}"/>', id="digits"),
        pytest.param(f'<path id="hall-1" d="A{"1" * 5 * LONG}"/>', id="digits-of-arcs"),
        pytest.param(f'<path id="hall-1" d="A{"1 " * 2 * LONG}"/>', id="arcs"),
        pytest.param(f'<path id="hall-1" d="A1{" " * 5 * LONG}"/>', id="spaces"),
        pytest.param(f'<path id="hall-1" d="{"Z" * 5 * LONG}"/>', id="ends"),
        pytest.param(f'<g id="hall-1">{STAIRS * 9000}</g>', id="much-of-a-room"),
        pytest.param(f"<text>{'<tspan>' * 40}{'x' * LONG}{'</tspan>' * 40}</text>", id="text-in-text"),
        pytest.param('<g id="hall-1" data-name="hall-1" data-room="hall-1"/>' * 19_000, id="names"),
    ],
)
def test_no_drawing_takes_long(inside: str) -> None:
    with at_most(2):
        read(inside)


TAGS = st.sampled_from(["g", "rect", "circle", "ellipse", "polygon", "polyline", "path", "text", "image", "use", "svg", "defs"])
NAMES = st.sampled_from(["id", "transform", "d", "points", "x", "width", "height", "r", "rx", "ry", "href", "viewBox"])
VALUES = st.one_of(
    st.sampled_from(["hall-1", "1", "-1e3", "50%", "1e999", "NaN", "M0 0h9v9z", "M0 0a1 1 0 0120 0", "m0,0c1", "1,1 9,1 9,9"]),
    st.sampled_from(["rotate(45)", "matrix(1 0 0 1 0 0)", "scale(1e300)scale(1e300)", "translate()", "data:x", "h1", "-"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20),
)
ELEMENTS = st.tuples(TAGS, st.dictionaries(NAMES, VALUES, max_size=4))


@given(st.lists(ELEMENTS, max_size=6), st.integers(0, 400), st.binary(max_size=9))
def test_any_drawing_is_read_or_refused(elements: list[tuple[str, dict[str, str]]], place: int, planted: bytes) -> None:
    starts = [f"<{tag}{''.join(f' {name}={quoteattr(it)}' for name, it in values.items())}>" for tag, values in elements]
    content = drawing("".join(starts) + "".join(f"</{tag}>" for tag, _ in reversed(elements))).encode()

    with contextlib.suppress(ScheduleParseError):
        read_drawing(content[:place] + planted + content[place:], file="plan.svg")
    for points in read_drawing(content, file="plan.svg", names=["hall-1", "1"]).areas.values():
        check_inside(parse_shape(points), 800, 400)
