"""Names of languages in English, the HTML attributes of a text in one, and names inside a text of another direction."""

from __future__ import annotations

import functools
import re

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info

# Django has only Chinese of one script.
_MORE_NAMES = {"zh": "Chinese", "la": "Latin", "mt": "Maltese"}
_RIGHT_TO_LEFT_LETTER = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")


@functools.lru_cache(maxsize=500)
def language_name(tag: str) -> str:
    """The name, or the tag itself where Django has no name for it."""
    try:
        return str(get_language_info(tag.lower())["name"])
    except KeyError:
        return _MORE_NAMES.get(tag.partition("-")[0].lower(), tag)


@functools.lru_cache(maxsize=500)
def language_attributes(tag: str) -> SafeString:
    """``lang`` where the language is known, and ``dir="auto"``: the first letter of a text decides its direction."""
    return format_html(' lang="{}" dir="auto"', tag) if tag else SafeString(' dir="auto"')


def isolated(text: str) -> str:
    """A title or name for a sentence or list; a right-to-left one is put between U+2068 and U+2069, or it turns what follows.

    <bdi> does the same, but a page has hundreds of names, and messages are plain text.
    """
    return f"\u2068{text}\u2069" if _RIGHT_TO_LEFT_LETTER.search(text) else text
