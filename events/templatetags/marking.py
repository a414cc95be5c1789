"""Found words, marked."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from events.words import Part

register = template.Library()


@register.filter
def marks(parts: Iterable[Part]) -> SafeString:
    """Pieces of a text as HTML, what was asked for in <mark>."""
    return mark_safe("".join(f"<mark>{escape(it.text)}</mark>" if it.found else escape(it.text) for it in parts))
