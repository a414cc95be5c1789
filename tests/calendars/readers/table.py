"""All readers that are here, by name."""

from __future__ import annotations

from collections.abc import Callable

from tests.calendars.readers import javascript, libical
from tests.calendars.readers.entry import Entry
from tests.calendars.readers.python import by_icalendar, by_ics, by_vobject

Reader = Callable[[bytes], list[Entry]]

READERS: dict[str, Reader] = {"icalendar": by_icalendar, "vobject": by_vobject, "ics": by_ics}
if libical.LIBICAL:
    READERS["libical"] = libical.by_libical
if javascript.INSTALLED:
    READERS |= {"ical.js": javascript.by_ical_js, "node-ical": javascript.by_node_ical}
