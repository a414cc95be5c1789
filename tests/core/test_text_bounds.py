"""Texts that would take seconds to convert are shown as typed, and nothing of them is lost."""

from __future__ import annotations

from typing import Any

import pytest

from events.core import rendered_text, text
from events.core.byte_cache import PROCESS_CACHE
from events.core.text import markdown_line_to_html, markdown_to_html, markdown_to_text
from tests.harmless import Found

PLAIN = {
    "brackets": "a *b* " + "[" * 5_001,
    "images without end": "a *b* " + "![[](" * 3_000,
    "table without cells": "a *b*\n\n|" + "a|" * 99 + "\n|" + "-|" * 99 + "\n" + "x\n" * 99,
    "table of many rows": "a *b*\n\n|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * 2_500,
    "many tokens": "a *b* " * 10_000,
}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is parsed as Markdown."""
    texts: list[str] = []
    for name in ("parse", "parseInline"):
        usual = getattr(text._markdown, name)
        monkeypatch.setattr(text._markdown, name, lambda given, usual=usual: texts.append(given) or usual(given))
    return texts


@pytest.mark.parametrize("name", PLAIN)
def test_text_beyond_a_bound_is_shown_as_typed(name: str) -> None:
    typed = PLAIN[name]

    html = markdown_to_html(typed)

    assert set(Found(html).tags) <= {"p", "br"}
    assert html.startswith("<p>a *b*")
    assert "".join(html.replace("<p>", "").replace("</p>", "").replace("<br>", "").split()) == "".join(typed.split())
    assert markdown_to_text(typed) == typed.strip()


@pytest.mark.parametrize("name", ["brackets", "images without end", "table without cells", "table of many rows"])
def test_brackets_and_tables_beyond_a_bound_are_not_parsed(name: str, parsed: list[str]) -> None:
    markdown_to_html(PLAIN[name])
    markdown_line_to_html(PLAIN[name])
    markdown_to_text(PLAIN[name])

    assert parsed == []


def test_line_beyond_a_bound_is_escaped() -> None:
    assert markdown_line_to_html("<b>" + "[" * 5_001) == "&lt;b&gt;" + "[" * 5_001


def test_text_within_the_bounds_is_converted() -> None:
    typed = "[" * 5_000 + "\n\n|a|b|\n|-|-|\n" + "|1|2|\n" * 1_000

    assert Found(markdown_to_html(typed)).tags.count("tr") == 1_001


def test_formulas_beyond_their_bound_are_shown_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    converted: list[str] = []
    usual = text.tex_to_mathml
    monkeypatch.setattr(text, "tex_to_mathml", lambda tex, *, block: converted.append(tex) or usual(tex, block=block))

    html = markdown_to_html("$x$ " * 1_500)

    assert (len(converted), html.count("<math"), html.count("<code>x</code>")) == (1_000, 1_000, 500)


def test_long_formulas_count_by_their_length() -> None:
    html = markdown_to_html(("$" + "x+" * 900 + "y$ ") * 15)

    assert (html.count("<math"), html.count("<code>")) == (11, 4)


def test_rendered_texts_are_counted_in_the_cache_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PROCESS_CACHE, "max_bytes", 2**20)
    calls: list[Any] = []
    usual = text.markdown_to_html
    monkeypatch.setattr(text, "markdown_to_html", lambda given: calls.append(given) or usual(given))

    shown = [rendered_text.cached_html("x" * 50_000) for _ in range(2)]

    assert (calls, shown[0] == shown[1]) == (["x" * 50_000], True)
    assert PROCESS_CACHE.size > 50_000
