"""What a test could leave to the next in the memory of the process."""

from __future__ import annotations

from django.core.cache import cache

from events.byte_cache import CACHE
from events.mail.postman import POSTMAN


def clear_caches() -> None:
    cache.clear()
    # Factories write rows without announcing them: nothing is cached, but in tests that set it.
    CACHE.clear()
    CACHE.max_bytes = 0


def clear_process() -> None:
    clear_caches()
    # Letters stay in the outbox until a test has them sent.
    POSTMAN.on = False
