"""The state of the index: whether all texts have been compared with it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils import timezone

from events.core.byte_cache import PROCESS_CACHE
from events.programme.models.conference import Conference
from events.search.models import SearchIndex

MAX_LATE_SECONDS = 1
"""Until a process asks again whether a comparison has ended: while it has not, each search would ask."""


class Comparison(NamedTuple):
    is_done: bool
    asked_at: float


def is_compared(conference: Conference) -> bool:
    """Whether all entries were compared with the texts of this revision or a later one.

    Once true, it stays so. Up to a second may pass until it is seen.
    """
    now = timezone.now().timestamp()

    def read() -> Comparison:
        compared = SearchIndex.objects.filter(conference=conference, revision__gte=conference.revision)
        return Comparison(compared.exists(), now)

    def is_current(comparison: Comparison) -> bool:
        return comparison.is_done or comparison.asked_at <= now < comparison.asked_at + MAX_LATE_SECONDS

    return PROCESS_CACHE.get_or_build(("compared", conference.pk), read, is_current, version=conference.revision).is_done
