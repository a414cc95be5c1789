"""Full-text queries, best match first: FTS5 on SQLite, tsvector on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from django.db import connection

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.programme.models.labels import Kind
from events.search.rules import facet, is_initial, required_phrases

# A title that is the question, or begins with it, sessions before what is in them; then the words side by side, titles and
# names with all words whole, and those with all words as far as they are typed, each with breaks at the end. After these, a
# title counts more than a name, and a name more than an abstract that repeats a word ten times.
SQLITE_MATCHES_SQL = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s AND {within}
    ORDER BY entry.title = %s DESC, entry.title LIKE %s DESC, (entry.title LIKE %s AND {is_session}) DESC,
        {tier} {is_break}, bm25(events_searchentry_words, 0, 20, 5, 0.1), entry.thing, entry.target
    LIMIT %s OFFSET %s
"""
# The plus keeps SQLite from searching once for each row, and compares before the row's entry is read.
SQLITE_WITHIN_SQL = (
    "+events_searchentry_words.rowid IN (SELECT rowid FROM events_searchentry_words WHERE events_searchentry_words MATCH %s)"
)
SQLITE_COUNTS_SQL = """
    SELECT entry.facets, COUNT(*)
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    GROUP BY entry.facets
"""
SQLITE_FIRST_SQL = "SELECT rowid FROM events_searchentry_words WHERE events_searchentry_words MATCH %s ORDER BY rowid LIMIT %s"
SQLITE_BEGINNING_SQL = """
    SELECT events_searchentry_words.rowid
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s
    ORDER BY entry.title = %s DESC, events_searchentry_words.rowid LIMIT %s
"""
SQLITE_FOUND_SQL = (
    "SELECT COUNT(*) FROM (SELECT 1 FROM events_searchentry_words WHERE events_searchentry_words MATCH %s LIMIT %s)"
)
SQLITE_PLACES_SQL = """
    SELECT entry.thing, entry.target
    FROM events_searchentry_words JOIN events_searchentry entry INDEXED BY search_entry_narrow
    ON entry.id = events_searchentry_words.rowid
    WHERE events_searchentry_words MATCH %s AND entry.thing IN ('service', 'amenity', 'room', 'page')
    ORDER BY entry.thing DESC, entry.target LIMIT %s
"""
POSTGRESQL_MATCHES_SQL = """
    SELECT thing, target
    FROM events_searchentry entry, CAST(%s AS tsquery) AS question
    WHERE conference_id = %s AND words @@ question AND string_to_array(facets, ' ') @> %s
    ORDER BY title = %s DESC, title LIKE %s DESC, (title LIKE %s AND {is_session}) DESC,
        {tier} {is_break}, ts_rank('{{0.1, 0.1, 0.5, 1}}', words, question) DESC, thing, target
    LIMIT %s OFFSET %s
"""
POSTGRESQL_WITHIN_SQL = "words @@ CAST(%s AS tsquery)"
# Each common table is planned as if all of it were read, from the index, and read as far as the limit.
POSTGRESQL_COUNTS_SQL = """
    WITH matching AS MATERIALIZED (
        SELECT facets FROM events_searchentry WHERE conference_id = %s AND words @@ CAST(%s AS tsquery)
    )
    SELECT facets, COUNT(*) FROM (SELECT facets FROM matching LIMIT %s) AS first GROUP BY facets
"""
POSTGRESQL_FOUND_SQL = """
    WITH matching AS MATERIALIZED (
        SELECT 1 FROM events_searchentry
        WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) AND string_to_array(facets, ' ') @> %s
    )
    SELECT COUNT(*) FROM (SELECT 1 FROM matching LIMIT %s) AS first
"""
POSTGRESQL_FIRST_SQL = """
    WITH matching AS MATERIALIZED (
        SELECT id, title FROM events_searchentry
        WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) AND string_to_array(facets, ' ') @> %s
    )
    SELECT id FROM matching {order} LIMIT %s
"""
POSTGRESQL_BEGINNING_SQL = "WHERE title = %s OR title LIKE %s ORDER BY title = %s DESC"
POSTGRESQL_PLACES_SQL = """
    SELECT thing, target FROM events_searchentry
    WHERE conference_id = %s AND words @@ CAST(%s AS tsquery) AND thing IN ('service', 'amenity', 'room', 'page')
    ORDER BY thing DESC, target LIMIT %s
"""
ENTRIES_SQL = "SELECT id, thing, target FROM events_searchentry WHERE id IN ({ids})"
IS_SESSION_SQL, IS_BREAK_SQL = (
    f"(' ' || entry.facets || ' ' LIKE '%% {facet('kind', kind)} %%')" for kind in (Kind.SESSION, Kind.BREAK)
)
ALL_COLUMNS, NAMES, TITLE = "{title people rest}", "{title people}", "title"
# The weights of the columns in PostgreSQL's index.
WEIGHTS = {ALL_COLUMNS: "", NAMES: "AB", TITLE: "A"}
MAX_WORDS_APART = 4
MAX_LISTED_MATCHES = 1000
"""A question that finds more is broad: it is counted no further, and what it finds is not ranked by weighing all of it."""


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
    asked, labels = required_phrases(wanted), sorted(labels)
    tiers: Sequence[str] = [_condition(columns, phrases) for columns, phrases in _tiers(wanted)]
    title = " ".join(map(str, wanted))
    if connection.vendor == "sqlite":
        first, tiers = _first(fts5_query(conference, asked, labels), wanted, tiers, stop)
        tier = _tier_sql(SQLITE_WITHIN_SQL, tiers)
        sql = SQLITE_MATCHES_SQL.format(within=SQLITE_WITHIN_SQL, tier=tier, is_session=IS_SESSION_SQL, is_break=IS_BREAK_SQL)
        # Without facets, as bm25 reads every entry that has a word, also of one without weight.
        values: list[Any] = [f"{ALL_COLUMNS} : ({fts5_phrases(asked)})", first]
    else:
        tier = _tier_sql(POSTGRESQL_WITHIN_SQL, tiers)
        sql = POSTGRESQL_MATCHES_SQL.format(tier=tier, is_session=IS_SESSION_SQL, is_break=IS_BREAK_SQL)
        values = [tsquery(asked), conference.pk, labels]
    rows = _fetch_all(sql, [*values, title, f"{title} %", f"{title} %", *tiers, stop - start, start])
    return [SearchMatch(*row) for row in rows]


def first_matches(
    conference: Conference, wanted: Sequence[Phrase], labels: Iterable[str], start: int, stop: int
) -> list[SearchMatch]:
    """Return matches ``start`` to ``stop`` of a broad question: by the best place of its words, then as they are indexed.

    Only as many as are shown are read. To weigh all would take longer the more there are, and would say the less.
    """
    labels, found = sorted(labels), dict.fromkeys(_beginnings(conference, wanted, sorted(labels), stop))
    for columns, phrases in _places(wanted):
        if len(found) >= stop:
            break
        found.update(dict.fromkeys(_first_ids(conference, wanted, (columns, phrases), labels, stop)))
    ids = [*found][start:stop]
    rows = _fetch_all(ENTRIES_SQL.format(ids=", ".join(["%s"] * len(ids))), ids) if ids else []
    matches = {pk: SearchMatch(thing, target) for pk, thing, target in rows}
    return [matches[pk] for pk in ids if pk in matches]


Place: TypeAlias = tuple[str, Sequence[Phrase]]


def _places(wanted: Sequence[Phrase]) -> Iterator[Place]:
    """The tiers of ``best_matches`` from the best on, in each first those with all of the words in the title."""
    for columns, phrases in [*_tiers(wanted), (ALL_COLUMNS, required_phrases(wanted))]:
        yield TITLE, phrases
        yield columns, phrases


def _beginnings(conference: Conference, wanted: Sequence[Phrase], labels: Sequence[str], limit: int) -> list[int]:
    """Return those whose title is the question or begins with it."""
    title = " ".join(map(str, wanted))
    if connection.vendor == "sqlite":
        question = f'{_fts5_facets(conference, labels)} AND {TITLE} : ^"{title}"'
        rows = _fetch_all(SQLITE_BEGINNING_SQL, [question, title, limit])
    else:
        sql = POSTGRESQL_FIRST_SQL.format(order=POSTGRESQL_BEGINNING_SQL)
        rows = _fetch_all(sql, [conference.pk, tsquery([_adjacent(wanted)], TITLE), labels, title, f"{title} %", title, limit])
    return [pk for (pk,) in rows]


def _first_ids(conference: Conference, wanted: Sequence[Phrase], place: Place, labels: Sequence[str], limit: int) -> list[int]:
    columns, phrases = place
    # The words of a place are all that are asked for, but for an initial.
    asked = required_phrases(wanted) if any(map(is_initial, wanted)) else ()
    if connection.vendor == "sqlite":
        question = f"{_fts5_facets(conference, labels)} AND {columns} : ({fts5_phrases(phrases)})"
        question += f" AND {ALL_COLUMNS} : ({fts5_phrases(asked)})" if asked else ""
        rows = _fetch_all(SQLITE_FIRST_SQL, [question, limit])
    else:
        question = " & ".join(filter(None, [tsquery(phrases, columns), tsquery(asked)]))
        rows = _fetch_all(POSTGRESQL_FIRST_SQL.format(order=""), [conference.pk, question, labels, limit])
    return [pk for (pk,) in rows]


def _tier_sql(within: str, tiers: Sequence[str]) -> str:
    """Return a term of ORDER BY: the number of the first tier that an entry is in."""
    return f"CASE {' '.join(f'WHEN {within} THEN {number}' for number in range(len(tiers)))} ELSE 99 END," if tiers else ""


def _first(question: str, wanted: Sequence[Phrase], tiers: Sequence[str], stop: int) -> tuple[str, Sequence[str]]:
    """Narrow the question, in FTS5's syntax, to the tiers that have ``stop`` matches: SQLite ranks slower than it finds.

    With the tiers by which these still differ.
    """
    # A title that begins with the question is in the first tier, but with an initial perhaps in another.
    if any(map(is_initial, wanted)):
        return question, tiers
    for last in range(len(tiers)):
        narrowed = f"{question} AND ({' OR '.join(tiers[: last + 1])})"
        if _count(narrowed, stop) == stop:
            return narrowed, tiers[:last]
    return question, tiers


def _tiers(wanted: Sequence[Phrase]) -> list[Place]:
    """Return where which phrases make a match better than others, the best first."""
    words = [replace(phrase, is_prefix=False) for phrase in wanted if not is_initial(phrase)]
    together = _adjacent(words)
    side_by_side: list[Place] = [(ALL_COLUMNS, [together])] if len(words) > 1 else []
    # A longer question is a title or a sentence: there it only counts whether the words are side by side.
    is_short = len(words) <= MAX_WORDS_APART and any(phrase.is_prefix for phrase in wanted)
    if not is_short:
        return side_by_side
    typed: list[Place] = [] if any(map(is_initial, wanted)) else [(NAMES, wanted)]
    return [*side_by_side, (NAMES, words), *typed]


def _adjacent(phrases: Sequence[Phrase]) -> Phrase:
    return Phrase(tuple(word for phrase in phrases for word in phrase.words), is_quoted=True)


def _condition(columns: str, phrases: Sequence[Phrase]) -> str:
    return f"({columns} : ({fts5_phrases(phrases)}))" if connection.vendor == "sqlite" else f"({tsquery(phrases, columns)})"


def counts_by_labels(conference: Conference, wanted: Sequence[Phrase]) -> dict[frozenset[str], int] | None:
    """Count the matches by their facets; None if there are more than ``MAX_LISTED_MATCHES``."""
    if not wanted:
        return {}
    if connection.vendor == "sqlite":
        if count_matches(conference, wanted, MAX_LISTED_MATCHES + 1) > MAX_LISTED_MATCHES:
            return None
        rows = _fetch_all(SQLITE_COUNTS_SQL, [fts5_query(conference, required_phrases(wanted))])
    else:
        rows = _fetch_all(POSTGRESQL_COUNTS_SQL, [conference.pk, tsquery(required_phrases(wanted)), MAX_LISTED_MATCHES + 1])
        if sum(count for _, count in rows) > MAX_LISTED_MATCHES:
            return None
    return {frozenset(facets.split()): count for facets, count in rows}


def count_matches(conference: Conference, wanted: Sequence[Phrase], limit: int, labels: Iterable[str] = ()) -> int:
    """Count no further than ``limit``."""
    wanted, labels = required_phrases(wanted), sorted(labels)
    if connection.vendor == "sqlite":
        return _count(fts5_query(conference, wanted, labels), limit)
    return int(_fetch_all(POSTGRESQL_FOUND_SQL, [conference.pk, tsquery(wanted), labels, limit])[0][0])


def is_in_names(conference: Conference, word: str) -> bool:
    """Return whether the title or the people of any entry have this word."""
    phrases = [Phrase((word,))]
    if connection.vendor == "sqlite":
        return _count(f"{_fts5_facets(conference)} AND {NAMES} : ({fts5_phrases(phrases)})", 1) > 0
    return bool(_fetch_all(POSTGRESQL_FOUND_SQL, [conference.pk, tsquery(phrases, NAMES), [], 1])[0][0])


def _count(question: str, limit: int) -> int:
    """Count what has the question, in FTS5's syntax, no further than ``limit``."""
    return int(_fetch_all(SQLITE_FOUND_SQL, [question, limit])[0][0])


def places_called(conference: Conference, names: Sequence[Phrase], limit: int) -> list[SearchMatch]:
    """Return services, amenities, rooms and pages with any of these names in their title."""
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
    end = " *" if phrase.is_prefix else ""
    forms = [f'"{form}"{end}' for form in (str(phrase), phrase.joined) if form]
    return forms[0] if len(forms) == 1 else f"({' OR '.join(forms)})"


def tsquery(wanted: Sequence[Phrase], columns: str = ALL_COLUMNS, operator: str = " & ") -> str:
    return operator.join(f"({_tsquery_phrase(phrase, WEIGHTS[columns])})" for phrase in wanted)


def _tsquery_phrase(phrase: Phrase, weights: str) -> str:
    if is_initial(phrase):
        return f"'{phrase}' | '{phrase}':*{WEIGHTS[NAMES]}"
    end = f"{'*' if phrase.is_prefix else ''}{weights}"
    ends = [weights] * (len(phrase.words) - 1) + [end]
    words = " <-> ".join(_lexeme(word, end) for word, end in zip(phrase.words, ends, strict=True))
    return f"({words}) | {_lexeme(phrase.joined, end)}" if phrase.joined else words


def _lexeme(word: str, end: str) -> str:
    return f"'{word}'" + (f":{end}" if end else "")
