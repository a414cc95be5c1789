"""What the database's own search finds: FTS5 on SQLite, tsvector on PostgreSQL, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from events.models import Conference
from events.models.search_texts import facet
from events.words import Phrase

# A title says more than a name, a name more than an abstract that repeats a word ten times.
SQLITE_BEST = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    ORDER BY entry.title = %s DESC, bm25(events_searchentry_words, 0, 20, 5, 0.1), entry.thing, entry.target
    LIMIT %s OFFSET %s
"""
SQLITE_TALLY = """
    SELECT entry.facets, COUNT(*)
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    GROUP BY entry.facets
"""
POSTGRESQL_BEST = """
    SELECT thing, target
    FROM events_searchentry, CAST(%s AS tsquery) AS question
    WHERE conference_id = %s AND words @@ question AND string_to_array(facets, ' ') @> %s
    ORDER BY title = %s DESC, ts_rank('{0.1, 0.1, 0.5, 1}', words, question) DESC, thing, target
    LIMIT %s OFFSET %s
"""
POSTGRESQL_TALLY = """
    SELECT facets, COUNT(*) FROM events_searchentry WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) GROUP BY facets
"""


class Match(NamedTuple):
    """What was found: the kind of thing, and which."""

    thing: str
    target: int


def best(conference: Conference, wanted: Sequence[Phrase], labels: Iterable[str], start: int, stop: int) -> list[Match]:
    """A stretch of what holds all the phrases and carries all the labels; the thing of just this name comes first."""
    if not wanted:
        return []
    title, labels, window = " ".join(map(str, wanted)), sorted(labels), [max(stop - start, 0), start]
    if connection.vendor == "sqlite":
        return [Match(*row) for row in _rows(SQLITE_BEST, [fts5(conference, wanted, labels), title, *window])]
    return [Match(*row) for row in _rows(POSTGRESQL_BEST, [tsquery(wanted), conference.pk, labels, title, *window])]


def tally(conference: Conference, wanted: Sequence[Phrase]) -> dict[frozenset[str], int]:
    """How many hold all the phrases, by the labels they carry."""
    if not wanted:
        return {}
    if connection.vendor == "sqlite":
        rows = _rows(SQLITE_TALLY, [fts5(conference, wanted, [])])
    else:
        rows = _rows(POSTGRESQL_TALLY, [conference.pk, tsquery(wanted)])
    return {frozenset(facets.split()): n for facets, n in rows}


def _rows(sql: str, values: list[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def fts5(conference: Conference, wanted: Sequence[Phrase], labels: Sequence[str]) -> str:
    """Phrases and labels hold letters and digits alone, so quotation marks keep them from being read as anything else."""
    phrases = " AND ".join(f'"{phrase}"{" *" if phrase.open else ""}' for phrase in wanted)
    carried = " AND ".join(f'"{label}"' for label in [facet("conference", conference.pk), *labels])
    return f"facets : ({carried}) AND {{title people rest}} : ({phrases})"


def tsquery(wanted: Sequence[Phrase]) -> str:
    return " & ".join(
        "(" + " <-> ".join(f"'{word}'" for word in phrase.words) + (":*" if phrase.open else "") + ")" for phrase in wanted
    )
