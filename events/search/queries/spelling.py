"""Other spellings of a question that finds nothing or little: words that are one or two letters away."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.search.models import SearchWord
from events.search.queries.fulltext import count_matches
from events.search.rules import edits_between, is_spelled, shortened

MAX_SPELLINGS_PER_WORD, MAX_CORRECTED_WORDS, MAX_TRIED_QUESTIONS = 8, 3, 24
MAX_COUNTED_MATCHES = 200


class Spelling(NamedTuple):
    """A question with other words; the smallest is the most likely."""

    edits: int
    other_beginnings: int
    fewer_matches: int
    phrases: tuple[Phrase, ...]

    @property
    def count(self) -> int:
        return -self.fewer_matches

    @property
    def text(self) -> str:
        return " ".join(f'"{phrase}"' if len(phrase.words) > 1 else str(phrase) for phrase in self.phrases)


def spellings(conference: Conference, wanted: Sequence[Phrase]) -> list[Spelling]:
    """Return questions that find something, the most likely first. What finds nothing by itself is what is spelled otherwise."""
    unknown = [phrase for phrase in wanted if not count_matches(conference, [phrase], 1)]
    if len(unknown) > MAX_CORRECTED_WORDS:
        return []
    near = _near_words(conference, unknown or wanted)
    # If each word is in some text, one of them may still be another word than was meant.
    chosen = [unknown] if unknown else [[phrase] for phrase in near]
    questions = [question for phrases in chosen for question in _questions(wanted, phrases, near)]
    found = []
    for edits, beginnings, phrases in sorted(questions)[:MAX_TRIED_QUESTIONS]:
        if found and edits > found[0].edits:
            break
        if count := count_matches(conference, phrases, MAX_COUNTED_MATCHES):
            found.append(Spelling(edits, beginnings, -count, phrases))
    return sorted(found)


def _near_words(conference: Conference, phrases: Sequence[Phrase]) -> dict[Phrase, list[tuple[int, bool, Phrase]]]:
    """Return edits, whether the beginning differs, and the other word, for each phrase of one word."""
    cuts = {phrase: shortened(str(phrase)) for phrase in phrases if is_spelled(str(phrase))}
    if not cuts:
        return {}
    rows = SearchWord.objects.near(conference, set().union(*cuts.values()))
    near = {}
    for phrase, shorter in cuts.items():
        words = {word for cut, word in rows if cut in shorter and word != str(phrase)}
        scored = [(edits_between(str(phrase), word), word[0] != str(phrase)[0], Phrase((word,))) for word in words]
        near[phrase] = sorted(scored)[:MAX_SPELLINGS_PER_WORD]
    return near


def _questions(
    wanted: Sequence[Phrase], changed: Sequence[Phrase], near: dict[Phrase, list[tuple[int, bool, Phrase]]]
) -> list[tuple[int, int, tuple[Phrase, ...]]]:
    questions = []
    for others in itertools.product(*(near.get(phrase, []) for phrase in changed)):
        words = dict(zip(changed, (word for *_, word in others), strict=True))
        phrases = tuple(words.get(phrase, phrase) for phrase in wanted)
        questions.append((sum(edits for edits, *_ in others), sum(other for _, other, _ in others), phrases))
    return questions
