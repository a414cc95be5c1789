"""Headers of other people's tables: which of our columns each probably is."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

_WORDS_OF_COLUMNS = {
    "subtitle": "subtitle sub-title tagline",
    "title": "title name session talk event subject topic paper",
    "name": "name full-name speaker author person room title hall",
    "type": "type kind category format session-type",
    "status": "status state",
    "day": "day date when",
    "start": "start begin begins from starts time start-time time-start hour",
    "end": "end ends until to finish end-time time-end till",
    "room": "room hall location venue where",
    "place": "place location venue address where",
    "zone": "zone building area hall",
    "track": "track stream theme strand",
    "people": "people speaker speakers host hosts presenter presenters chair chairs moderator contact organiser organizer",
    "authors": "authors author",
    "language": "language lang locale",
    "abstract": "abstract description summary details about text",
    "description": "description notes remarks about",
    "bio": "bio biography about",
    "affiliation": "affiliation institution organisation organization company university employer",
    "links": "links link url urls website",
    "url": "url website homepage link web",
    "signup_url": "registration sign-up signup rsvp",
    "capacity": "capacity seats places size participants",
    "cost": "cost price fee",
    "audience": "audience",
    "floor": "floor level storey",
    "recording_url": "recording video",
    "stream_url": "stream livestream",
    "do_not_record": "do-not-record optout opt-out",
    "recording_license": "license licence",
    "logo_url": "logo image picture",
}
"""Words that tables use for our columns, in lower case and with hyphens; the first column that fits counts."""
_PREFERRED = {"location": "place", "venue": "place", "where": "place"}
_MIN_LIKENESS_SHARE = 0.75


class UnknownColumn(NamedTuple):
    """``guess`` is a column that the file does not have yet, "" if none is likely."""

    name: str
    guess: str


def guess_columns(
    names: Iterable[str], known: Collection[str], used: Collection[str], rooms: Collection[str] = ()
) -> list[UnknownColumn]:
    """Guess each unknown header; no column is guessed twice, nor one that the file has. All cells under ``rooms`` name rooms."""
    free = [column for column in known if column not in {*used, "key"}]
    guesses = []
    for name in names:
        guess = _guess(name, free, is_of_rooms=name in rooms)
        free = [column for column in free if column != guess]
        guesses.append(UnknownColumn(name, guess))
    return guesses


def _guess(name: str, free: Collection[str], *, is_of_rooms: bool) -> str:
    word = re.sub(r"[\W_]+", "-", name.casefold()).strip("-")
    preferred = "room" if is_of_rooms and word in _PREFERRED else _PREFERRED.get(word, "")
    if preferred in free:
        return preferred
    for column in free:
        if word in _WORDS_OF_COLUMNS.get(column, "").split():
            return column
    near = difflib.get_close_matches(word.replace("-", "_"), free, n=1, cutoff=_MIN_LIKENESS_SHARE)
    return near[0] if near else ""
