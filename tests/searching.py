"""Tests roll back what they write, so nothing is ever committed and the index has to be told by hand."""

from __future__ import annotations

from events.models import Conference, SearchIndex


def reindex(*conferences: Conference) -> None:
    """Make the entries of these conferences, or of all, as they are made when a change is committed."""
    for conference in conferences or Conference.objects.all():
        SearchIndex.objects.filter(conference=conference).delete()
        SearchIndex.follow(conference.pk)
