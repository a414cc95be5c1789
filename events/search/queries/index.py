"""The state of the index: whether all texts have been compared with it."""

from __future__ import annotations

from events.core.byte_cache import PROCESS_CACHE
from events.programme.models.conference import Conference
from events.search.models import SearchIndex


def is_compared(conference: Conference) -> bool:
    """Whether all entries were compared with the texts of this revision or a later one. Once true, it stays so."""

    def read() -> bool | None:
        return SearchIndex.objects.filter(conference=conference, revision__gte=conference.revision).exists() or None

    return bool(PROCESS_CACHE.get_or_build(("compared", conference.pk), read, version=conference.revision))
