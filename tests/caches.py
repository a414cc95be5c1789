"""What a test could leave to the next in the memory of the process."""

from __future__ import annotations

from django.core.cache import cache

from events.core.byte_cache import PROCESS_CACHE
from events.core.stored_files import STORED_EXPORTS
from events.mail.outbox import POSTMAN
from events.search.missed import DAYS_QUESTIONS


def clear_caches() -> None:
    cache.clear()
    STORED_EXPORTS.clear()
    # Factories write rows without announcing them: nothing is cached, but in tests that set it.
    PROCESS_CACHE.clear()
    DAYS_QUESTIONS.clear()
    PROCESS_CACHE.max_bytes = 0


def clear_process() -> None:
    clear_caches()
    # Letters stay in the outbox until a test has them sent.
    POSTMAN.is_enabled = False
