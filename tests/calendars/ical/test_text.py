from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.calendars.ical import graphemes, ical_text, shorten
from events.core.text import clean_text, one_line


@pytest.mark.parametrize(
    ("dirty", "cleaned"),
    [
        pytest.param("a\x00b\x07c\x1bd\x0be", "abcde", id="control-characters"),
        pytest.param("a\x7fb\x80c\x9fd", "abcd", id="delete-and-c1"),
        pytest.param("\ufeffa\ufeff", "a", id="byte-order-marks"),
        pytest.param("a\ud800b\udfffc", "abc", id="lone-surrogates"),
        pytest.param("a\u202eb\u2066c\u2069", "abc", id="direction-overrides"),
        pytest.param("a\r\nb\rc\u2028d\u2029e\x85f\ng", "a\nb\nc\nd\ne\nf\ng", id="all-kinds-of-newlines"),
        pytest.param("a\tb", "a\tb", id="tabs-stay"),
        pytest.param("שלום\u200f 👩‍👩‍👧 é", "שלום\u200f 👩‍👩‍👧 é", id="scripts-and-joiners-stay"),
    ],
)
def test_clean_leaves_only_text(dirty: str, cleaned: str) -> None:
    assert clean_text(dirty) == cleaned


def test_one_line_joins_lines_and_spaces() -> None:
    assert one_line(" Hall 1,\r\n\tfloor 2 ") == "Hall 1, floor 2"


@pytest.mark.parametrize(
    ("text", "limit", "shortened"),
    [
        pytest.param("as it is", 8, "as it is", id="fits"),
        pytest.param("one two three four", 16, "one two three…", id="between-words"),
        pytest.param("incomprehensibilities", 10, "incompreh…", id="one-long-word"),
        pytest.param("ab👩‍👩‍👧c", 5, "ab…", id="joined-emoji"),
        pytest.param("abe\u0301f", 4, "ab…", id="letter-with-accent"),
        pytest.param("a🇸🇬🇦🇹", 4, "a🇸🇬…", id="flags"),
        pytest.param("a👍🏽b", 3, "a…", id="skin-tone"),
    ],
)
def test_shorten_cuts_where_a_reader_would(text: str, limit: int, shortened: str) -> None:
    assert shorten(text, limit) == shortened


def test_shorten_counts_octets_when_told() -> None:
    assert shorten("日本語日本語", 10, in_octets=True) == "日本…"
    assert [shorten("a" * 9, limit, in_octets=True) for limit in (1, 3, 4, 9)] == ["…", "…", "a…", "a" * 9]


@given(st.text(max_size=60), st.integers(min_value=1, max_value=40))
def test_shorten_never_exceeds_its_limit(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit


@given(st.text(max_size=60))
def test_signs_are_the_whole_text(text: str) -> None:
    assert "".join(graphemes(text)) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        pytest.param("a, b; c", rb"a\, b\; c", id="comma-and-semicolon"),
        pytest.param("a\nb", rb"a\nb", id="newline"),
        pytest.param(r"$\nabla \Norm$", rb"$\\nabla \\Norm$", id="tex-is-no-newline"),
        pytest.param('x: "y"', b'x: "y"', id="colon-and-quotes-stay"),
    ],
)
def test_text_escapes_what_rfc_5545_names(text: str, escaped: bytes) -> None:
    assert ical_text(text).encode() == escaped
