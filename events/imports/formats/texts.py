"""Abstracts put together from several fields of an event, as all the schedule formats have them."""

from __future__ import annotations

from events.core.markup import is_html
from events.core.text import markdown_to_html

LANGUAGE_NAMES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}


def join_abstract(subtitle: str, abstract: str, description: str, note: str = "") -> str:
    """The texts in one, each once, with the note at the end."""
    if abstract in description:
        abstract = ""
    elif description in abstract:
        description = ""
    return join_paragraphs([subtitle, abstract, description, note])


def join_paragraphs(texts: list[str]) -> str:
    """The texts as paragraphs. If one of them is HTML, the others are converted from Markdown."""
    paragraphs = [text for text in texts if text]
    if any(is_html(text) for text in paragraphs):
        paragraphs = [text if is_html(text) else markdown_to_html(text).strip() for text in paragraphs]
    return "\n\n".join(paragraphs)
