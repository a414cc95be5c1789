"""The search index: an entry for each public thing of a conference, with its searchable texts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, models, transaction

from events.core.words import folded_words
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.papers import Authorship, Award, AwardLevel, Paper
from events.programme.models.people import Appearance, Person
from events.programme.models.venue import Room, Service
from events.programme.queries.public_names import only_public
from events.search.rules import MAX_SPELLED_CHARS, is_spelled, shortened
from events.venue.models import Amenity

MAX_INDEXED_CHARS = 100_000
INDEXED_EVENT_COLUMNS = (
    *("pk", "paper", "service", "type__kind", "day__date", "topic", "title", "board", "abstract", "notes", "type__name"),
    *("track__name", "topic__area", "topic__subarea", "room__name", "room__zone__name", "place", "session__title", "audience"),
)


@dataclass(frozen=True)
class SearchText:
    """The texts of one thing before folding."""

    thing: str
    target: int
    facets: str
    title: str
    people: str
    rest: str

    @property
    def digest(self) -> str:
        content = f"{self.facets}\x1f{self.title}\x1f{self.people}\x1f{self.rest}"
        return hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def fields(self) -> dict[str, str | int]:
        return {
            "thing": self.thing,
            "target": self.target,
            "facets": self.facets,
            **{name: " ".join(folded_words(getattr(self, name)))[:MAX_INDEXED_CHARS] for name in ("title", "people", "rest")},
        }


@dataclass
class SearchContent:
    """The texts of a thing, and of the events whose search result is this thing."""

    kinds: set[str] = field(default_factory=set)
    days: set[str] = field(default_factory=set)
    topics: set[str] = field(default_factory=set)
    titles: list[str] = field(default_factory=list)
    people: list[int] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)

    def facets(self, conference_id: int) -> str:
        values_by_name = [("kind", self.kinds), ("day", self.days), ("topic", self.topics)]
        labels = [facet(name, value) for name, values in values_by_name for value in sorted(values)]
        return " ".join([facet("conference", conference_id), *labels])


SearchContents = dict[tuple[str, int], SearchContent]


def facet(name: str, value: object) -> str:
    """Return a word for a filter, such as "kposter" or "d20250424"."""
    return name[0] + "".join(character for character in str(value) if character.isalnum())


def texts_of(conference_id: int) -> Iterator[SearchText]:
    conference = Conference.objects.public().filter(pk=conference_id).first()
    if conference is None:
        return
    things: SearchContents = defaultdict(SearchContent)
    _add_papers(things, conference)
    _add_events(things, conference)
    names = _add_people(things, conference)
    _add_places(things, conference)
    _add_awards(things, conference)
    _add_amenities(things, conference)
    for (thing, pk), content in things.items():
        title, *titles = dict.fromkeys(content.titles)
        people = "\n".join(names[person] for person in dict.fromkeys(content.people) if person in names)
        rest = "\n".join(dict.fromkeys(filter(None, [*content.texts, *titles])))
        yield SearchText(thing, pk, content.facets(conference_id), title, people, rest)


def _add_papers(things: SearchContents, conference: Conference) -> None:
    papers = Paper.objects.public().filter(conference=conference)
    rows = papers.order_by("pk").values_list("pk", "topic", "title", "tldr", "abstract", "topic__area", "topic__subarea")
    for pk, topic, title, *texts in rows:
        things["paper", pk] = SearchContent({"paper"}, set(), {str(topic)} if topic else set(), [title], [], [*texts])
    for pk, person in _pairs(Authorship.objects.filter(paper__in=papers), "paper"):
        things["paper", pk].people.append(person)


def _add_events(things: SearchContents, conference: Conference) -> None:
    events = Event.objects.public().filter(conference=conference)
    services = set(Service.objects.filter(conference=conference).values_list("pk", flat=True))
    keys: dict[int, tuple[str, int]] = {}
    rows = events.order_by("pk").values_list(*INDEXED_EVENT_COLUMNS)
    for pk, paper, service, kind, day, topic, title, board, *texts in rows:
        key = ("service", service) if service in services else ("event", pk)
        key = keys[pk] = ("paper", paper) if ("paper", paper) in things else key
        content = things[key]
        content.titles.append(title)
        content.kinds.add(kind)
        content.days |= {f"{day:%Y%m%d}"} if day else set()
        content.topics |= {str(topic)} if topic else set()
        content.texts += [*texts, _board_text(board)]
    # An event may have been published since the first query.
    for pk, person in _pairs(Appearance.objects.filter(event__in=events), "event"):
        if pk in keys:
            things[keys[pk]].people.append(person)
    for pk, name, level in Award.objects.public().filter(event__in=events).order_by("pk").values_list("event", "name", "level"):
        things[keys[pk]].texts.append(_award_text(name, level))


def _add_people(things: SearchContents, conference: Conference) -> dict[int, str]:
    shown = {person for content in things.values() for person in content.people}
    people = Person.objects.filter(conference=conference).order_by("pk").values_list("pk", "name", "affiliation", "bio")
    names = {}
    for pk, name, *texts in people:
        if pk in shown:
            names[pk] = name
            things["person", pk] = SearchContent({"person"}, titles=[name], texts=[*texts])
    return names


def _add_places(things: SearchContents, conference: Conference) -> None:
    rooms = only_public(Room.objects.filter(conference=conference)).order_by("pk")
    for pk, name, *texts in rooms.values_list("pk", "name", "zone__name", "zone__venue__name", "description"):
        things["room", pk] = SearchContent({"room"}, titles=[name], texts=[*texts])
    services = Service.objects.filter(conference=conference).order_by("pk")
    for pk, name, *texts in services.values_list("pk", "name", "description", "place", "zone__name", "room__name"):
        content = things["service", pk]
        content.kinds.add("service")
        content.titles.insert(0, name)
        content.texts += texts


def _add_amenities(things: SearchContents, conference: Conference) -> None:
    names = ("service__name", "service__place", "room__name", "zone__name", "event__title")
    rows = Amenity.objects.filter(conference=conference).public().order_by("pk")
    for pk, day, name, *texts in rows.values_list("pk", "event__day__date", "name", "note", *names):
        days = {f"{day:%Y%m%d}"} if day else set[str]()
        things["amenity", pk] = SearchContent({"amenity"}, days, titles=[name], texts=[*texts])


def _add_awards(things: SearchContents, conference: Conference) -> None:
    rows = Award.objects.public().filter(conference=conference).order_by("pk").values_list("paper", "name", "level")
    for paper, name, level in rows:
        if ("paper", paper) in things:
            things["paper", paper].texts.append(_award_text(name, level))


def _board_text(board: str) -> str:
    return board if not board or board.casefold().startswith("board") else f"Board {board}"


def _award_text(name: str, level: str) -> str:
    return f"{name}, {AwardLevel(level).label}"


def _pairs(rows: Any, owner: str) -> Any:
    return rows.order_by(owner, "position", "pk").values_list(owner, "person")


INDEX_BATCH_SIZE, WORD_BATCH_SIZE = 500, 50


class SearchEntryType(models.TextChoices):
    """Kinds of search results. The result for an event of a paper or a service is the paper or the service."""

    EVENT = "event", "Event"
    PAPER = "paper", "Paper"
    PERSON = "person", "Person"
    ROOM = "room", "Room"
    SERVICE = "service", "Service"
    AMENITY = "amenity", "Amenity"


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


class SearchIndex(models.Model):
    """The revision of the programme from which the entries of a conference were written."""

    conference = models.OneToOneField(Conference, models.CASCADE, primary_key=True, related_name="search_index")
    revision = models.PositiveBigIntegerField(editable=False)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.conference} at {self.revision}"

    @classmethod
    def reindex(cls, conference_id: int) -> None:
        """Update a conference's entries to its programme; one query if they are current.

        Reading takes long and takes no lock. The differences are written under the conference's lock, and only if the
        programme has not changed since it was read.
        """
        while (revision := cls._stale_revision(conference_id)) is not None:
            texts = {(text.thing, text.target): text for text in texts_of(conference_id)}
            if cls._write(conference_id, revision, texts):
                return

    @classmethod
    def _stale_revision(cls, conference_id: int) -> int | None:
        """Return the revision of the programme, or None if the entries are current."""
        revisions = Conference.objects.filter(pk=conference_id).values_list("revision", "search_index__revision").first()
        return None if revisions is None or revisions[0] == revisions[1] else revisions[0]

    @classmethod
    def _write(cls, conference_id: int, revision: int, texts: dict[tuple[str, int], SearchText]) -> bool:
        with transaction.atomic():
            conference = Conference.objects.select_for_update().filter(pk=conference_id).first()
            if conference is None or conference.revision != revision:
                return conference is None
            stored = SearchEntry.objects.filter(conference=conference_id).values_list("pk", "thing", "target", "digest")
            known = {(thing, target): (pk, digest) for pk, thing, target, digest in stored.iterator(5000)}
            changed = {key for key, text in texts.items() if known.get(key, (0, ""))[1] != text.digest}
            stale = [pk for key, (pk, _) in known.items() if key in changed or key not in texts]
            before, after = _replace_entries(conference_id, stale, (texts[key] for key in changed))
            _replace_words(conference_id, before, after, texts.values())
            cls.objects.update_or_create(conference=conference, defaults={"revision": revision})
        _clean_pending_list(len(stale) + len(changed))
        return True


def _clean_pending_list(written: int) -> None:
    """Merge PostgreSQL's pending list into the index now: until then each search reads all of the list.

    After many rows the table is analysed too; otherwise the planner reads every text instead of using the index.
    """
    if connection.vendor == "postgresql" and written:
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('search_entry_words')")
            if written >= INDEX_BATCH_SIZE:
                cursor.execute("ANALYZE events_searchentry")


def _replace_entries(conference_id: int, stale: list[int], texts: Iterable[SearchText]) -> tuple[set[str], set[str]]:
    """Return the words of titles and names that the entries had, and that they have now."""
    before = set[str]()
    for start in range(0, len(stale), INDEX_BATCH_SIZE):
        entries = SearchEntry.objects.filter(pk__in=stale[start : start + INDEX_BATCH_SIZE])
        before.update(*(f"{title} {people}".split() for title, people in entries.values_list("title", "people")))
        entries.delete()
    written = [SearchEntry(conference_id=conference_id, digest=text.digest, **text.fields()) for text in texts]
    SearchEntry.objects.bulk_create(written, batch_size=INDEX_BATCH_SIZE)
    return before, {word for entry in written for word in f"{entry.title} {entry.people}".split()}


def _replace_words(conference_id: int, before: set[str], after: set[str], texts: Iterable[SearchText]) -> None:
    removed = sorted(word for word in before - after if is_spelled(word))
    if removed:
        kept = set(folded_words("\n".join(f"{text.title}\n{text.people}" for text in texts)))
        removed = [word for word in removed if word not in kept]
    for start in range(0, len(removed), WORD_BATCH_SIZE):
        words = removed[start : start + WORD_BATCH_SIZE]
        cuts = set().union(*map(shortened, words))
        SearchWord.objects.filter(conference=conference_id, cut__in=cuts, word__in=words).delete()
    added = (word for word in sorted(after - before) if is_spelled(word))
    rows = [SearchWord(conference_id=conference_id, cut=cut, word=word) for word in added for cut in sorted(shortened(word))]
    SearchWord.objects.bulk_create(rows, batch_size=INDEX_BATCH_SIZE, ignore_conflicts=True)
