"""TeX in texts becomes MathML, and no formula harms or delays a page."""

from __future__ import annotations

import re
import time

import pytest

from events.core.text import markdown_to_html, tex_to_mathml
from tests.harmless import Found, is_harmless


@pytest.mark.parametrize(
    "text",
    [
        "&#xE000;0&#xE001;",
        "&#xE000;7&#xE001; $x$",
        "&#57344;1&#57345;",
        "<p>&#xE000;0&#xE001;</p>",
        "<b>&#xE000;7&#xE001;</b> $x$",
        "x $x$ <b>&#xE&#xE000;000;0</b>",
        "`\ue0000\ue001`",
    ],
)
def test_mark_of_a_formula_cannot_be_typed(text: str) -> None:
    assert Found(markdown_to_html(text)).tags.count("math") == text.count("$x$")


@pytest.mark.parametrize(
    ("text", "display"),
    [("so $x^2$ is", "inline"), ("$$\\frac{a}{b}$$", "block"), ("so $$x$$ is", "block")],
    ids=["inline", "block", "double-inline"],
)
def test_tex_becomes_mathml(text: str, display: str) -> None:
    found = Found(markdown_to_html(text))

    assert [(name, value) for tag, name, value in found.attributes if tag == "math"] == [("display", display)]
    assert is_harmless(markdown_to_html(text))


def test_formulas_stand_where_they_were() -> None:
    html = markdown_to_html("a $x$ b $y$ c")

    assert re.sub("<[^>]*>", "", html) == "a x b y c\n"


@pytest.mark.parametrize(
    "tex",
    [
        pytest.param("\\frac{", id="half"),
        pytest.param("{" * 1500, id="deep"),
        pytest.param("\\left(" * 300, id="left-only"),
        pytest.param("x" * 2001, id="long"),
        pytest.param("\\begin{matrix}", id="open-matrix"),
        pytest.param("^", id="nothing-to-raise"),
        pytest.param("", id="empty"),
        pytest.param("\\href{javascript:alert(1)}{x}", id="link"),
        pytest.param("<b>&amp;\"'", id="markup"),
        pytest.param("\\sqrt" * 400, id="roots"),
        pytest.param("\\over" * 300, id="overs"),
        pytest.param("_^_^_^", id="scripts"),
    ],
)
@pytest.mark.parametrize("block", [True, False])
def test_hostile_tex_is_read_quickly_or_shown_as_typed(tex: str, block: bool) -> None:
    began = time.monotonic()

    html = tex_to_mathml(tex, block=block)

    assert is_harmless(html)
    assert time.monotonic() - began < 2


def test_tex_that_cannot_be_read_is_shown_as_typed() -> None:
    assert tex_to_mathml("x<" * 1500, block=False) == f"<code>{'x&lt;' * 1500}</code>"
