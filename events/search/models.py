"""The search index: an entry for each public thing of a conference, with its searchable texts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db import models

from events.programme.models.conference import Conference
from events.search.rules import MAX_MISSED_CHARS, MAX_SPELLED_CHARS


class SearchEntryType(models.TextChoices):
    """Kinds of search results. The result for an event of a paper or a service is the paper or the service."""

    EVENT = "event", "Event"
    PAPER = "paper", "Paper"
    PERSON = "person", "Person"
    ROOM = "room", "Room"
    SERVICE = "service", "Service"
    AMENITY = "amenity", "Amenity"
    PAGE = "page", "Page"


class SearchEntry(models.Model):
    """A public thing; its words are folded here, so that every database matches the same.

    Triggers on SQLite (for the FTS5 table ``events_searchentry_words``) and generated columns on PostgreSQL update the index:
    see migration 0003. A migration that alters this model on SQLite recreates the table, and must recreate its triggers.
    """

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="search_entries")
    thing = models.CharField(max_length=10, choices=SearchEntryType, editable=False)
    target = models.PositiveBigIntegerField(editable=False)
    facets = models.TextField(editable=False)
    title = models.TextField(editable=False)
    people = models.TextField(editable=False)
    rest = models.TextField(editable=False)
    digest = models.CharField(max_length=32, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["thing", "target"], name="search_entry_unique")]
        default_permissions = ()

    def __str__(self) -> str:
        return self.title


class SearchWordQuerySet(models.QuerySet["SearchWord"]):
    def near(self, conference: Conference, cuts: Collection[str]) -> list[tuple[str, str]]:
        """Return (cut, word) of the words that have one of these cuts."""
        return list(self.filter(conference=conference, cut__in=cuts).values_list("cut", "word"))


class SearchWord(models.Model):
    """A word of public titles and names, under one of its cuts: the word without one letter, or whole."""

    pk = models.CompositePrimaryKey("conference", "cut", "word")
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="search_words", db_index=False)
    cut = models.CharField(max_length=MAX_SPELLED_CHARS, editable=False)
    word = models.CharField(max_length=MAX_SPELLED_CHARS, editable=False)

    objects = SearchWordQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.word


class SearchIndexQuerySet(models.QuerySet["SearchIndex"]):
    def claim(self, conference_id: int, now: dt.datetime, interval: dt.timedelta) -> bool:
        """Return whether this process is the one to compare now. A conference without an index waits for nobody."""
        index = self.filter(conference=conference_id)
        is_due = models.Q(compared_at=None) | models.Q(compared_at__lte=now - interval)
        return bool(index.filter(is_due).update(compared_at=now)) or not index.exists()


class SearchIndex(models.Model):
    """The revision of the programme with which all entries of a conference were compared."""

    conference = models.OneToOneField(Conference, models.CASCADE, primary_key=True, related_name="search_index")
    revision = models.PositiveBigIntegerField(editable=False)
    # When a process last began to compare in the background: the others wait.
    compared_at = models.DateTimeField(null=True, editable=False)

    objects = SearchIndexQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.conference} at {self.revision}"


class MissedSearchQuerySet(models.QuerySet["MissedSearch"]):
    def most_asked(self, conference: Conference) -> list[MissedSearch]:
        """The questions by how many asked; without the beginnings of others that as many typed until the end."""
        rows = list(self.filter(conference=conference).order_by("-askers", "words"))
        return [row for row in rows if not any(it.goes_on(row) for it in rows)]


class MissedSearch(models.Model):
    """A question that found nothing, in folded words. There is a row only once MIN_SHOWN_COUNT different people asked it.

    ``askers`` is the least number of them, a multiple of that; nothing is stored about any of them.
    """

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="missed_searches")
    words = models.CharField(max_length=MAX_MISSED_CHARS, editable=False)
    askers = models.PositiveIntegerField(editable=False)
    last_on = models.DateField(editable=False)

    objects = MissedSearchQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "words"], name="missed_search_once")]
        default_permissions = ()

    def __str__(self) -> str:
        return self.words

    def goes_on(self, other: MissedSearch) -> bool:
        return self.words != other.words and self.words.startswith(other.words) and self.askers >= other.askers
