"""Where the icons are, for HTML that is written without a template."""

from __future__ import annotations

import functools

from django.templatetags.static import static


@functools.cache
def icons() -> str:
    """The address of the icons. Cached, since a page has dozens, and each look-up searches the static files."""
    return static("events/icons.svg")
