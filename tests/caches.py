"""What a test could leave to the next in the memory of the process."""

from __future__ import annotations

from django.core.cache import cache

from events.calendars.entries import ENTRIES
from events.mail.postman import POSTMAN
from events.pages.shared import OWN_SHELF, SHELF
from events.queries.announcements import ANNOUNCED
from events.queries.days import DAYS
from events.views.exports import SHELF as EXPORT_SHELF


def clear_caches() -> None:
    cache.clear()
    # Factories write rows without announcing them: pages are made anew each time, but in the test of the shelf.
    for shelf in (EXPORT_SHELF, SHELF, OWN_SHELF, ENTRIES, DAYS, ANNOUNCED):
        shelf.clear()
        shelf.budget = 0


def clear_process() -> None:
    clear_caches()
    # Letters stay in the outbox until a test has them sent.
    POSTMAN.on = False
