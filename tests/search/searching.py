"""Reindexing by hand: tests roll back, so nothing is committed and the index is not updated by itself."""

from __future__ import annotations

from events.models import Conference, SearchIndex
from events.search import indexing


def reindex(*conferences: Conference) -> None:
    """Make the entries of these conferences, or of all, as they are made when a change is committed."""
    for conference in conferences or Conference.objects.all():
        SearchIndex.objects.filter(conference=conference).delete()
        indexing.reindex(conference.pk)
