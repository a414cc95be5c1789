"""Texts joined from several fields, for all schedule formats."""

from __future__ import annotations

from events.core.markup import is_html
from events.core.text import markdown_to_html

PLACEHOLDERS = frozenset(
    "|tba|tbd|tbc|n/a|na|n.n|n. n|nn|-|–|—|?|to be announced|to be confirmed|to be decided|to be determined|open".split("|")
)


def is_placeholder(text: str) -> bool:
    """Return whether a cell only says that its value is not known yet."""
    return " ".join(text.split()).casefold().strip("().") in PLACEHOLDERS


def join_paragraphs(texts: list[str]) -> str:
    """Join as paragraphs. If one of the texts is HTML, the others are converted from Markdown."""
    paragraphs = [text for text in texts if text]
    if any(is_html(text) for text in paragraphs):
        paragraphs = [text if is_html(text) else markdown_to_html(text).strip() for text in paragraphs]
    return "\n\n".join(paragraphs)
