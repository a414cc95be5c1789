"""Full-text queries, best match first: FTS5 on SQLite, tsvector on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.search.models import facet

# Weights: a title counts more than a name, a name more than an abstract that repeats a word ten times.
SQLITE_MATCHES_SQL = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    ORDER BY entry.title = %s DESC, bm25(events_searchentry_words, 0, 20, 5, 0.1), entry.thing, entry.target
    LIMIT %s OFFSET %s
"""
SQLITE_COUNTS_SQL = """
    SELECT entry.facets, COUNT(*)
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    GROUP BY entry.facets
"""
POSTGRESQL_MATCHES_SQL = """
    SELECT thing, target
    FROM events_searchentry, CAST(%s AS tsquery) AS question
    WHERE conference_id = %s AND words @@ question AND string_to_array(facets, ' ') @> %s
    ORDER BY title = %s DESC, ts_rank('{0.1, 0.1, 0.5, 1}', words, question) DESC, thing, target
    LIMIT %s OFFSET %s
"""
POSTGRESQL_COUNTS_SQL = """
    SELECT facets, COUNT(*) FROM events_searchentry WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) GROUP BY facets
"""


class SearchMatch(NamedTuple):
    """``thing`` is a SearchEntryType, ``target`` a primary key."""

    thing: str
    target: int


def best_matches(
    conference: Conference, wanted: Sequence[Phrase], labels: Iterable[str], start: int, stop: int
) -> list[SearchMatch]:
    """Return matches ``start`` to ``stop`` with all phrases and all labels; an exact title comes first."""
    if not wanted:
        return []
    title, labels, window = " ".join(map(str, wanted)), sorted(labels), [max(stop - start, 0), start]
    if connection.vendor == "sqlite":
        rows = _fetch_all(SQLITE_MATCHES_SQL, [fts5_query(conference, wanted, labels), title, *window])
    else:
        rows = _fetch_all(POSTGRESQL_MATCHES_SQL, [tsquery(wanted), conference.pk, labels, title, *window])
    return [SearchMatch(*row) for row in rows]


def counts_by_labels(conference: Conference, wanted: Sequence[Phrase]) -> dict[frozenset[str], int]:
    if not wanted:
        return {}
    if connection.vendor == "sqlite":
        rows = _fetch_all(SQLITE_COUNTS_SQL, [fts5_query(conference, wanted, [])])
    else:
        rows = _fetch_all(POSTGRESQL_COUNTS_SQL, [conference.pk, tsquery(wanted)])
    return {frozenset(facets.split()): count for facets, count in rows}


def _fetch_all(sql: str, values: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def fts5_query(conference: Conference, wanted: Sequence[Phrase], labels: Sequence[str]) -> str:
    """Quote without escapes, as phrases and labels have only letters and digits."""
    phrases = " AND ".join(f'"{phrase}"{" *" if phrase.is_prefix else ""}' for phrase in wanted)
    facets = " AND ".join(f'"{label}"' for label in [facet("conference", conference.pk), *labels])
    return f"facets : ({facets}) AND {{title people rest}} : ({phrases})"


def tsquery(wanted: Sequence[Phrase]) -> str:
    return " & ".join(
        "(" + " <-> ".join(f"'{word}'" for word in phrase.words) + (":*" if phrase.is_prefix else "") + ")" for phrase in wanted
    )
