from __future__ import annotations

import time

import pytest

from events.importers.drawing import read_drawing
from events.importers.drawing.walking import MOST_ELEMENTS
from events.importers.errors import ScheduleParseError
from tests.importers.drawings import assert_harmless, drawing
from tests.security.strings import LINKS, MARKUP

RECT = '<rect width="10" height="10"/>'


def test_drawing_keeps_what_is_drawn() -> None:
    walls = '<g fill="none" stroke="#333" transform="translate(5,5)"><path d="M0,0 L10,10z"/></g><text x="1" y="2">Hall 1</text>'

    found = drawing(walls)

    assert (found.width, found.height, dict(found.left_out)) == (1000, 600, {})
    assert found.inside == (
        '<g fill="none" stroke="#333" transform="translate(5 5)"><path d="M0,0 L10,10z"/></g><text x="1" y="2">Hall 1</text>'
    )
    assert found.svg == f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 600">{found.inside}</svg>'
    assert_harmless(found)


@pytest.mark.parametrize(
    ("root", "size", "moved"),
    [
        pytest.param('viewBox="0 0 800 400"', (800, 400), "", id="as-it-is"),
        pytest.param('width="800" height="400"', (800, 400), "", id="without-a-view"),
        pytest.param('width="297mm" height="210mm" viewBox="0 0 297 210"', (297, 210), "", id="millimetres"),
        pytest.param('viewBox="10 20 800 400"', (800, 400), "translate(-10 -20)", id="from-elsewhere"),
        pytest.param('viewBox="0,0,100,60"', (1000, 600), "scale(10)", id="small"),
        pytest.param('viewBox="0 0 20000 10000"', (1000, 500), "scale(0.05)", id="large"),
    ],
)
def test_size_is_that_of_the_drawing(root: str, size: tuple[int, int], moved: str) -> None:
    found = drawing(RECT, root)

    assert (found.width, found.height) == size
    assert found.inside.startswith(f'<g transform="{moved}">' if moved else "<rect")
    assert_harmless(found)


def test_styles_become_attributes() -> None:
    sheet = "<style>.a,.b{fill:#fff;stroke:red;font-family:x} #c{fill:red} @import url(https://evil.example);</style>"

    found = drawing(f'<defs>{sheet}</defs><rect class="b" width="1" height="1" style="stroke:blue;filter:url(#f)"/>')

    assert found.inside == '<defs/><rect fill="#fff" height="1" stroke="blue" width="1"/>'
    assert found.left_out == {"styles": 3}


def test_text_in_a_link_is_text_and_what_else_is_in_it_is_not_drawn() -> None:
    found = drawing('<text>To <a href="/x">Hall 1<circle r="1"/><tspan onclick="x">, left</tspan></a>.</text>')

    assert found.inside == "<text>To Hall 1<tspan>, left</tspan>.</text>"
    assert found.left_out == {"<circle>": 1, "event handlers": 1, "links": 1}
    assert_harmless(found)


def test_paints_refer_to_the_drawing_alone() -> None:
    paints = '<linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient>'
    shapes = [
        f'<rect width="1" height="1" fill="{it}"/>' for it in ("url(#a)", "url('#a')", "url(#b)", "url(https://e.example/#a)")
    ]

    found = drawing(paints + "".join(shapes))

    assert found.inside.count('fill="url(#drawing-1)"') == 2
    assert found.inside.count("url(") == 2


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        pytest.param("<script>alert(1)</script>", {"<script>": 1}, id="script"),
        pytest.param('<script href="https://evil.example/x.js"/>', {"<script>": 1}, id="script-from-elsewhere"),
        pytest.param("<script><![CDATA[alert(1)]]></script>", {"<script>": 1}, id="cdata"),
        pytest.param('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', {"<script>": 1}, id="namespace"),
        pytest.param('<g onload="alert(1)" onclick="alert(1)"/>', {"event handlers": 2}, id="handlers"),
        pytest.param('<set attributeName="href" to="javascript:alert(1)"/>', {"<set>": 1}, id="set"),
        pytest.param('<animate attributeName="href" values="javascript:alert(1)"/>', {"<animate>": 1}, id="animate"),
        pytest.param('<a href="javascript:alert(1)"><rect width="1" height="1"/></a>', {"links": 1}, id="link"),
        pytest.param('<a xlink:href="https://evil.example/"><text>x</text></a>', {"links": 1}, id="old-link"),
        pytest.param('<use href="https://evil.example/x.svg#y"/>', {"<use>": 1}, id="use"),
        pytest.param('<image href="data:image/svg+xml;base64,PHN2Zz4="/>', {"<image>": 1}, id="picture"),
        pytest.param(
            "<foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>", {"<foreignObject>": 1}, id="html"
        ),
        pytest.param('<svg onload="alert(1)"><rect/></svg>', {"<svg>": 1}, id="inner-svg"),
        pytest.param('<filter id="f"><feImage href="https://evil.example/"/></filter>', {"<filter>": 1}, id="filter"),
        pytest.param('<rect style="background:url(https://evil.example/)"/>', {"styles": 1}, id="style"),
        pytest.param('<rect fill="url(https://evil.example/#x)"/>', {}, id="paint-from-elsewhere"),
        pytest.param('<rect fill="expression(alert(1))"/>', {}, id="expression"),
        pytest.param("<text>&lt;/text>&lt;script>alert(1)&lt;/script></text>", {}, id="escaped"),
        pytest.param("<title>&lt;/title>&lt;img src=x onerror=alert(1)></title>", {}, id="html-in-a-title"),
        pytest.param("<desc><![CDATA[</desc><script>alert(1)</script>]]></desc>", {}, id="cdata-in-a-description"),
        pytest.param("<!--><script>alert(1)</script>--><?php echo 1 ?>", {}, id="comment-and-instruction"),
        pytest.param('<g id="main" class="sign" data-x="1" aria-label="x" hx-get="/"/>', {}, id="attributes-of-pages"),
        pytest.param('<rect width="1e999" height="99999999999" x="NaN" transform="rotate(1e99) url(#x)"/>', {}, id="numbers"),
        pytest.param(f'<path d="M0 0{" 1" * 150_000}"/>', {"shapes that cannot be read": 1}, id="long-path"),
    ],
)
def test_what_is_no_drawing_is_left_out_and_told(inside: str, told: dict[str, int]) -> None:
    found = drawing(inside + RECT)

    assert dict(found.left_out) == told
    assert found.inside.endswith('<rect height="10" width="10"/>')
    assert "alert" not in found.inside.replace("&lt;script&gt;alert(1)&lt;", "").replace("onerror=alert(1)&gt;", "")
    assert "evil.example" not in found.inside
    assert_harmless(found)


@pytest.mark.parametrize("text", [*MARKUP.values(), *LINKS])
def test_hostile_text_is_text(text: str) -> None:
    clean = "".join(it for it in text if it.isprintable())
    escaped = clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")

    found = drawing(f'<text id="{escaped}" fill="{escaped}" style="fill:{escaped}" class="{escaped}">{escaped}</text>{RECT}')

    assert_harmless(found)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"", "is empty: export it again", id="empty"),
        pytest.param(
            b"<html><svg/></html>", "is no SVG drawing: export the plan as SVG, not as PDF, PNG or a web page", id="page"
        ),
        pytest.param(b"%PDF-1.7", "is no SVG drawing", id="pdf"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00", "is no SVG drawing", id="picture"),
        pytest.param(
            b'<svg xmlns="https://evil.example/"/>', "has a root that is no <svg> of SVG’s own namespace", id="namespace"
        ),
        pytest.param(b'<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', "does not say how large it is", id="no-size"),
        pytest.param(b'<svg viewBox="0 0 1e400 NaN"/>', "does not say how large it is", id="no-number"),
        pytest.param(b'<svg viewBox="0 0 100000 1"/>', "does not say how large it is", id="a-line"),
        pytest.param(b'<svg viewBox="0 0 9 9"><g/></svg>', "holds nothing that can be drawn", id="nothing"),
        pytest.param(b'<svg viewBox="0 0 9 9"><image/></svg>', "holds nothing that can be drawn", id="a-picture-alone"),
        pytest.param(b'<svg viewBox="0 0 9 9">\n<g>', "plan.svg, line 2: is not well-formed XML", id="cut-off"),
        pytest.param(b'\n<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', "line 2: declares a document type or entities", id="entities"),
        pytest.param(
            b'<!DOCTYPE svg SYSTEM "file:///etc/passwd"><svg/>', "line 1: declares a document type", id="document-from-elsewhere"
        ),
        pytest.param(b"<svg>" + b"<g>" * 100_000, "elements inside elements", id="depth"),
        pytest.param(b"<svg>" + b"<g/>" * (MOST_ELEMENTS + 1) + b"</svg>", "holds more than 20,000 elements", id="elements"),
        pytest.param(b"<svg>" + b" " * 2**21 + b"</svg>", "is larger than 2 MB", id="size"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_words(content: bytes, words: str) -> None:
    started = time.monotonic()
    with pytest.raises(ScheduleParseError) as refused:
        read_drawing(
            content.replace(b"<svg>", b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'), file="plan.svg"
        )

    assert words in str(refused.value)
    assert time.monotonic() - started < 2


def test_billion_laughs_do_not_grow() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    content = f'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">{laughs}]><svg viewBox="0 0 9 9"><text>&l9;</text></svg>'

    with pytest.raises(ScheduleParseError, match="declares a document type"):
        read_drawing(content.encode(), file="plan.svg")


def test_document_type_in_utf_16_is_refused_too() -> None:
    content = (
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 9 9"><text>&a;</text></svg>'
    )

    with pytest.raises(ScheduleParseError):
        read_drawing(content.encode("utf-16"), file="plan.svg")


def test_document_type_that_every_old_program_writes_is_passed_over() -> None:
    doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'

    found = read_drawing(f'{doctype}<svg viewBox="0 0 300 300">{RECT}</svg>'.encode(), file="plan.svg")

    assert found.inside == '<rect height="10" width="10"/>'


@pytest.mark.parametrize(
    ("element", "points"),
    [
        pytest.param('<rect id="hall-1" x="1" y="2" width="3" height="4"/>', "1,2 4,2 4,6 1,6", id="rectangle"),
        pytest.param('<rect data-room="Hall 1" width="3" height="4"/>', "0,0 3,0 3,4 0,4", id="name-of-the-room"),
        pytest.param('<polygon id="hall_1" points="0,0 9,0 9,9"/>', "0,0 9,0 9,9", id="corners"),
        pytest.param('<path id="hall-1" d="M1 1h8v-.5 8H1z M0 0h1"/>', "1,1 9,1 9,0.5 9,8.5 1,8.5", id="path"),
        pytest.param('<path id="hall-1" d="m1,1 8,0 0,8 -8,0z"/>', "1,1 9,1 9,9 1,9", id="path-of-one-step"),
        pytest.param('<path id="hall-1" d="M0 0Q10 0 10 10L0 10Z"/>', "0,0 7.5,2.5 10,10 0,10", id="curve"),
        pytest.param('<path id="hall-1" d="M0 0a5 5 0 0110 0L10 9z"/>', "0,0 10,0 10,9", id="arc-with-close-flags"),
        pytest.param(
            '<g id="hall-1"><rect width="3" height="4"/><rect x="5" width="4" height="9"/></g>', "0,0 9,0 9,9 0,9", id="group"
        ),
        pytest.param(
            '<g transform="translate(10 10) scale(2)"><rect id="hall-1" transform="rotate(90)" width="3" height="4"/></g>',
            "10,10 10,16 2,16 2,10",
            id="moved",
        ),
        pytest.param('<text id="hall-1">Hall 1</text>', None, id="text-alone"),
        pytest.param('<rect id="hall-1" width="10%" height="4"/>', None, id="other-units"),
        pytest.param('<rect id="hall-2" width="10" height="4"/>', None, id="another-room"),
        pytest.param('<path id="hall-1" d="M"/>', None, id="no-path"),
    ],
)
def test_room_in_a_drawing_is_an_area(element: str, points: str | None) -> None:
    found = drawing(element + RECT, wanted={"hall-1"})

    assert found.areas.get("hall-1") == points


def test_circle_is_an_area_of_many_corners() -> None:
    found = drawing('<circle id="hall-1" cx="50" cy="50" r="10"/>', wanted=["hall-1"])

    corners = found.areas["hall-1"].split()
    assert (len(corners), corners[0], corners[4]) == (16, "60,50", "50,60")


def test_shape_of_many_corners_is_its_box() -> None:
    jagged = " ".join(f"{number},{number % 2}" for number in range(200))

    assert drawing(f'<polygon id="hall-1" points="{jagged}"/>', wanted=["hall-1"]).areas == {"hall-1": "0,0 199,0 199,1 0,1"}
