"""Updating the search index: what a change touched at once, everything else by comparing all texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.db import connection, transaction
from django.db.models import F, Q

from events.core.db.writing import analyse_tables
from events.programme.models.conference import Conference
from events.search.models import SearchEntry, SearchIndex, SearchWord
from events.search.queries.fulltext import is_in_names
from events.search.rules import is_spelled, shortened
from events.search.texts import Keys, SearchText, keys_of_events, texts_of, with_related

INDEX_BATCH_SIZE, WORD_BATCH_SIZE = 500, 50
MAX_TOUCHED_EVENTS = 100
"""A change of more events is left to the comparison."""
MAX_WORDS_ASKED = 100
MAX_COMPARISONS = 3
TextsByKey = Mapping[tuple[str, int], SearchText]


def index_events(conference_id: int, events: Collection[int]) -> None:
    """Update the entries that have texts of these events, under the conference's lock: whoever is last reads last."""
    with transaction.atomic():
        conference = _locked(conference_id)
        written = _write(conference, keys_of_events(conference_id, events)) if conference and events else 0
    _clean_pending_list(written)


def reindex(conference_id: int) -> None:
    """Compare until the index is current; one query if it is. A programme that goes on changing is compared again later."""
    for _ in range(MAX_COMPARISONS):
        if (revision := stale_revision(conference_id)) is None:
            return
        compare(conference_id, revision)


def stale_conferences() -> list[int]:
    """Return the conferences that have changed since they were compared."""
    stale = Conference.objects.filter(~Q(search_index__revision=F("revision")))
    return list(stale.order_by("pk").values_list("pk", flat=True))


def stale_revision(conference_id: int) -> int | None:
    """Return the revision of the programme, or None if all entries have been compared with it."""
    revisions = Conference.objects.filter(pk=conference_id).values_list("revision", "search_index__revision").first()
    return None if revisions is None or revisions[0] == revisions[1] else revisions[0]


def compare(conference_id: int, revision: int) -> None:
    """Read all texts without a lock, and write what differs from the index.

    What differs is read again under the conference's lock, because it may have changed since. The index is then current as
    of ``revision``, which the programme had before it was read.
    """
    texts = {(text.thing, text.target): text for text in texts_of(conference_id)}
    stored = SearchEntry.objects.filter(conference=conference_id).values_list("thing", "target", "digest")
    known = {(thing, target): digest for thing, target, digest in stored.iterator(5000)}
    differing = [key for key in {**known, **texts} if key not in texts or known.get(key) != texts[key].digest]
    with transaction.atomic():
        conference = _locked(conference_id)
        if conference is None:
            return
        written = 0
        if len(differing) > INDEX_BATCH_SIZE:
            written = _write(conference, None, texts if conference.revision == revision else None)
        elif differing:
            written = _write(conference, with_related(_by_thing(differing)))
        SearchIndex.objects.update_or_create(conference=conference, defaults={"revision": revision})
    _clean_pending_list(written)


def _locked(conference_id: int) -> Conference | None:
    return Conference.objects.select_for_update().filter(pk=conference_id).first()


def _by_thing(keys: Iterable[tuple[str, int]]) -> Keys:
    targets: dict[str, set[int]] = defaultdict(set)
    for thing, target in keys:
        targets[thing].add(target)
    return targets


def _write(conference: Conference, keys: Keys | None, texts: TextsByKey | None = None) -> int:
    """Write the entries of these things, or of all, that differ from their texts. Return how many."""
    if texts is None:
        texts = {(text.thing, text.target): text for text in texts_of(conference.pk, keys)}
    entries = SearchEntry.objects.filter(conference=conference)
    if keys is not None:
        chosen = (Q(thing=thing, target__in=targets) for thing, targets in keys.items() if targets)
        entries = entries.filter(Q(*chosen, _connector=Q.OR))
    stored = entries.values_list("pk", "thing", "target", "digest")
    known = {(thing, target): (pk, digest) for pk, thing, target, digest in stored.iterator(5000)}
    changed = {key for key, text in texts.items() if known.get(key, (0, ""))[1] != text.digest}
    stale = [pk for key, (pk, _) in known.items() if key in changed or key not in texts]
    if stale or changed:
        before, after = _replace_entries(conference.pk, stale, (texts[key] for key in changed))
        _replace_words(conference, before, after)
    return len(stale) + len(changed)


def _clean_pending_list(written: int) -> None:
    """Merge PostgreSQL's pending list into the index now: until then each search reads all of the list.

    After many rows the table is analysed too; otherwise the planner reads every text instead of using the index.
    """
    if connection.vendor == "postgresql" and written:
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('search_entry_words')")
        if written >= INDEX_BATCH_SIZE:
            analyse_tables([SearchEntry, SearchWord])


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


def _replace_words(conference: Conference, before: set[str], after: set[str]) -> None:
    removed = _without_entries(conference, sorted(word for word in before - after if is_spelled(word)))
    for start in range(0, len(removed), WORD_BATCH_SIZE):
        words = removed[start : start + WORD_BATCH_SIZE]
        cuts = set().union(*map(shortened, words))
        SearchWord.objects.filter(conference=conference, cut__in=cuts, word__in=words).delete()
    added = (word for word in sorted(after - before) if is_spelled(word))
    rows = [SearchWord(conference=conference, cut=cut, word=word) for word in added for cut in sorted(shortened(word))]
    SearchWord.objects.bulk_create(rows, batch_size=INDEX_BATCH_SIZE, ignore_conflicts=True)


def _without_entries(conference: Conference, words: list[str]) -> list[str]:
    """Return the words that no title and no name has any more."""
    if len(words) <= MAX_WORDS_ASKED:
        return [word for word in words if not is_in_names(conference, word)]
    entries = SearchEntry.objects.filter(conference=conference).values_list("title", "people")
    used = set().union(*(f"{title} {people}".split() for title, people in entries.iterator(5000)))
    return [word for word in words if word not in used]
