"""Questions with one letter too many, missing, wrong or exchanged with its neighbour, made by chance from names and titles."""

from __future__ import annotations

import random
import string
from typing import NamedTuple

from events.core.words import fold_text, folded_words
from events.models import Conference, Paper, Person

MIN_WORD_CHARS = 4


class Typo(NamedTuple):
    question: str
    wanted: str


def misspelled(word: str, chance: random.Random) -> str:
    at, letter = chance.randrange(len(word)), chance.choice(string.ascii_lowercase)
    other = chance.choice(
        [
            word[:at] + letter + word[at:],
            word[:at] + word[at + 1 :],
            word[:at] + letter + word[at + 1 :],
            word[: max(at - 1, 0)] + word[max(at - 1, 0) : at + 1][::-1] + word[at + 1 :],
        ]
    )
    return misspelled(word, chance) if other == word else other


def typos(conference: Conference, count: int, seed: int = 15) -> list[Typo]:
    """Return as many of names of authors as of titles."""
    chance = random.Random(seed)
    # By chance of the seed alone: neither order nor ids of the database count.
    names = sorted(set(Person.objects.public().filter(conference=conference).values_list("name", flat=True)))
    titles = sorted(set(Paper.objects.public().filter(conference=conference).values_list("title", flat=True)))
    return [
        *(_typo(name, fold_text(name).split(), chance) for name in chance.sample(names, count // 2)),
        *(_typo(title, folded_words(title), chance) for title in chance.sample(titles, count - count // 2)),
    ]


def _typo(wanted: str, words: list[str], chance: random.Random) -> Typo:
    at = chance.choice([index for index, word in enumerate(words) if len(word) >= MIN_WORD_CHARS] or [0])
    return Typo(" ".join([*words[:at], misspelled(words[at], chance), *words[at + 1 :]]), wanted)
