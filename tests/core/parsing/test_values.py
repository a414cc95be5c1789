from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.parsing.values import MAX_LINE_CHARS, MAX_PROSE_CHARS, MAX_SOURCE_KEY_CHARS, TextCleaner

ANY = st.text(st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n b\tc ", "a b c"),
        (None, ""),
        (7, "7"),
        ({"a": 1}, ""),
        (["a"], ""),
        ("a\x07b", "ab"),
        ("\ud83d x", "x"),
        ("x" * MAX_LINE_CHARS, "x" * MAX_LINE_CHARS),
        ("x" * (MAX_LINE_CHARS + 1), "x" * (MAX_LINE_CHARS - 1) + "…"),
        ("👩\u200d🔬 é \u202e", "👩\u200d🔬 é \u202e"),
    ],
)
def test_line(text: object, line: str) -> None:
    assert TextCleaner().line(text) == line


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        (" a\r\nb\rc\n", "a\nb\nc"),
        ("a\n\n\tb", "a\n\n\tb"),
        ("x" * MAX_PROSE_CHARS, "x" * MAX_PROSE_CHARS),
        ("x" * (MAX_PROSE_CHARS + 1), "x" * (MAX_PROSE_CHARS - 1) + "…"),
        ("x" * 9_999_999, "x" * (MAX_PROSE_CHARS - 1) + "…"),
    ],
)
def test_prose(text: str, prose: str) -> None:
    assert TextCleaner().prose(text) == prose


@given(text=ANY)
def test_any_text_is_cleaned_once_and_for_all(text: str) -> None:
    texts = TextCleaner()

    once = texts.prose(text)
    warned = len(texts.warnings)

    assert texts.prose(once) == once
    assert len(texts.warnings) == warned
    assert not any(unicodedata.category(it) in {"Cc", "Cs"} and it not in "\n\t" for it in once)
    once.encode()


@given(text=ANY)
def test_any_line_is_one_line(text: str) -> None:
    line = TextCleaner().line(text)

    assert line == " ".join(line.split())
    assert "\n" not in line


@given(first=ANY, second=ANY)
def test_any_key_fits_the_database_and_stays_unique(first: str, second: str) -> None:
    texts = TextCleaner()

    keys = [texts.key(first), texts.key(second)]

    assert (keys[0] == keys[1]) == (first == second)
    assert all(len(key) <= MAX_SOURCE_KEY_CHARS and key.isprintable() for key in keys)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (" https://example.org/a?b#c ", "https://example.org/a?b#c"),
        ("http://zügli.example", "http://zügli.example"),
        ("https://example.org/" + "a" * 480, "https://example.org/" + "a" * 480),
        ("https://example.org/" + "a" * 481, ""),
        ("https://", ""),
        ("//example.org", "https://example.org"),
        ("javascript:alert(1)", ""),
        ("https://exa mple.org", ""),
        ("https://[::1", ""),
        ("https://example.org:port", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_address_is_one_a_browser_may_open(url: object, address: str) -> None:
    texts = TextCleaner()

    assert texts.address(url, "line 1") == address
    assert len(texts.warnings) == (not address and bool(url))
