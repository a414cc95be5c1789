"""Dates and hours as people and programs write them into cells."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from events.core.parsing import cells

DAY_FIRST, MONTH_FIRST = DATE_ORDERS = ("day-first", "month-first")
MAX_CELL_TIME_CHARS = 120
MAX_CONFERENCE_DAYS = 14
"""Dates that lie further apart in one order of day and month, and not in the other, are in the other order."""

_MONTH_NAMES = (
    "january januar janvier enero gennaio januari janeiro",
    "february februar février fevrier febrero febbraio februari fevereiro",
    "march märz maerz mars marzo maart março marco mrz",
    "april avril abril aprile",
    "may mai mayo maggio mei maio",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august août aout agosto augustus",
    "september septembre septiembre settembre setembro sept",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember décembre decembre diciembre dicembre dezembro",
)
_NAMES_OF_WEEKDAYS = (
    "monday montag lundi lunes lunedì lunedi maandag segunda",
    "tuesday dienstag mardi martes martedì martedi dinsdag terça terca tues",
    "wednesday mittwoch mercredi miércoles miercoles mercoledì mercoledi woensdag quarta",
    "thursday donnerstag jeudi jueves giovedì giovedi donderdag quinta thur thurs",
    "friday freitag vendredi viernes venerdì venerdi vrijdag sexta",
    "saturday samstag sonnabend samedi sábado sabado sabato zaterdag",
    "sunday sonntag dimanche domingo domenica zondag",
)
_NOISE_WORDS = frozenset("at um à from von de of the uhr h hrs hours o'clock clock day tag am den ab".split())
_SERIAL_DAYS = range(20_000, 80_000)
"""Excel's numbers of the days from 1954 to 2119."""
_SERIAL_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - a clock at the venue
END_OF_DAY = re.compile(r"\s*24[:.h]00(?![0-9])")
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::[0-9]{2}(?:\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_ISO_DATE = re.compile(r"(?<![0-9])([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T(?=[0-9])|(?![0-9]))")
_YEAR_FIRST = re.compile(r"(?<![0-9])([0-9]{4})[/.]([0-9]{1,2})[/.]([0-9]{1,2})(?![0-9])\.?")
_NUMERIC_DATE = re.compile(r"(?<![0-9])([0-9]{1,2})([/.-])([0-9]{1,2})\2([0-9]{4}|[0-9]{2})(?![0-9])")
_DAY_MONTH = re.compile(
    r"(?<![0-9])([0-9]{1,2})(?:st|nd|rd|th|\.|º|er)?\s*(?:of\s+|de\s+|-)?([^\W\d_]{3,})\.?(?:\s*,?\s*(?:de\s+|-)?([0-9]{4}))?(?![0-9])"
)
_MONTH_DAY = re.compile(
    r"([^\W\d_]{3,})\.?\s+([0-9]{1,2})(?:st|nd|rd|th)?(?![0-9:.h])(?:\s*,?\s*([0-9]{4})(?![0-9]))?", re.IGNORECASE
)
_HOUR = re.compile(
    r"(?<![0-9:.])(?P<hour>[0-9]{1,2})(?:\s?[:.h]\s?(?P<minute>[0-9]{2})(?::[0-9]{2})?)?(?P<h>\s?h(?![a-z]))?"
    r"\s?(?P<half>[ap]\.?\s?m\b\.?)?(?P<uhr>\s?uhr)?(?![0-9:])",
    re.IGNORECASE,
)
_MILITARY = re.compile(r"([01][0-9]|2[0-3])([0-5][0-9])")
_DASH = re.compile(r"\s*(?:[-–—~]|\b(?:to|until|till|bis|à|a|tot)\b)\s*", re.IGNORECASE)
_WORDS_OF_HOURS = {"noon": "12:00", "midday": "12:00", "midnight": "00:00", "mittag": "12:00", "midi": "12:00"}


@dataclass(frozen=True)
class CellMoment:
    """What a cell says of a time: each part may be missing. ``offset`` is that of an hour with one."""

    date: dt.date | None = None
    start: dt.time | None = None
    end_date: dt.date | None = None
    end: dt.time | None = None
    offset: dt.tzinfo | None = None


@dataclass(frozen=True)
class DateReading:
    """How dates are read: the order of day and month, and the days of the conference, for dates without a year."""

    order: str = ""
    first: dt.date | None = None
    last: dt.date | None = None

    @property
    def days(self) -> list[dt.date]:
        if not self.first or not self.last or not 0 <= (self.last - self.first).days <= MAX_CONFERENCE_DAYS:
            return [self.first] if self.first else []
        return [self.first + dt.timedelta(days=number) for number in range((self.last - self.first).days + 1)]


def parse_moment(text: str, reading: DateReading, *, bare_hours: bool = False) -> CellMoment | None:
    """Read a date, an hour, a range of hours, or all of them; None if a part of the text is left over.

    With ``bare_hours``, as in a column of hours, “9-10” is a range too.

    >>> parse_moment("4/23/2026 9:00 AM - 10:30 AM", DateReading(MONTH_FIRST)).end
    datetime.time(10, 30)
    >>> parse_moment("Thu, 23 April 2026, 9.30", DateReading()).start
    datetime.time(9, 30)
    """
    shown = " ".join(text.split())
    if len(shown) > MAX_CELL_TIME_CHARS:
        return None
    if match := _ISO.fullmatch(shown):
        return _from_iso(match)
    return _from_serial(shown) or _from_words(shown, reading, bare_hours)


def _from_words(text: str, reading: DateReading, bare_hours: bool) -> CellMoment | None:
    for word, hour in _WORDS_OF_HOURS.items():
        text = re.sub(rf"\b{word}\b", hour, text, flags=re.IGNORECASE)
    dates, rest = _take_dates(text, reading)
    hours, rest = _take_hours(rest, bare_hours)
    weekday, rest = _take_weekday(rest)
    if dates is None or hours is None or max(len(dates), len(hours)) > 2 or re.sub(r"[\s,;()|@/.–—~-]+", "", rest):
        return None
    if not dates and weekday is not None:
        dates = _only([day for day in reading.days if day.weekday() == weekday])
    if not (dates or hours) or (weekday is not None and not dates):
        return None
    first, second = ([*dates, None, None][:2], [*hours, None, None][:2])
    return CellMoment(date=first[0], end_date=first[1], start=second[0], end=second[1])


def _only(dates: list[dt.date]) -> list[dt.date]:
    return dates if len(dates) == 1 else []


def _from_serial(text: str) -> CellMoment | None:
    """Read Excel's number of a day, with the part of the day behind the point; a part alone is an hour."""
    if not re.fullmatch(r"[0-9]{0,5}(?:[.,][0-9]{1,15})?", text) or not text:
        return None
    number = float(text.replace(",", ".")) if re.search("[0-9]", text) else -1.0
    if "." in text.replace(",", ".") and 0 <= number < 1 and re.match("0?[.,]", text):
        return CellMoment(start=_rounded(_SERIAL_EPOCH + dt.timedelta(days=number)).time())
    if int(number) not in _SERIAL_DAYS:
        return None
    at = _rounded(_SERIAL_EPOCH + dt.timedelta(days=number))
    return CellMoment(date=at.date(), start=None if number.is_integer() else at.time())


def _rounded(at: dt.datetime) -> dt.datetime:
    """A third of a day is a number that ends a second too early."""
    return (at + dt.timedelta(seconds=30)).replace(second=0, microsecond=0)


def _from_iso(match: re.Match[str]) -> CellMoment | None:
    date = cells.parse_date("-".join(match.groups()[:3]))
    hour = _time(int(match[4]), int(match[5])) if match[4] else None
    if date is None or (match[4] and hour is None):
        return None
    offset = dt.datetime.fromisoformat(match[0]).tzinfo if match[6] else None
    return CellMoment(date=date, start=hour, offset=offset)


def _take_dates(text: str, reading: DateReading) -> tuple[list[dt.date] | None, str]:
    """Return the dates of a text and what is left of it; None for one that cannot be."""
    readers: list[tuple[re.Pattern[str], Callable[[re.Match[str]], dt.date | None]]] = [
        (_ISO_DATE, lambda match: cells.parse_date(match[1])),
        (_YEAR_FIRST, lambda match: _date(int(match[1]), int(match[2]), int(match[3]))),
        (_NUMERIC_DATE, lambda match: _numeric_date(match, reading.order)),
        (_DAY_MONTH, lambda match: _named_date(match[1], match[2], match[3], reading)),
        (_MONTH_DAY, lambda match: _named_date(match[2], match[1], match[3], reading)),
    ]
    found: dict[int, dt.date | None] = {}
    for pattern, read in readers:
        for match in pattern.finditer(text):
            if _is_date(match):
                found[match.start()] = read(match)
                text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    dates = [date for _, date in sorted(found.items(), key=lambda pair: pair[0])]
    return (None if None in dates else [date for date in dates if date]), text


def _is_date(match: re.Match[str]) -> bool:
    """Whether the word beside a number is a month."""
    words = [group for group in match.groups() if group and group.isalpha()]
    return not words or _month(words[0]) > 0


def _numeric_date(match: re.Match[str], order: str) -> dt.date | None:
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    year += 2000 if len(match[4]) == 2 else 0
    if first > 12 or second > 12:
        order = MONTH_FIRST if second > 12 else DAY_FIRST
    elif match[2] == "." and not order:
        order = DAY_FIRST
    if first == second:
        return _date(year, first, second)
    if not order:
        return None
    return _date(year, second, first) if order == DAY_FIRST else _date(year, first, second)


def _named_date(day: str, month: str, year: str | None, reading: DateReading) -> dt.date | None:
    """Return a date; without a year, the only one within the conference, else the nearest to it; None if there is none."""
    if year:
        return _date(int(year), _month(month), int(day))
    first, last = reading.first, reading.last or reading.first
    if not first or not last:
        return None
    dates = [date for number in range(first.year, last.year + 1) if (date := _date(number, _month(month), int(day)))]
    inside = [date for date in dates if first <= date <= last]
    if inside:
        return inside[0] if len(inside) == 1 else None
    return min(dates, key=lambda date: abs((date - first).days), default=None)


def lacks_year(text: str, reading: DateReading) -> bool:
    """Return whether only a year is missing to make the text a date."""
    leap_year = DateReading(reading.order, dt.date(2024, 1, 1), dt.date(2024, 12, 31))
    if len(text) > MAX_CELL_TIME_CHARS or _take_dates(text, reading)[0] is not None:
        return False
    return _take_dates(text, leap_year)[0] is not None


def _date(year: int, month: int, day: int) -> dt.date | None:
    try:
        return dt.date(year, month, day) if year in cells.VALID_YEARS else None
    except ValueError:
        return None


@cache
def _month(word: str) -> int:
    return _number_of(word, _MONTH_NAMES) + 1


@cache
def _weekday(word: str) -> int:
    return _number_of(word, _NAMES_OF_WEEKDAYS)


def _number_of(word: str, names: Sequence[str]) -> int:
    """Return the index of the name that begins like this, in any language; -1 if none or several do."""
    low = word.casefold().rstrip(".")
    exact = {index for index, listed in enumerate(names) if low in listed.split()}
    begun = {
        index for index, listed in enumerate(names) if len(low) >= 2 and any(name.startswith(low) for name in listed.split())
    }
    found = exact or begun
    return found.pop() if len(found) == 1 else -1


def _take_hours(text: str, bare_hours: bool) -> tuple[list[dt.time] | None, str]:
    """Return the hours of a text and what is left of it; None for an hour that cannot be."""
    stripped = text.strip(" ,;()")
    if match := re.fullmatch(rf"{_MILITARY.pattern}(?:{_DASH.pattern}{_MILITARY.pattern})?", stripped):
        numbers = [int(each) for each in re.findall("[0-9]{2}", stripped)]
        return [dt.time(numbers[at], numbers[at + 1]) for at in range(0, len(numbers), 2)], ""
    matches = list(_HOUR.finditer(text))
    # “9 – 10:30 am”: the second says what the first is.
    clocks = [_clock(match) for match in matches]
    if len(matches) == 2 and _DASH.fullmatch(text[matches[0].end() : matches[1].start()]):
        clocks[0] = _clock(matches[0], half=_half(matches[0]) or _inherited_half(matches))
        bare = [_is_bare(match) for match in matches]
        # “9-10” may be anything; “1 pm - 2” is not two in the morning.
        if (bare_hours or not all(bare)) and not (bare[1] and _half(matches[0])):
            clocks = [
                clock or (_time(int(match["hour"]), 0) if _is_bare(match) else None)
                for clock, match in zip(clocks, matches, strict=True)
            ]
    if None in clocks:
        return None, text
    for match in reversed(matches):
        text = f"{text[: match.start()]} {text[match.end() :]}"
    return [clock for clock in clocks if clock], _DASH.sub(" ", text) if len(matches) == 2 else text


def _half(match: re.Match[str]) -> str:
    return (match["half"] or "").lower()[:1]


def _is_bare(match: re.Match[str]) -> bool:
    return not (match["minute"] or match["h"] or match["half"] or match["uhr"])


def _inherited_half(matches: list[re.Match[str]]) -> str:
    half = _half(matches[1])
    first, second = (int(match["hour"]) % 12 for match in matches)
    # “11:00 – 1:00 PM” begins in the morning.
    return ("a" if half == "p" and first > second else half) if half else ""


def _clock(match: re.Match[str], half: str = "") -> dt.time | None:
    half = half or _half(match)
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if not half:
        # A number alone may be anything.
        return None if _is_bare(match) else _time(hour, minute)
    return _time(hour % 12 + 12 * (half == "p"), minute) if 1 <= hour <= 12 else None


def is_end_of_day(text: str) -> bool:
    """Return whether the hour is 24:00, which is read as 00:00 and belongs to the next date."""
    return END_OF_DAY.match(text) is not None


def _time(hour: int, minute: int) -> dt.time | None:
    # 24:00 is the end of a day.
    try:
        return dt.time(0 if (hour, minute) == (24, 0) else hour, minute)
    except ValueError:
        return None


def _take_weekday(text: str) -> tuple[int | None, str]:
    weekday = None
    left = []
    for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?|[0-9]+|[^\w\s]", text):
        number = _weekday(word) if len(word) >= 2 and word.isalpha() else -1
        if number >= 0 and weekday is None and word.casefold() not in {"am", "de"}:
            weekday = number
        elif word.casefold() not in _NOISE_WORDS:
            left.append(word)
    return weekday, " ".join(left)


def date_order(texts: Iterable[str], days: Collection[dt.date]) -> tuple[str, str]:
    """Return the order of day and month in numeric dates, and "", or "" and a date that leaves the order open.

    A number above twelve decides; else the order in which all dates are days of the conference, or lie close together.
    """
    pairs = {
        (int(match[1]), int(match[3]), match[2], match[4]): match[0]
        for text in texts
        for match in _NUMERIC_DATE.finditer(text[:200])
    }
    open_pairs = [pair for pair in pairs if pair[0] <= 12 and pair[1] <= 12 and pair[0] != pair[1]]
    has_day_first, has_month_first = any(pair[0] > 12 for pair in pairs), any(pair[1] > 12 for pair in pairs)
    if not open_pairs:
        return "", ""
    if has_day_first != has_month_first:
        return (DAY_FIRST if has_day_first else MONTH_FIRST), ""
    if all(pair[2] == "." for pair in open_pairs):
        return DAY_FIRST, ""
    read = {order: _dates_in_order(pairs, order) for order in DATE_ORDERS}
    for fits in (lambda dates: bool(dates) and set(dates) <= set(days), _is_one_conference):
        fitting = [order for order, dates in read.items() if fits(dates)]
        if len(fitting) == 1:
            return fitting[0], ""
    return "", pairs[open_pairs[0]]


def _dates_in_order(pairs: Iterable[tuple[int, int, str, str]], order: str) -> list[dt.date]:
    matches = (_NUMERIC_DATE.fullmatch(f"{first}{mark}{second}{mark}{year}") for first, second, mark, year in pairs)
    dates = [_numeric_date(match, order) for match in matches if match]
    return [date for date in dates if date] if None not in dates else []


def _is_one_conference(dates: Sequence[dt.date]) -> bool:
    return bool(dates) and len(dates) > 1 and (max(dates) - min(dates)).days <= MAX_CONFERENCE_DAYS
