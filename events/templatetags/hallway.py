"""What templates say about time and text."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from events.http import Request
from events.pages.fragments import FRAGMENTS, bookmark_html, icons, personal_html
from events.pages.page_cache import Placeholder, mark
from events.queries.pinned import carried
from events.schedule.clock import Clock
from events.schedule.spans import spoken
from events.text import markdown_line_to_html, markdown_to_html

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    return mark_safe(markdown_to_html(text or ""))


@register.filter
def markdown_line(text: str) -> SafeString:
    return mark_safe(markdown_line_to_html(text or ""))


@register.filter
def duration(value: dt.timedelta | float | None) -> str:
    """A length as people say it: "45 min", "1 h 30 min"."""
    return "" if value is None else spoken(value)


@register.filter
def iso(value: dt.datetime | None) -> str:
    """The instant in the zone it is shown in, for ``<time datetime>``."""
    return timezone.localtime(value).isoformat(timespec="minutes") if value else ""


@register.filter
def carry(url: str, clock: Clock | None) -> str:
    """The address, with the moment the visitor looks at if it is not now."""
    return carried(url, clock) if clock else url


register.simple_tag(icons)


@register.simple_tag(takes_context=True)
def bookmark_button(context: template.Context, card: Any, button_id: str = "") -> str:
    """The star of a card; its id is the same before and after a swap."""
    button = (button_id or card.element_id, card.bookmark_url, card.title)
    if not _is_shared(context.get("request")):
        return bookmark_html(*button, bookmarked=card.bookmarked)
    return _placeholder(context["request"], bookmark_html(*button, bookmarked=False), "bookmark-button", card.key, *button)


@register.simple_tag(takes_context=True)
def personal_fragment(context: template.Context, name: str, *arguments: object) -> str:
    """{% personal_fragment name … %}: what only this visitor sees, by its name in ``events.pages.fragments``."""
    request, fragment = context["request"], FRAGMENTS[name]
    if not _is_shared(request):
        return mark_safe(personal_html(request, name, *arguments))
    default = "" if fragment.needs_agenda else fragment.render(request, None, *arguments)
    return _placeholder(request, default, name, *arguments)


@register.simple_block_tag(takes_context=True)
def personal_fragment_or(context: template.Context, content: str, name: str, *arguments: object) -> str:
    """{% personal_fragment_or name … %}…{% endpersonal_fragment_or %}, with what visitors without the fragment see."""
    request = context["request"]
    if not _is_shared(request):
        return mark_safe(personal_html(request, name, *arguments) or content)
    return _placeholder(request, content, name, *arguments)


def _is_shared(request: Request | None) -> bool:
    return getattr(request, "shared", False)


def _placeholder(request: Request, default: str, name: str, *arguments: object) -> str:
    return mark_safe(mark(request, Placeholder(name, arguments, default.encode())))
