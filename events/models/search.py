"""The search index: one row for each thing that can be found, and how far behind the programme it is."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, models, transaction

from events.models.conference import Conference
from events.models.search_texts import Text, texts_of

BATCH = 500


class Thing(models.TextChoices):
    """What an entry is about. A paper's slots and a service's hours are found as the paper and the service."""

    EVENT = "event", "Event"
    PAPER = "paper", "Paper"
    PERSON = "person", "Person"
    ROOM = "room", "Room"
    SERVICE = "service", "Service"
    AMENITY = "amenity", "Amenity"


class SearchEntry(models.Model):
    """A public thing in words that are folded already, so that every database finds the same.

    On SQLite triggers keep ``events_searchentry_words`` (FTS5) in step with this table, on PostgreSQL generated columns do:
    see migration 0003. A migration that alters this model on SQLite makes the table anew and must make its triggers anew.
    """

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="search_entries")
    thing = models.CharField(max_length=10, choices=Thing, editable=False)
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


class SearchIndex(models.Model):
    """The revision of the programme that a conference's entries were made from."""

    conference = models.OneToOneField(Conference, models.CASCADE, primary_key=True, related_name="search_index")
    revision = models.PositiveBigIntegerField(editable=False)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.conference} at {self.revision}"

    @classmethod
    def follow(cls, conference_id: int) -> None:
        """Bring a conference's entries in step with its programme, whatever changed in it; nothing to do costs one query.

        Reading takes long and holds nobody up; what differs is written under the conference's lock, and only if the
        programme is still what was read.
        """
        while (revision := cls._behind(conference_id)) is not None:
            texts = {(it.thing, it.target): it for it in texts_of(conference_id)}
            if cls._write(conference_id, revision, texts):
                return

    @classmethod
    def _behind(cls, conference_id: int) -> int | None:
        """The programme's revision, unless the entries were made from it."""
        known = Conference.objects.filter(pk=conference_id).values_list("revision", "search_index__revision").first()
        return None if known is None or known[0] == known[1] else known[0]

    @classmethod
    def _write(cls, conference_id: int, revision: int, texts: dict[tuple[str, int], Text]) -> bool:
        with transaction.atomic():
            held = Conference.objects.select_for_update().filter(pk=conference_id).first()
            if held is None or held.revision != revision:
                return held is None
            stored = SearchEntry.objects.filter(conference=conference_id).values_list("pk", "thing", "target", "digest")
            known = {(thing, target): (pk, digest) for pk, thing, target, digest in stored.iterator(5000)}
            changed = {key for key, text in texts.items() if known.get(key, (0, ""))[1] != text.digest}
            stale = [pk for key, (pk, _) in known.items() if key in changed or key not in texts]
            _replace(conference_id, stale, (texts[key] for key in changed))
            cls.objects.update_or_create(conference=held, defaults={"revision": revision})
        _settle(len(stale) + len(changed))
        return True


def _settle(written: int) -> None:
    """Have PostgreSQL sort in now what it would keep aside until it has time: each search would read it all until then.

    After many rows it also needs to count them anew, or it takes reading every text for cheaper than asking the index.
    """
    if connection.vendor == "postgresql" and written:
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('search_entry_words')")
            if written >= BATCH:
                cursor.execute("ANALYZE events_searchentry")


def _replace(conference_id: int, stale: list[int], texts: Iterable[Text]) -> None:
    for start in range(0, len(stale), BATCH):
        SearchEntry.objects.filter(pk__in=stale[start : start + BATCH]).delete()
    entries = [SearchEntry(conference_id=conference_id, digest=it.digest, **it.fields()) for it in texts]
    SearchEntry.objects.bulk_create(entries, batch_size=BATCH)
