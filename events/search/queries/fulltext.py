"""Full-text queries, best match first: FTS5 on SQLite, tsvector on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.search.rules import COMMON_WORDS, facet, is_initial

# A title that is the question, or begins with it; then the words side by side, and titles and names with all words whole.
# After these, a title counts more than a name, and a name more than an abstract that repeats a word ten times.
SQLITE_MATCHES_SQL = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s {first}
    ORDER BY entry.title = %s DESC, entry.title LIKE %s DESC,
        {whole} bm25(events_searchentry_words, 0, 20, 5, 0.1), entry.thing, entry.target
    LIMIT %s OFFSET %s
"""
SQLITE_WHOLE_SQL = "entry.id IN (SELECT rowid FROM events_searchentry_words WHERE events_searchentry_words MATCH %s)"
SQLITE_COUNTS_SQL = """
    SELECT entry.facets, COUNT(*)
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    GROUP BY entry.facets
"""
SQLITE_FOUND_SQL = (
    "SELECT COUNT(*) FROM (SELECT 1 FROM events_searchentry_words WHERE events_searchentry_words MATCH %s LIMIT %s)"
)
SQLITE_PLACES_SQL = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s AND entry.thing IN ('service', 'amenity', 'room')
    ORDER BY entry.thing DESC, entry.target LIMIT %s
"""
POSTGRESQL_MATCHES_SQL = """
    SELECT thing, target
    FROM events_searchentry, CAST(%s AS tsquery) AS question
    WHERE conference_id = %s AND words @@ question AND string_to_array(facets, ' ') @> %s
    ORDER BY title = %s DESC, title LIKE %s DESC,
        {whole} ts_rank('{{0.1, 0.1, 0.5, 1}}', words, question) DESC, thing, target
    LIMIT %s OFFSET %s
"""
POSTGRESQL_WHOLE_SQL = "words @@ CAST(%s AS tsquery) DESC,"
POSTGRESQL_COUNTS_SQL = """
    SELECT facets, COUNT(*) FROM events_searchentry WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) GROUP BY facets
"""
POSTGRESQL_FOUND_SQL = """
    SELECT COUNT(*)
    FROM (SELECT 1 FROM events_searchentry WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) LIMIT %s) AS first
"""
POSTGRESQL_PLACES_SQL = """
    SELECT thing, target FROM events_searchentry
    WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) AND thing IN ('service', 'amenity', 'room')
    ORDER BY thing DESC, target LIMIT %s
"""
ALL_COLUMNS, NAMES, TITLE = "{title people rest}", "{title people}", "title"
# The weights of the columns in PostgreSQL's index.
WEIGHTS = {ALL_COLUMNS: "", NAMES: "AB", TITLE: "A"}
MAX_WORDS_APART = 4


class SearchMatch(NamedTuple):
    """``thing`` is a SearchEntryType, ``target`` a primary key."""

    thing: str
    target: int


def best_matches(
    conference: Conference, wanted: Sequence[Phrase], labels: Iterable[str], start: int, stop: int
) -> list[SearchMatch]:
    """Return matches ``start`` to ``stop`` with all phrases and all labels, best first."""
    if not wanted or start >= stop:
        return []
    asked, labels, whole = _asked(wanted), sorted(labels), _whole(wanted)
    title = " ".join(map(str, wanted))
    ranking = [title, f"{title} %", *whole, stop - start, start]
    if connection.vendor == "sqlite":
        first = _first(conference, wanted, whole, labels, stop)
        order = f"{SQLITE_WHOLE_SQL} DESC, " * len(whole)
        sql = SQLITE_MATCHES_SQL.format(whole=order, first=f"AND {SQLITE_WHOLE_SQL}" if first else "")
        rows = _fetch_all(sql, [fts5_query(conference, asked, labels), *first, *ranking])
    else:
        sql = POSTGRESQL_MATCHES_SQL.format(whole=POSTGRESQL_WHOLE_SQL * len(whole))
        rows = _fetch_all(sql, [tsquery(asked), conference.pk, labels, *ranking])
    return [SearchMatch(*row) for row in rows]


def _first(conference: Conference, wanted: Sequence[Phrase], whole: Sequence[str], labels: Sequence[str], stop: int) -> list[str]:
    """Return what the first ``stop`` matches have; [] if there are fewer with it. SQLite ranks slower than it finds."""
    # A match of an initial may begin with the letter, so words that are whole need not match.
    if not whole or any(map(is_initial, wanted)):
        return []
    first = " OR ".join(whole)
    return [first] if _count(conference, first, labels, stop) == stop else []


def _asked(wanted: Sequence[Phrase]) -> Sequence[Phrase]:
    """Return what a match must have: of a long question not the words that nearly every text has, which take longest."""
    telling = [phrase for phrase in wanted if str(phrase) not in COMMON_WORDS]
    return telling if len(telling) >= MAX_WORDS_APART else wanted


def _whole(wanted: Sequence[Phrase]) -> list[str]:
    """Return conditions that make a match better: words that are side by side, and words that are whole."""
    words = [Phrase(phrase.words) for phrase in wanted if not is_initial(phrase)]
    together = Phrase(tuple(word for phrase in words for word in phrase.words))
    side_by_side = [_condition(ALL_COLUMNS, [together])] if len(words) > 1 else []
    # A longer question is a title or a sentence: there it only counts whether the words are side by side.
    is_short = len(words) <= MAX_WORDS_APART and any(phrase.is_prefix for phrase in wanted)
    return [*side_by_side, _condition(NAMES, words)] if is_short else side_by_side


def _condition(columns: str, phrases: Sequence[Phrase]) -> str:
    return f"({columns} : ({fts5_phrases(phrases)}))" if connection.vendor == "sqlite" else f"({tsquery(phrases, columns)})"


def counts_by_labels(conference: Conference, wanted: Sequence[Phrase]) -> dict[frozenset[str], int]:
    if not wanted:
        return {}
    wanted = _asked(wanted)
    if connection.vendor == "sqlite":
        rows = _fetch_all(SQLITE_COUNTS_SQL, [fts5_query(conference, wanted)])
    else:
        rows = _fetch_all(POSTGRESQL_COUNTS_SQL, [conference.pk, tsquery(wanted)])
    return {frozenset(facets.split()): count for facets, count in rows}


def count_matches(conference: Conference, wanted: Sequence[Phrase], limit: int) -> int:
    """Count no further than ``limit``."""
    wanted = _asked(wanted)
    if connection.vendor == "sqlite":
        return _count(conference, f"{ALL_COLUMNS} : ({fts5_phrases(wanted)})", [], limit)
    return int(_fetch_all(POSTGRESQL_FOUND_SQL, [conference.pk, tsquery(wanted), limit])[0][0])


def is_in_names(conference: Conference, word: str) -> bool:
    """Return whether the title or the people of any entry have this word."""
    phrases = [Phrase((word,))]
    if connection.vendor == "sqlite":
        return _count(conference, f"{NAMES} : ({fts5_phrases(phrases)})", [], 1) > 0
    return bool(_fetch_all(POSTGRESQL_FOUND_SQL, [conference.pk, tsquery(phrases, NAMES), 1])[0][0])


def _count(conference: Conference, question: str, labels: Sequence[str], limit: int) -> int:
    """Count what has the question, in FTS5's syntax, no further than ``limit``."""
    return int(_fetch_all(SQLITE_FOUND_SQL, [f"{_fts5_facets(conference, labels)} AND ({question})", limit])[0][0])


def places_called(conference: Conference, names: Sequence[Phrase], limit: int) -> list[SearchMatch]:
    """Return services, amenities and rooms with any of these names in their title."""
    if connection.vendor == "sqlite":
        question = f"{_fts5_facets(conference)} AND {TITLE} : ({fts5_phrases(names, ' OR ')})"
        rows = _fetch_all(SQLITE_PLACES_SQL, [question, limit])
    else:
        rows = _fetch_all(POSTGRESQL_PLACES_SQL, [conference.pk, tsquery(names, TITLE, " | "), limit])
    return [SearchMatch(*row) for row in rows]


def _fetch_all(sql: str, values: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def fts5_query(conference: Conference, wanted: Sequence[Phrase], labels: Sequence[str] = ()) -> str:
    return f"{_fts5_facets(conference, labels)} AND {ALL_COLUMNS} : ({fts5_phrases(wanted)})"


def _fts5_facets(conference: Conference, labels: Sequence[str] = ()) -> str:
    facets = " AND ".join(f'"{label}"' for label in [facet("conference", conference.pk), *labels])
    return f"facets : ({facets})"


def fts5_phrases(wanted: Sequence[Phrase], operator: str = " AND ") -> str:
    """Quote without escapes, as phrases and labels have only letters and digits."""
    return operator.join(_fts5_phrase(phrase) for phrase in wanted)


def _fts5_phrase(phrase: Phrase) -> str:
    if is_initial(phrase):
        return f'("{phrase}" OR {NAMES} : "{phrase}" *)'
    return f'"{phrase}"{" *" if phrase.is_prefix else ""}'


def tsquery(wanted: Sequence[Phrase], columns: str = ALL_COLUMNS, operator: str = " & ") -> str:
    return operator.join(f"({_tsquery_phrase(phrase, WEIGHTS[columns])})" for phrase in wanted)


def _tsquery_phrase(phrase: Phrase, weights: str) -> str:
    if is_initial(phrase):
        return f"'{phrase}' | '{phrase}':*{WEIGHTS[NAMES]}"
    ends = [weights] * (len(phrase.words) - 1) + [f"{'*' if phrase.is_prefix else ''}{weights}"]
    return " <-> ".join(f"'{word}'" + (f":{end}" if end else "") for word, end in zip(phrase.words, ends, strict=True))
