"""Updating the search index: what a change touched at once, everything else by comparing all texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from django.db import connection, transaction
from django.db.models import F, Q

from events.core.db.bulk import insert_rows
from events.core.db.writing import analyse_tables, in_slices, update_rows
from events.programme.models.conference import Conference
from events.search.models import SearchEntry, SearchIndex, SearchWord
from events.search.queries.fulltext import is_in_names
from events.search.rules import Difference, Texts, is_spelled, shortened, text_subjects
from events.search.texts import Keys, SearchText, keys_of_events, texts_of, with_related

INDEX_BATCH_SIZE, WORD_BATCH_SIZE = 500, 50
COMPARED_PER_STEP = 200
MAX_TOUCHED_EVENTS = 100
"""A change of more events is left to the comparison."""
MAX_WORDS_ASKED = 100
MAX_COMPARISONS = 3
TEXT_FIELDS = ("facets", "title", "people", "rest")
TITLE, PEOPLE = 1, 2
Key = tuple[str, int]
"""The SearchEntryType and the primary key of a thing."""
TextsByKey = Mapping[Key, SearchText]


def index_events(conference_id: int, events: Collection[int]) -> set[str]:
    """Update the entries that have texts of these events, under the conference's lock: whoever is last reads last.

    Return the subjects of the texts that differ (``rules.text_subjects``).
    """
    differences: list[Difference] = []
    with transaction.atomic():
        conference = _locked(conference_id)
        if conference and events:
            differences = _write(conference, keys_of_events(conference_id, events))
    _clean_pending_list(differences)
    return text_subjects(differences)


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
    # Short texts first: of a broad question they are listed first.
    differing.sort(key=lambda key: (len(texts[key].title + texts[key].people + texts[key].rest) if key in texts else 0, key))
    differences: list[Difference] = []

    def write() -> Iterator[int]:
        for start in range(0, len(differing), COMPARED_PER_STEP):
            some = differing[start : start + COMPARED_PER_STEP]
            conference = _locked(conference_id)
            if conference is None:
                return
            if conference.revision == revision:
                differences.extend(_write(conference, _by_thing(some), {key: texts[key] for key in some if key in texts}))
            else:
                differences.extend(_write(conference, with_related(_by_thing(some))))
            yield len(some)

    for _ in in_slices(write()):
        pass
    with transaction.atomic():
        if conference := _locked(conference_id):
            SearchIndex.objects.update_or_create(conference=conference, defaults={"revision": revision})
    _clean_pending_list(differences)


def _locked(conference_id: int) -> Conference | None:
    return Conference.objects.select_for_update().filter(pk=conference_id).first()


def _by_thing(keys: Iterable[tuple[str, int]]) -> Keys:
    targets: dict[str, set[int]] = defaultdict(set)
    for thing, target in keys:
        targets[thing].add(target)
    return targets


def _write(conference: Conference, keys: Keys, texts: TextsByKey | None = None) -> list[Difference]:
    """Write the entries of these things that differ from their texts. Return their texts before and after."""
    if texts is None:
        texts = {(text.thing, text.target): text for text in texts_of(conference.pk, keys)}
    chosen = [Q(thing=thing, target__in=targets) for thing, targets in keys.items() if targets]
    # Not by conference too: SQLite would read all entries of the conference.
    entries = SearchEntry.objects.filter(Q(*chosen, _connector=Q.OR)) if chosen else SearchEntry.objects.none()
    stored = entries.values_list("pk", "thing", "target", "digest")
    known = {(thing, target): (pk, digest) for pk, thing, target, digest in stored.iterator(5000)}
    changed = {key: text for key, text in texts.items() if known.get(key, (0, ""))[1] != text.digest}
    stale = {key: pk for key, (pk, _) in known.items() if key in changed or key not in texts}
    differences = _replace_entries(conference, stale, changed)
    before, after = ({word for texts in some if texts for word in _named_words(texts)} for some in _sides(differences))
    _replace_words(conference, before, after)
    return differences


def _sides(differences: list[Difference]) -> tuple[list[Texts], list[Texts]]:
    return [before for before, _ in differences], [after for _, after in differences]


def _named_words(texts: Texts) -> list[str]:
    return f"{texts[TITLE]} {texts[PEOPLE]}".split()


def _clean_pending_list(differences: list[Difference]) -> None:
    """After the commit, merge PostgreSQL's pending list into the index: until then each search reads all of the list.

    After many rows the table is analysed too; otherwise the planner reads every text instead of using the index.
    """

    def clean() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT gin_clean_pending_list('search_entry_words')")
        if len(differences) >= INDEX_BATCH_SIZE:
            analyse_tables([SearchEntry, SearchWord])

    if connection.vendor == "postgresql" and differences:
        transaction.on_commit(clean)


def _replace_entries(conference: Conference, stale: Mapping[Key, int], changed: TextsByKey) -> list[Difference]:
    """Return the texts of each entry before and after. An entry keeps its place among the others."""
    before: dict[Key, Texts] = {}
    pks = list(stale.values())
    for start in range(0, len(pks), INDEX_BATCH_SIZE):
        entries = SearchEntry.objects.filter(pk__in=pks[start : start + INDEX_BATCH_SIZE])
        for thing, target, *texts in entries.values_list("thing", "target", *TEXT_FIELDS):
            before[thing, target] = tuple(texts)
        entries.exclude(pk__in=[stale[key] for key in changed if key in stale]).delete()
    written = {
        key: SearchEntry(pk=stale.get(key), conference=conference, digest=text.digest, **text.fields())
        for key, text in changed.items()
    }
    update_rows(SearchEntry, [entry for entry in written.values() if entry.pk], [*TEXT_FIELDS, "digest"])
    # Short texts first: of a broad question they are listed first.
    added = sorted((entry for entry in written.values() if not entry.pk), key=_length)
    insert_rows(SearchEntry, added)
    after = {key: tuple(getattr(entry, name) for name in TEXT_FIELDS) for key, entry in written.items()}
    return [(before.get(key, ()), after.get(key, ())) for key in {**before, **after}]


def _length(entry: SearchEntry) -> tuple[int, str, int]:
    return len(entry.title) + len(entry.people) + len(entry.rest), entry.thing, entry.target


def _replace_words(conference: Conference, before: set[str], after: set[str]) -> None:
    removed = _without_entries(conference, sorted(word for word in before - after if is_spelled(word)))
    for start in range(0, len(removed), WORD_BATCH_SIZE):
        words = removed[start : start + WORD_BATCH_SIZE]
        cuts = set().union(*map(shortened, words))
        SearchWord.objects.filter(conference=conference, cut__in=cuts, word__in=words).delete()
    added = [word for word in sorted(after - before) if is_spelled(word)]
    known = _known_words(conference, added)
    rows = [
        SearchWord(conference=conference, cut=cut, word=word)
        for word in added
        if word not in known
        for cut in sorted(shortened(word))
    ]
    SearchWord.objects.bulk_create(rows, batch_size=INDEX_BATCH_SIZE, ignore_conflicts=True)


def _known_words(conference: Conference, words: Sequence[str]) -> set[str]:
    known: set[str] = set()
    for start in range(0, len(words), INDEX_BATCH_SIZE):
        some = words[start : start + INDEX_BATCH_SIZE]
        rows = SearchWord.objects.filter(conference=conference, cut__in=some, word=F("cut"))
        known.update(rows.values_list("word", flat=True))
    return known


def _without_entries(conference: Conference, words: list[str]) -> list[str]:
    """Return the words that no title and no name has any more."""
    if len(words) <= MAX_WORDS_ASKED:
        return [word for word in words if not is_in_names(conference, word)]
    entries = SearchEntry.objects.filter(conference=conference).values_list("title", "people")
    used = set().union(*(f"{title} {people}".split() for title, people in entries.iterator(5000)))
    return [word for word in words if word not in used]
