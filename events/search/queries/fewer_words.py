"""What is shown for a question that finds nothing with all of its words: what the others find, or each word as a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.search.queries.fulltext import count_matches
from events.search.queries.spelling import spellings
from events.search.rules import is_common, required_phrases, says_little

MAX_SPELLED_PHRASES = 3


class FewerWords(NamedTuple):
    # What finds something together; empty if nothing does.
    phrases: list[Phrase]
    # The others, as they are shown.
    without: list[str]
    # Of several phrases each that finds something, and near spellings of the others.
    known: list[str]
    near: list[str]


NO_FEWER_WORDS = FewerWords([], [], [], [])


def fewer_words(conference: Conference, wanted: Sequence[Phrase]) -> FewerWords:
    required = required_phrases(wanted)
    if len(required) < 2:
        return NO_FEWER_WORDS
    known = [phrase for phrase in required if count_matches(conference, [phrase], 1)]
    phrases = _together(conference, required, known)
    unknown = [phrase for phrase in required if phrase not in known]
    near = [spellings(conference, [phrase]) for phrase in unknown] if len(unknown) <= MAX_SPELLED_PHRASES else []
    return FewerWords(
        phrases=phrases,
        without=[str(phrase) for phrase in required if phrase not in phrases] if phrases else [],
        known=[str(phrase) for phrase in known if not is_common(phrase)],
        near=[found[0].text for found in near if found and not is_common(found[0].phrases[0])],
    )


def _together(conference: Conference, required: Sequence[Phrase], known: list[Phrase]) -> list[Phrase]:
    """Leave out what finds nothing by itself; if the rest still finds nothing together, also what says little."""
    telling = [phrase for phrase in known if not says_little(phrase)]
    for phrases in (known, telling):
        if phrases and len(phrases) < len(required) and count_matches(conference, phrases, 1):
            return phrases
    return []
