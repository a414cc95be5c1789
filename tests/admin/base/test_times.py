"""Times as organisers write them, and the instants that are meant."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from events.admin.base.times import TimeError, WallTime, parse_event_times, span_text, wall_times

SINGAPORE = ZoneInfo("Asia/Singapore")
VIENNA = ZoneInfo("Europe/Vienna")
THURSDAY = dt.date(2025, 4, 24)
SPRING = dt.date(2025, 3, 30)
AUTUMN = dt.date(2025, 10, 26)


def wall(text: str) -> WallTime:
    clock, _, date = text.partition(" ")
    return WallTime(dt.time.fromisoformat(clock), dt.date.fromisoformat(date) if date else None)


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("day", "start", "end", "expected"),
    [
        pytest.param(THURSDAY, "10:00", "11:00", ("2025-04-24 02:00", "2025-04-24 03:00"), id="on-the-day"),
        pytest.param(THURSDAY, "10:00", None, ("2025-04-24 02:00", "2025-04-24 02:45"), id="usual-length"),
        pytest.param(THURSDAY, "22:00", "01:30", ("2025-04-24 14:00", "2025-04-24 17:30"), id="past-midnight"),
        pytest.param(THURSDAY, "01:30", "03:00", ("2025-04-24 17:30", "2025-04-24 19:00"), id="the-night-after"),
        pytest.param(THURSDAY, "10:00", "18:00 2025-04-26", ("2025-04-24 02:00", "2025-04-26 10:00"), id="three-days"),
        pytest.param(None, "10:00 2025-04-24", "11:00", ("2025-04-24 02:00", "2025-04-24 03:00"), id="date-written-out"),
        pytest.param(THURSDAY, "10:00 2025-04-24", "11:00", ("2025-04-24 02:00", "2025-04-24 03:00"), id="date-and-day-agree"),
    ],
)
def test_read_says_the_instants(day: dt.date | None, start: str, end: str | None, expected: tuple[str, str]) -> None:
    times = parse_event_times(day, wall(start), wall(end) if end else None, zone=SINGAPORE, minutes=45)

    assert (times.start, times.end, times.notes) == (utc(expected[0]), utc(expected[1]), ())


def test_read_takes_no_time_as_to_be_announced() -> None:
    times = parse_event_times(THURSDAY, None, None, zone=SINGAPORE, minutes=45)

    assert (times.start, times.end) == (None, None)


@pytest.mark.parametrize(
    ("day", "start", "end", "field", "sentence"),
    [
        pytest.param(None, "10:00", None, "day", "Choose the day this time belongs to.", id="no-day"),
        pytest.param(THURSDAY, None, "11:00", "start", "Enter a start, or leave the end empty.", id="end-alone"),
        pytest.param(THURSDAY, "10:00", "09:00", "end", "It would end at 09:00, before it starts at 10:00.", id="backwards"),
        pytest.param(THURSDAY, "10:00", "10:00", "end", "It would end at 10:00, before it starts at 10:00.", id="no-length"),
        pytest.param(
            THURSDAY,
            "10:00 2025-04-25",
            None,
            "start",
            "Fri 25 April 2025 is not Thu 24 April 2025: remove the date here, or choose another day.",
            id="another-day",
        ),
        pytest.param(
            SPRING - dt.timedelta(days=1),
            "02:30",
            "03:30",
            "start",
            "02:30 on Sun 30 March 2025 does not exist there: the clocks go forward that night.",
            id="skipped-hour",
        ),
        pytest.param(None, "10:00 0001-01-01", "11:00", "start", "1 is not a year a conference happens in.", id="first-year"),
    ],
)
def test_read_refuses_in_a_sentence(day: dt.date | None, start: str | None, end: str | None, field: str, sentence: str) -> None:
    with pytest.raises(TimeError) as refused:
        parse_event_times(day, wall(start) if start else None, wall(end) if end else None, zone=VIENNA, minutes=60)

    assert (refused.value.field, str(refused.value)) == (field, sentence)


def test_read_takes_the_first_of_two_equal_hours_and_says_so() -> None:
    times = parse_event_times(AUTUMN - dt.timedelta(days=1), wall("02:30"), wall("03:30"), zone=VIENNA, minutes=60)

    assert (times.start, times.end) == (utc("2025-10-26 00:30"), utc("2025-10-26 02:30"))
    assert times.notes == ("02:30 on Sun 26 October 2025 occurs twice, because the clocks go back: the first one is used.",)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        pytest.param("2025-04-24 02:00", "2025-04-24 03:00", ("10:00", "11:00"), id="on-the-day"),
        pytest.param("2025-04-24 14:00", "2025-04-24 17:30", ("22:00", "01:30"), id="past-midnight"),
        pytest.param("2025-04-24 17:30", "2025-04-24 19:00", ("01:30", "03:00"), id="the-night-after"),
        pytest.param("2025-04-24 02:00", "2025-04-26 10:00", ("10:00", "18:00 2025-04-26"), id="three-days"),
        pytest.param("2025-04-25 02:00", "2025-04-25 03:00", ("10:00 2025-04-25", "11:00"), id="not-its-day"),
    ],
)
def test_shown_is_what_read_reads(start: str, end: str, expected: tuple[str, str]) -> None:
    walls = wall_times(utc(start), utc(end), THURSDAY, SINGAPORE)

    assert walls == (wall(expected[0]), wall(expected[1]))


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        pytest.param("2025-04-24 02:00", "2025-04-24 03:00", "10:00–11:00", id="morning"),
        pytest.param("2025-04-24 14:00", "2025-04-24 17:30", "22:00–01:30", id="night"),
        pytest.param("2025-04-24 02:00", "2025-04-26 10:00", "10:00–18:00 (+2 days)", id="three-days"),
    ],
)
def test_span_words_are_the_venues(start: str, end: str, words: str) -> None:
    assert span_text(utc(start), utc(end), SINGAPORE) == words
