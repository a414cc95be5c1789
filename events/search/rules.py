"""Words for filters, and those of a question: near spellings, initials, words that say little, words for places and for days."""

from __future__ import annotations

import calendar
import datetime as dt
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from events.core.words import Phrase, folded_words

MIN_SPELLED_CHARS, MAX_SPELLED_CHARS = 3, 30
MAX_PHRASES_WITH_INITIALS = 3
MIN_MISSED_CHARS, MAX_MISSED_CHARS = 3, 60
COMMON_WORDS = frozenset(
    "a al all am an and are as at be by can do et find for from how i in is it its me my nearest of on or our that the their "
    "there this to via we what when where which who why will with you your".split()
)
CITATION_END = frozenset({"et", "al"})
# What a question says of the result: "papers by", "title:". Dropped before other words if nothing has all of them.
RESULT_WORDS = frozenset("abstract author authors paper papers poster posters talk talks title".split())
# Of a pasted address, or "arXiv:2501.01234v2", what names the paper.
PAPER_ADDRESS_PATTERN = re.compile(
    r"(?:https?://)?(?:[\w-]+\.)?"
    r"(?:openreview\.net/\S*?[?&]id=(?P<forum>[\w-]+)|arxiv(?:\.org/\w+/|[.:]\s*)(?P<number>(?:[a-z-]+/)?\d[\d.]+))\S*",
    re.IGNORECASE,
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
    "first aid, medical, medical room, medic, doctor, nurse, paramedic, ambulance, emergency, aed, defibrillator",
    "pharmacy, chemist, drugstore",
    "registration, badge, badges, badge pick-up, check-in",
    "information desk, info desk, help desk, helpdesk, lost and found, lost property",
    "lift, lifts, elevator, elevators",
    # After the lifts: who looks for a lift wants no accessible toilet.
    "wheelchair, wheelchairs, accessibility, accessible, step-free, stepfree, barrier-free, lift, lifts, elevator, elevators",
    "charging, power, power outlets, sockets",
    "taxi, taxis, cab, taxi stand",
    "parking, car park",
    "cash, cash machine, atm",
    "smoking area, smoking",
)

WEEKDAYS = tuple(name.casefold() for name in calendar.day_name)
MONTHS = tuple(name.casefold() for name in calendar.month_name)
SHORT_NAME_CHARS = 3
"""As in "sun" and "apr"."""
DAY_NUMBER = re.compile(r"(\d\d?)(?:st|nd|rd|th)?[.,]*")
WRITTEN_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d?)-(?P<day>\d\d?)|(\d\d?)\.(\d\d?)\.(\d{4})?")
HOUR = re.compile(r"([01]?\d|2[0-3]):[0-5]\d|(0?[1-9]|1[0-2])(?::[0-5]\d)?([ap])m")
RELATIVE_DAYS = {"today": 0, "tomorrow": 1}
"""Days from the present one."""

MAX_SUBJECT_CHARS = 6
MAX_CHANGED_WORDS = 40
"""A change of more words changes all results."""
SOME_TEXT, ANY_TEXT = "text", "texts"
"""The subject of every change of texts, and that of changes that may change all results."""
MANY_TEXTS = frozenset({SOME_TEXT, ANY_TEXT})

Texts = tuple[str, ...]
"""The facets of an entry, and its texts, folded; () for none."""
Difference = tuple[Texts, Texts]
"""The texts of an entry before and after a change."""


def text_subjects(differences: Iterable[Difference]) -> set[str]:
    """What results may look different after these changes (events.programme.rules.subjects), by the beginnings of words.

    A word that came or went is a subject of its own, and so are two words that are side by side now, or no longer are. Questions
    of one or two other words find all entries as before, and in the same order; longer ones depend on each change of texts.
    """
    differences = list(differences)
    if not differences:
        return set()
    changed, pairs = set[str](), set[tuple[str, str]]()
    for before, after in differences:
        if before and after and before[0] != after[0]:
            return set(MANY_TEXTS)
        changed.update(word for _, word in _places_of_words(before) ^ _places_of_words(after))
        pairs.update((first, second) for _, first, second in _places_of_pairs(before) ^ _places_of_pairs(after))
        if len(changed.union(*pairs)) > MAX_CHANGED_WORDS:
            return set(MANY_TEXTS)
    subjects = {_word_subject(beginning) for word in changed for beginning in _beginnings(word)}
    subjects |= {_pair_subject(first, beginning) for first, second in pairs for beginning in _beginnings(second)}
    return {SOME_TEXT} | subjects


def _beginnings(word: str) -> set[str]:
    return {word[:end] for end in range(1, MAX_SUBJECT_CHARS + 1)}


def _places_of_words(texts: Texts) -> set[tuple[str, str]]:
    """Each word with the parts of an entry that questions look at; and whether the title begins with it, or is this word."""
    columns = [text.split() for text in texts[1:]]
    words = {(part, word) for part, some in _parts(columns) for column in some for word in column}
    title = columns[0] if columns else []
    return words | {("begins", word) for word in title[:1]} | {("is", word) for word in title if len(title) == 1}


def _places_of_pairs(texts: Texts) -> set[tuple[str, str, str]]:
    """The same for each two words side by side. In PostgreSQL's index the last word of a column stands beside the next one."""
    columns, pairs = [text.split() for text in texts[1:]], set[tuple[str, str, str]]()
    for part, some in _parts(columns):
        pairs |= {(part, *pair) for column in some for pair in itertools.pairwise(column)}
        pairs |= {(f"joined {part}", *pair) for pair in itertools.pairwise(itertools.chain(*some))}
    title = columns[0] if columns else []
    begins = set(itertools.pairwise(title[:2]))
    return pairs | {("begins", *pair) for pair in begins} | {("is", *pair) for pair in begins if len(title) == 2}


def _parts(columns: Sequence[list[str]]) -> Iterable[tuple[str, Sequence[list[str]]]]:
    """Title, names (title and people) and all columns, as ``events.search.queries.fulltext`` asks for them."""
    return [(name, columns[:end]) for end, name in enumerate(("title", "names", "all"), 1)]


def question_subjects(phrases: Sequence[Phrase]) -> set[str]:
    """What the results for these phrases are about: entries that have them, or had."""
    words = [word for phrase in phrases for word in (*phrase.words, phrase.joined) if word]
    subjects = {ANY_TEXT, *(_word_subject(word[:MAX_SUBJECT_CHARS]) for word in words)}
    together = [word for phrase in phrases for word in phrase.words]
    if len(together) == 2 and len(set(together)) == 2:
        return subjects | {_pair_subject(together[0], together[1][:MAX_SUBJECT_CHARS])}
    # Three words can be torn apart while each two of them stay together elsewhere.
    return subjects if len(together) < 2 else subjects | {SOME_TEXT}


def _word_subject(beginning: str) -> str:
    return f"word {beginning}"


def _pair_subject(first: str, beginning: str) -> str:
    return f"pair {first[:MAX_SUBJECT_CHARS]} {beginning}"


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
    names = [phrase for phrase in phrases if _is_letter(phrase) or not is_common(phrase)]
    if not 1 < len(names) <= MAX_PHRASES_WITH_INITIALS or all(len(str(phrase)) == 1 for phrase in phrases):
        return list(phrases)
    return [replace(phrase, is_prefix=True) if _is_letter(phrase) else phrase for phrase in phrases]


def is_initial(phrase: Phrase) -> bool:
    return phrase.is_prefix and _is_letter(phrase)


def _is_letter(phrase: Phrase) -> bool:
    text = str(phrase)
    return len(text) == 1 and text.isascii() and text.isalpha()


def is_common(phrase: Phrase) -> bool:
    return str(phrase) in COMMON_WORDS and not phrase.is_quoted


def required_phrases(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return what a match must have: no words that nearly every text has, and no "'s", unless nothing else is asked."""
    telling = [phrase for phrase in phrases if is_initial(phrase) or not is_common(phrase)]
    # What is still being typed may become another word, as in "open we", but "et al" is the end of a citation.
    ends = CITATION_END if set(map(str, phrases)) >= CITATION_END else frozenset()
    unfinished = [phrase for phrase in phrases if phrase.is_prefix and str(phrase) not in ends]
    asked = [phrase for phrase in phrases if phrase in telling or phrase in unfinished] if telling else phrases
    return [_without_possessive(phrase) for phrase in asked]


def _without_possessive(phrase: Phrase) -> Phrase:
    return Phrase(phrase.words[:-1]) if phrase.joined and phrase.words[-1] == "s" else phrase


def says_little(phrase: Phrase) -> bool:
    """Return whether the rest of a question may be what is meant: of a number, a letter, or what results are."""
    text = str(phrase)
    return not phrase.is_quoted and (text.isdigit() or len(text) == 1 or text in RESULT_WORDS or text in COMMON_WORDS)


def given_initials(name: str) -> str:
    """Return the initials of several given names as one word: "jb" for Jean-Baptiste Alayrac."""
    *given, _ = folded_words(name) or [""]
    return "".join(word[0] for word in given) if len(given) > 1 and "".join(given).isascii() else ""


def paper_id(url: str) -> str:
    """Return the id of the paper on OpenReview, or its number on arXiv; "" if the address has neither."""
    match = PAPER_ADDRESS_PATTERN.search(url)
    return (match["forum"] or match["number"]) if match else ""


def without_addresses(question: str) -> str:
    """Replace the address of a paper by the id in it."""
    return PAPER_ADDRESS_PATTERN.sub(lambda match: f' "{paper_id(match[0])}" ', question)


def marked_phrases(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Return what results mark: no stop words beside other words, and of an initial only the letter by itself."""
    telling = [phrase for phrase in phrases if not is_common(phrase)] or phrases
    return [replace(phrase, is_prefix=False) if is_initial(phrase) else phrase for phrase in telling]


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


def may_name_days(question: str) -> bool:
    """Return whether the question has a date, a weekday, or a month and a number."""
    words = question.casefold().split()
    if any(word in RELATIVE_DAYS or WRITTEN_DATE.fullmatch(word) for word in words):
        return True
    months = any(_is_name(word, name, short=True) for word in words for name in MONTHS[1:])
    return any(_is_name(word, name, short=True) for word in words for name in WEEKDAYS) or (
        months and any(map(DAY_NUMBER.fullmatch, words))
    )


def named_hour(question: str) -> tuple[int | None, str]:
    """Return the hour of the first time of day, as "9:30" or "9am", and the question without times."""
    words = question.split()
    found = [match for word in words if (match := HOUR.fullmatch(word.casefold()))]
    if not found:
        return None, question
    hour, half_day_hour, half = found[0].groups()
    number = int(hour) if hour else int(half_day_hour) % 12 + (12 if half == "p" else 0)
    return number, " ".join(word for word in words if not HOUR.fullmatch(word.casefold()))


def named_days(question: str, dates: Sequence[dt.date], today: dt.date) -> tuple[list[dt.date], str]:
    """Return the dates that the question names best, as "sunday", "27 april" or "today", and the question without these words.

    Short names stand for days only where nothing else is asked: "sat" is also a problem of logic.
    """
    words = question.split()
    for short in (True, False):
        best: dict[frozenset[int], list[dt.date]] = {}
        for date in dates:
            if places := _named_at(words, date, today, short=short):
                best.setdefault(places, []).append(date)
        if not best:
            continue
        places = max(best, key=len)
        if not short or len(places) == len(words):
            return best[places], " ".join(word for at, word in enumerate(words) if at not in places)
    return [], question


def _named_at(words: Sequence[str], date: dt.date, today: dt.date, *, short: bool) -> frozenset[int]:
    """Return which words name the date; none without a date, a weekday, or a month and a number."""
    weekdays, months, numbers, whole = set[int](), set[int](), set[int](), set[int]()
    for at, word in enumerate(word.casefold() for word in words):
        number = DAY_NUMBER.fullmatch(word)
        if _is_date(word, date, today):
            whole.add(at)
        elif _is_name(word, WEEKDAYS[date.weekday()], short=short):
            weekdays.add(at)
        elif _is_name(word, MONTHS[date.month], short=short):
            months.add(at)
        elif number and int(number[1]) == date.day:
            numbers.add(at)
    return frozenset(whole | weekdays | months | numbers) if whole or weekdays or (months and numbers) else frozenset()


def _is_date(word: str, date: dt.date, today: dt.date) -> bool:
    if word in RELATIVE_DAYS:
        return date == today + dt.timedelta(days=RELATIVE_DAYS[word])
    match = WRITTEN_DATE.fullmatch(word)
    if not match:
        return False
    year, month, day = match.group("year", "month", "day") if match["year"] else match.group(6, 5, 4)
    return (int(month), int(day)) == (date.month, date.day) and (year is None or int(year) == date.year)


def _is_name(word: str, name: str, *, short: bool) -> bool:
    return word.rstrip(".,") in ((name, name[:SHORT_NAME_CHARS]) if short else (name,))
