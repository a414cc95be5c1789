"""Other spellings of a question that finds nothing or little: words that are one or two letters away."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from events.core.words import Phrase
from events.programme.models.conference import Conference
from events.search.models import SearchWord
from events.search.queries.fulltext import count_matches
from events.search.rules import COMMON_WORDS, edits_between, is_spelled, shortened

MAX_SPELLINGS_PER_WORD, MAX_CORRECTED_WORDS, MAX_TRIED_QUESTIONS = 24, 3, 40
MAX_COUNTED_MATCHES = 200


class NearWord(NamedTuple):
    edits: int
    begins_otherwise: bool
    phrase: Phrase


class Spelling(NamedTuple):
    """A question with other words; the smallest is the most likely."""

    edits: int
    other_beginnings: int
    fewer_matches: int
    phrases: tuple[Phrase, ...]

    @property
    def matches(self) -> int:
        return -self.fewer_matches

    @property
    def text(self) -> str:
        return " ".join(f'"{phrase}"' if len(phrase.words) > 1 else str(phrase) for phrase in self.phrases)


def spellings(conference: Conference, wanted: Sequence[Phrase]) -> list[Spelling]:
    """Return questions that find something, the most likely first. What finds nothing by itself is what is spelled otherwise."""
    wanted = [part for phrase in wanted for part in _parts(conference, phrase)]
    words = _words_by_cut(conference, wanted)
    unknown = [phrase for phrase in wanted if not _is_known(conference, phrase, words)]
    if len(unknown) > MAX_CORRECTED_WORDS:
        return []
    near = {phrase: _near_words(phrase, words) for phrase in unknown or wanted}
    # If each word is in some text, one of them may still be another word than was meant.
    chosen = [unknown] if unknown else [[phrase] for phrase in near]
    questions = [question for phrases in chosen for question in _questions(wanted, phrases, near)]
    found: list[Spelling] = []
    for edits, beginnings, phrases in sorted(questions)[:MAX_TRIED_QUESTIONS]:
        if found and edits > found[0].edits:
            break
        if count := count_matches(conference, phrases, MAX_COUNTED_MATCHES):
            found.append(Spelling(edits, beginnings, -count, phrases))
    return sorted(found)


def _parts(conference: Conference, phrase: Phrase) -> list[Phrase]:
    """Return the words of a phrase that nothing has, as in "jaen-baptiste"."""
    if len(phrase.words) == 1 or count_matches(conference, [phrase], 1):
        return [phrase]
    return [Phrase((word,)) for word in phrase.words]


def _words_by_cut(conference: Conference, phrases: Sequence[Phrase]) -> dict[str, list[str]]:
    cuts = set().union(*(shortened(str(phrase)) for phrase in phrases if is_spelled(str(phrase))))
    words = defaultdict(list)
    for cut, word in SearchWord.objects.near(conference, cuts) if cuts else ():
        words[cut].append(word)
    return words


def _is_known(conference: Conference, phrase: Phrase, words: dict[str, list[str]]) -> bool:
    """Titles and names are asked first, as they have most words."""
    text = str(phrase)
    return text in COMMON_WORDS or text in words.get(text, ()) or count_matches(conference, [phrase], 1) > 0


def _near_words(phrase: Phrase, words: dict[str, list[str]]) -> list[NearWord]:
    text = str(phrase)
    if not is_spelled(text):
        return []
    near = {word for cut in shortened(text) for word in words.get(cut, ()) if word != text}
    return sorted(NearWord(edits_between(text, word), word[0] != text[0], Phrase((word,))) for word in near)[
        :MAX_SPELLINGS_PER_WORD
    ]


def _questions(
    wanted: Sequence[Phrase], changed: Sequence[Phrase], near: dict[Phrase, list[NearWord]]
) -> list[tuple[int, int, tuple[Phrase, ...]]]:
    questions = []
    for others in itertools.product(*(near.get(phrase, []) for phrase in changed)):
        words = dict(zip(changed, (other.phrase for other in others), strict=True))
        phrases = tuple(words.get(phrase, phrase) for phrase in wanted)
        questions.append((sum(it.edits for it in others), sum(it.begins_otherwise for it in others), phrases))
    return questions
