"""What the words of a schedule.xml event say: its abstract, put together, and its language where that is worth saying."""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element

from events.text import is_html, markdown_to_html

LANGUAGES = {
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
PRINTED = 8
"""Blanks before every further line that come from printing the XML and not from the author."""


def said(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def abstract_of(event: Element, note: str) -> str:
    """Subtitle, abstract and description in one text, each once, and the note at the end."""
    subtitle, abstract, description = (_dedented(said(event, name)) for name in ("subtitle", "abstract", "description"))
    if abstract in description:
        abstract = ""
    elif description in abstract:
        description = ""
    return joined([subtitle, abstract, description, note])


def joined(texts: list[str]) -> str:
    """Paragraphs as their authors wrote them; what is not HTML becomes it where something else is."""
    there = [text for text in texts if text]
    if any(is_html(text) for text in there):
        there = [text if is_html(text) else markdown_to_html(text).strip() for text in there]
    return "\n\n".join(there)


def _dedented(text: str) -> str:
    """Pretty-printed files indent all lines but the first, which Markdown would take for code."""
    first, *rest = text.split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in rest if line.strip()]
    margin = min(margins, default=0)
    return "\n".join([first, *(line[margin:] for line in rest)]) if margin >= PRINTED else text


class Languages:
    """A conference in one language need not say so at every event."""

    def __init__(self, root: Element) -> None:
        self.varies = len({text for it in root.iterfind("day//event/language") if (text := (it.text or "").strip())}) > 1

    def note(self, event: Element) -> str:
        codes = re.findall(r"[A-Za-z]{2,3}(?:-[A-Za-z]{2,4})?", said(event, "language")[:40]) if self.varies else []
        names = [LANGUAGES.get(code.lower()[:2], html.escape(code)) for code in codes]
        return f"Language: {', '.join(names)}" if names else ""
