"""Which readers of calendars this machine lacks, and how to have them; quick to import."""

from __future__ import annotations

from tests.calendars.readers import javascript, libical

MISSING: dict[str, str] = {}
if not libical.LIBICAL:
    MISSING["libical"] = libical.HOW_TO_HAVE_IT
if not javascript.INSTALLED:
    MISSING["ical.js and node-ical"] = javascript.HOW_TO_HAVE_THEM
