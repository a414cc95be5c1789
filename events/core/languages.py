"""Names of languages in English, and the HTML attributes of a text in one."""

from __future__ import annotations

import functools

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info

# Django has only Chinese of one script.
_MORE_NAMES = {"zh": "Chinese", "la": "Latin", "mt": "Maltese"}


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
