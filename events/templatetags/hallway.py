"""What templates say about time and text."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

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
