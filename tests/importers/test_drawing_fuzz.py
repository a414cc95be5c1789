"""Whatever is done to a drawing: a harmless one or a ScheduleParseError, never anything else."""

from __future__ import annotations

import contextlib
from xml.sax.saxutils import escape, quoteattr

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.importers.drawing import read_drawing
from events.importers.drawing.allowed import ATTRIBUTES, ELEMENTS, UNWRAPPED
from events.importers.errors import ScheduleParseError
from tests.importers.drawings import assert_harmless
from tests.security.strings import LINKS, MARKUP

SOME = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TAGS = sorted(
    {*ELEMENTS, *UNWRAPPED, "script", "style", "foreignObject", "use", "image", "set", "animate", "svg", "metadata", "x:p"}
)
NAMES = sorted(
    {*ATTRIBUTES, "id", "class", "style", "onload", "href", "xlink:href", "x:href", "clip-path", "data-room", "xml:base"}
)
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20)
VALUES = st.one_of(
    st.sampled_from(
        [
            *("1", "-1e3", "50%", "1e999", "NaN", "red", "#fff", "none", "url(#a)", "url(#b)", "url(javascript:alert(1))", "a b"),
            *(
                "translate(1,2)rotate(45)",
                "matrix(1 0 0 1 0 0)",
                "scale(0)",
                "skewX(90)",
                "rotate(1 2)",
                "M0 0h1v1z",
                "M0 0a1 1 0 0120 0",
            ),
            *(
                "0,0 1,1 2,0",
                "fill:red;stroke:url(#a)",
                "}</style><script>",
                "a",
                "\u202e",
                "&#106;avascript:alert(1)",
                "-0",
                "1e-99",
            ),
        ]
    ),
    st.sampled_from([it for it in (*MARKUP.values(), *LINKS) if it.isprintable()]),
    TEXT,
)
ATTRIBUTE_LISTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4)
WORDS = st.one_of(st.just(""), VALUES, st.just(".a{fill:red}.b,x{stroke:blue}@import 'x';"))


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    tag = draw(st.sampled_from(TAGS))
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in draw(ATTRIBUTE_LISTS).items())
    inside = [escape(draw(WORDS))]
    inside += draw(st.lists(elements(depth - 1), max_size=3)) if depth else []
    return f"<{tag}{attributes}>{''.join(inside)}</{tag}>"


@SOME
@given(
    st.lists(elements(), min_size=1, max_size=4), ATTRIBUTE_LISTS, st.sampled_from(["0 0 1000 600", "-5 3 20 10", "0 0 1e5 9e4"])
)
def test_any_drawing_is_harmless_or_refused(inside: list[str], attributes: dict[str, str], view: str) -> None:
    more = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:x="urn:x"'
    content = f'<svg {names} viewBox="{view}"{more}>{"".join(inside)}</svg>'

    with contextlib.suppress(ScheduleParseError):
        assert_harmless(read_drawing(content.encode(), file="plan.svg", wanted=["a", "1"]))


@SOME
@given(st.binary(max_size=60), st.integers(0, 90), st.integers(0, 90))
def test_any_bytes_are_harmless_or_refused(planted: bytes, first: int, last: int) -> None:
    sound = b'<svg viewBox="0 0 1000 600"><g id="a"><path d="M0 0h9v9z" style="fill:red"/></g></svg>'
    content = sound[:first] + planted + sound[last:]

    with contextlib.suppress(ScheduleParseError):
        assert_harmless(read_drawing(content, file="plan.svg"))
