"""Abstracts joined from several fields of an event, for all schedule formats."""

from __future__ import annotations

from events.core.markup import is_html
from events.core.text import markdown_to_html


def join_abstract(subtitle: str, abstract: str, description: str) -> str:
    if abstract in description:
        abstract = ""
    elif description in abstract:
        description = ""
    return join_paragraphs([subtitle, abstract, description])


def join_paragraphs(texts: list[str]) -> str:
    """Join as paragraphs. If one of the texts is HTML, the others are converted from Markdown."""
    paragraphs = [text for text in texts if text]
    if any(is_html(text) for text in paragraphs):
        paragraphs = [text if is_html(text) else markdown_to_html(text).strip() for text in paragraphs]
    return "\n\n".join(paragraphs)
