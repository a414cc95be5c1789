"""Words for filters, and those of a question: near spellings, initials, words that say little, and words for places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from events.core.words import Phrase, folded_words

MIN_SPELLED_CHARS, MAX_SPELLED_CHARS = 3, 30
MAX_PHRASES_WITH_INITIALS = 3
COMMON_WORDS = frozenset(
    "a all am an and are as at be by can do find for from how i in is it its me my nearest of on or our that the their there "
    "this to via we what when where which who why will with you your".split()
)
# One line for each facility: all its names, in the words of visitors and of signs.
FACILITIES = (
    "wifi, wi-fi, wlan, wireless, internet",
    "toilet, toilets, restroom, restrooms, wc, bathroom, bathrooms, washroom, washrooms, lavatory, loo",
    "quiet room, quiet space, quiet area, silent room, sensory room, low-stimulation room",
    "prayer room, prayer, multi-faith room, multifaith room, meditation, reflection room",
    "nursing room, nursing, lactation, lactation room, breastfeeding, mothers' room, parents' room, baby care, family room",
    "childcare, child care, creche, kids' room",
    "water, drinking water, water fountain, water station, water refill",
    "cloakroom, coat check, wardrobe, luggage, luggage room, baggage, bag drop, left luggage, lockers",
    "food, food court, canteen, catering, restaurant, restaurants, cafeteria, lunch, lunch vouchers, snacks",
    "coffee, cafe, espresso",
    "first aid, medical, medic, doctor, nurse, paramedic",
    "pharmacy, chemist, drugstore",
    "registration, badge, badges, badge pick-up, check-in",
    "information desk, info desk, help desk, helpdesk, lost and found, lost property",
    "lift, lifts, elevator, elevators",
    "charging, power, power outlets, sockets",
    "taxi, taxis, cab, taxi stand",
    "parking, car park",
    "cash, cash machine, atm",
    "smoking area, smoking",
)


def facet(name: str, value: object) -> str:
    """Return a word for a filter, such as "kposter" or "d20250424"."""
    return name[0] + "".join(character for character in str(value) if character.isalnum())


def is_spelled(word: str) -> bool:
    """Return whether another spelling of the word can be looked for. A number has none."""
    return MIN_SPELLED_CHARS <= len(word) <= MAX_SPELLED_CHARS and word.isalpha()


def shortened(word: str) -> set[str]:
    """Return the word, and the word without each of its letters. Two words that are one edit apart have one in common."""
    return {word, *(word[:index] + word[index + 1 :] for index in range(len(word)))}


def edits_between(one: str, other: str) -> int:
    """Count letters to insert, delete, replace, or exchange with their neighbour."""
    before, last = [0] * (len(other) + 1), list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, wanted in enumerate(other, 1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != wanted))
            if row > 1 and column > 1 and (letter, one[row - 2]) == (other[column - 2], wanted):
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, last = last, line
    return last[-1]


def with_initials(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Let a single letter beside a name be the beginning of another name, as in "bengio y"."""
    if not 1 < len(phrases) <= MAX_PHRASES_WITH_INITIALS or all(len(str(phrase)) == 1 for phrase in phrases):
        return list(phrases)
    return [Phrase(phrase.words, is_prefix=True) if _is_letter(phrase) else phrase for phrase in phrases]


def is_initial(phrase: Phrase) -> bool:
    return phrase.is_prefix and _is_letter(phrase)


def _is_letter(phrase: Phrase) -> bool:
    text = str(phrase)
    return len(text) == 1 and text.isascii() and text.isalpha()


def marked_phrases(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return what results mark: no stop words beside other words, and of an initial only the letter by itself."""
    telling = [phrase for phrase in phrases if str(phrase) not in COMMON_WORDS] or phrases
    return [Phrase(phrase.words) if is_initial(phrase) else phrase for phrase in telling]


def facility_names(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Return all names of the facility that is asked for; [] if it is none."""
    asked = " ".join(word for phrase in phrases for word in phrase.words if word not in COMMON_WORDS)
    unfinished = len(asked) > MIN_SPELLED_CHARS
    for names in _facilities():
        if asked in names or (unfinished and any(name.startswith(asked) for name in names)):
            return [Phrase(tuple(name.split())) for name in names]
    return []


@cache
def _facilities() -> list[list[str]]:
    return [list(dict.fromkeys(" ".join(folded_words(name)) for name in line.split(","))) for line in FACILITIES]
