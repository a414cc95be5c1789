"""Filters of organisers' pages."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils.safestring import SafeString

from events.admin.base.times import instant_html
from events.programme.models.conference import Conference

register = template.Library()


@register.filter
def instant(at: dt.datetime | None, conference: Conference | None) -> SafeString | str:
    """22 Nov 2026 20:35, Singapore, as a <time> element."""
    return instant_html(at, conference or None)
