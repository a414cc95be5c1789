"""What a revision and a page are about, as short texts: a page stays while no later revision has a subject of its own.

Both sides are made from the public snapshot of an event: of one that changed, all that may show it; of one that has a page, all
that its page may show. A subject that is shared by chance (two rooms of one name) only renders a page too often.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping

from events.core.spans import utc

MAX_SUBJECT_HOURS = 24
MAX_SUBJECTS = 500
"""A revision about more changes every page: an import, or a session with all its posters."""

FIELDS_OF_EVERY_PAGE = frozenset({"type", "topic", "paper", "people", "day", "within", "language"})
"""Menus, lists of labels, the numbers of talks and the languages on cards depend on these; they seldom change alone."""
HOURLESS_KINDS = frozenset({"service", "poster"})
"""No page lists them as what is on at the same time."""
POSTER_FIELDS = frozenset({"title", "subtitle", "start", "end", "board", "text", "description", "extras"})
"""A change of these alone is seen only where the poster is listed: other pages at most count it.

The grid of a day counts events without an hour, so it shows too that a poster got or lost its hour.
"""
KINDS_OF_OVERVIEW = ("invited-talk", "service")
"""The overview shows those to come, on whatever day."""

Snapshot = Mapping[str, str]


def day_subject(date: dt.date | str) -> str:
    return f"day {date}"


def posters_of_day_subject(date: dt.date | str) -> str:
    """The posters inside sessions of that day, for pages that list some of them."""
    return f"posters of {date}"


def event_subject(guid: object) -> str:
    return f"event {guid}"


def overview_subjects(guids: Iterable[object], days: Iterable[dt.date], now: dt.datetime, until: dt.datetime) -> frozenset[str]:
    """What the overview shows: these events, these days, what is on from now until then, and some kinds on any day."""
    shown = {subject for guid in guids for subject in (event_subject(guid), f"inside {guid}")}
    hours = {f"hour {it:%Y-%m-%dT%H}" for it in _hours(utc(now), utc(min(until, now + dt.timedelta(hours=MAX_SUBJECT_HOURS))))}
    return frozenset(shown | hours | set(map(day_subject, days)) | set(map(_kind_subject, KINDS_OF_OVERVIEW)))


def poll_subjects(guid: object, session: object | None) -> frozenset[str]:
    """What shows that a poll at an event is open: its own page, and what names the talks of its session."""
    return frozenset({event_subject(guid)} | ({f"inside {session}"} if session else set()))


def differing_fields(old: Snapshot, new: Snapshot) -> set[str]:
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def changed_subjects(guid: str, kind: str, old: Snapshot, new: Snapshot, session: Snapshot) -> frozenset[str] | None:
    """What may look different after an event changed; None for every page. ``session`` is the snapshot of its session."""
    fields = differing_fields(old, new)
    if not old or not new or fields & FIELDS_OF_EVERY_PAGE:
        return None
    dates = {it["day"] for it in (new, session) if "day" in it}
    if fields == {"talks"}:
        # Its card elsewhere does not name them; they were recorded themselves.
        return frozenset({f"inside {guid}", *map(day_subject, dates)})
    subjects = {event_subject(guid), *_paper_subject(new)}
    if kind == "poster" and "within" in new and fields <= POSTER_FIELDS and ("start" in old) == ("start" in new):
        return frozenset(subjects | {_posters_of_session_subject(new["within"]), *map(posters_of_day_subject, dates)})
    subjects |= set(map(day_subject, dates))
    if kind in KINDS_OF_OVERVIEW:
        subjects.add(_kind_subject(kind))
    if "within" in new:
        subjects.add(f"inside {new['within']}")
    for snapshot in (old, new):
        if kind != "poster":
            subjects |= _room_subject(snapshot)
        if "within" not in snapshot and kind not in HOURLESS_KINDS:
            hours = _hour_subjects(snapshot)
            if hours is None:
                return None
            subjects |= hours
    return frozenset(subjects)


def event_page_subjects(guid: str, snapshot: Snapshot) -> frozenset[str] | None:
    """What the page of an event shows: itself, its parts, its session, its paper, its neighbours in room and time."""
    hours = _hour_subjects(snapshot) if snapshot else None
    if hours is None:
        return None
    return card_subjects(guid, snapshot) | hours | _room_subject(snapshot) | {_posters_of_session_subject(guid)}


def card_subjects(guid: str, snapshot: Snapshot) -> frozenset[str]:
    """What the card of an event shows: itself, its parts, its session, its paper."""
    own = {event_subject(guid), f"inside {guid}", *_paper_subject(snapshot)}
    return frozenset(own | {event_subject(snapshot["within"])} if "within" in snapshot else own)


def _posters_of_session_subject(guid: str) -> str:
    return f"posters inside {guid}"


def _kind_subject(kind: str) -> str:
    return f"kind {kind}"


def _room_subject(snapshot: Snapshot) -> set[str]:
    return {f"room {_digest(snapshot['room'])} {snapshot.get('day', '')}"} if "room" in snapshot else set()


def _paper_subject(snapshot: Snapshot) -> set[str]:
    return {f"paper {_digest(snapshot['paper'])}"} if "paper" in snapshot else set()


def _hour_subjects(snapshot: Snapshot) -> set[str] | None:
    """Each hour in UTC that it takes part of; None for too many."""
    if "start" not in snapshot or "end" not in snapshot:
        return set()
    start, end = (dt.datetime.fromisoformat(snapshot[name]) for name in ("start", "end"))
    if end - start > dt.timedelta(hours=MAX_SUBJECT_HOURS):
        return None
    return {f"hour {hour:%Y-%m-%dT%H}" for hour in _hours(start, end)}


def _hours(start: dt.datetime, end: dt.datetime) -> Iterator[dt.datetime]:
    hour = start.replace(minute=0, second=0, microsecond=0)
    while hour < end:
        yield hour
        hour += dt.timedelta(hours=1)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
