"""A zone's offsets as text, and the same wall time under other rules."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from events.schedule.zones import Rules, parse_rules, rules_of, same_hours, same_wall_time
from tests.schedule.builders import VIENNA

FIRST, LAST = dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2027, 1, 1, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def rules(*changes: tuple[str, float]) -> Rules:
    """Offsets in hours, each from when on: ``rules(("2024-01-01", 1), ("2025-03-30T01:00", 2))``."""
    return Rules("Europe/Vienna", tuple((utc(begin), dt.timedelta(hours=hours)) for begin, hours in changes), LAST)


PLAIN = rules(("2024-01-01", 1))
SUMMER = rules(("2024-01-01", 1), ("2025-03-30T01:00", 2), ("2025-10-26T01:00", 1))
FOR_EVER = rules(("2024-01-01", 1), ("2025-03-30T01:00", 2))


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Up to four changes of the clocks, days apart, to offsets as governments choose them."""
    days = draw(st.lists(st.integers(1, 1000), max_size=4, unique=True))
    offsets = st.integers(-14 * 4, 14 * 4).map(lambda quarters: dt.timedelta(minutes=15 * quarters))
    begins = [FIRST, *(FIRST + dt.timedelta(days=day, hours=draw(st.integers(0, 23))) for day in sorted(days))]
    return Rules("Europe/Vienna", tuple((begin, draw(offsets)) for begin in begins), LAST)


instants = st.datetimes(dt.datetime(2024, 2, 1), dt.datetime(2026, 11, 1)).map(lambda it: it.replace(tzinfo=dt.UTC))


def is_plain(wall: dt.datetime, under: Rules) -> bool:
    """Whether clocks show this once."""
    found = [under.instant(wall.replace(fold=fold)) for fold in (0, 1)]
    return found[0] == found[1] and under.wall(found[0]) == wall.replace(fold=0)


def test_rules_are_what_the_zone_says() -> None:
    assert rules_of(VIENNA, utc("2025-01-01"), utc("2025-12-31")).text == (
        "Europe/Vienna\n"
        "2025-01-01T00:00:00+00:00 +3600\n"
        "2025-03-30T01:00:00+00:00 +7200\n"
        "2025-10-26T01:00:00+00:00 +3600\n"
        "2025-12-31T00:00:00+00:00 end"
    )


@given(any_rules())
def test_rules_survive_their_text(known: Rules) -> None:
    assert parse_rules(known.text) == known


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Europe/Vienna", id="no offsets"),
        pytest.param("Europe/Vienna\n2025-01-01T00:00:00+00:00 end", id="only an end"),
        pytest.param("Europe/Vienna\nyesterday +3600\n2025-01-01T00:00:00+00:00 end", id="no date"),
        pytest.param("Europe/Vienna\n2025-01-01T00:00:00+00:00 one\n2026-01-01T00:00:00+00:00 end", id="no number"),
        pytest.param("Europe/Vienna\n2025-01-01T00:00:00+00:00 +86400\n2026-01-01T00:00:00+00:00 end", id="a day ahead"),
        pytest.param("Europe/Vienna\n0001-01-01T00:00:00+14:00 +3600\n2026-01-01T00:00:00+00:00 end", id="before time"),
        pytest.param(
            "Europe/Vienna\n2026-01-01T00:00:00+00:00 +0\n2025-01-01T00:00:00+00:00 +0\n2027-01-01T00:00:00+00:00 end",
            id="out of order",
        ),
    ],
)
def test_text_that_is_no_rules_is_none(text: str) -> None:
    assert parse_rules(text) is None


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    known = parse_rules(text)

    assert known is None or parse_rules(known.text) == known


@pytest.mark.parametrize(
    "name", ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Singapore", "Africa/Casablanca"]
)
@given(wall=st.datetimes(dt.datetime(2024, 2, 1), dt.datetime(2026, 11, 1)), fold=st.sampled_from([0, 1]))
def test_rules_tell_the_same_time_as_the_zone(name: str, wall: dt.datetime, fold: int) -> None:
    zone = ZoneInfo(name)
    known = rules_of(zone, FIRST, LAST)
    there = wall.replace(tzinfo=zone, fold=fold)

    assert known.instant(wall.replace(fold=fold)) == there.astimezone(dt.UTC)
    back = there.astimezone(dt.UTC).astimezone(zone)
    shown = known.wall(there.astimezone(dt.UTC))
    assert (shown, shown.fold) == (back.replace(tzinfo=None), back.fold)


@given(any_rules(), instants)
def test_same_rules_move_nothing(known: Rules, instant: dt.datetime) -> None:
    assert same_wall_time(instant, known, known) == instant


@given(any_rules(), any_rules(), instants)
def test_wall_time_stays_where_the_new_clocks_show_it(old: Rules, new: Rules, instant: dt.datetime) -> None:
    wall = old.wall(instant)
    assume(is_plain(wall, new))

    assert new.wall(same_wall_time(instant, old, new)) == wall.replace(fold=0)


@given(any_rules(), any_rules(), any_rules(), instants)
def test_moved_twice_is_moved_once_to_the_last(a: Rules, b: Rules, c: Rules, instant: dt.datetime) -> None:
    assume(all(is_plain(a.wall(instant), under) for under in (a, b, c)))

    assert same_wall_time(same_wall_time(instant, a, b), b, c) == same_wall_time(instant, a, c)


@given(any_rules(), any_rules(), instants)
def test_way_back_restores(old: Rules, new: Rules, instant: dt.datetime) -> None:
    assume(all(is_plain(old.wall(instant), under) for under in (old, new)))

    assert same_wall_time(same_wall_time(instant, old, new), new, old) == instant


@given(any_rules(), any_rules(), instants, st.timedeltas(dt.timedelta(minutes=1), dt.timedelta(days=3)))
def test_hours_always_end_after_they_start(old: Rules, new: Rules, start: dt.datetime, length: dt.timedelta) -> None:
    begins, ends = same_hours(start, start + length, old, new)

    assert ends is not None
    assert ends > begins


@pytest.mark.parametrize(
    ("instant", "old", "new", "moved"),
    [
        pytest.param("2025-07-01T08:00", SUMMER, PLAIN, "2025-07-01T09:00", id="summer time abolished"),
        pytest.param("2025-12-01T09:00", SUMMER, FOR_EVER, "2025-12-01T08:00", id="summer time for ever"),
        pytest.param("2025-02-01T09:00", SUMMER, FOR_EVER, "2025-02-01T09:00", id="before anything changed"),
        pytest.param("2025-03-30T01:30", PLAIN, SUMMER, "2025-03-30T01:30", id="skipped: read by the offset before"),
        pytest.param("2025-10-26T01:30", PLAIN, SUMMER, "2025-10-26T01:30", id="shown a second time, and still then"),
        pytest.param("2025-10-26T00:30", FOR_EVER, SUMMER, "2025-10-26T00:30", id="shown twice: the first"),
        pytest.param("2025-10-26T01:30", SUMMER, FOR_EVER, "2025-10-26T00:30", id="no longer shown twice"),
        pytest.param("2030-07-01T08:00", SUMMER, PLAIN, "2030-07-01T08:00", id="after what is known"),
        pytest.param("2020-07-01T08:00", SUMMER, PLAIN, "2020-07-01T08:00", id="before what is known"),
    ],
)
def test_same_wall_time(instant: str, old: Rules, new: Rules, moved: str) -> None:
    assert same_wall_time(utc(instant), old, new) == utc(moved)


def test_end_in_a_skipped_hour_keeps_the_length() -> None:
    # 02:30 to 03:00: the clocks skip the start, which becomes 03:30.
    start, end = utc("2025-03-30T01:30"), utc("2025-03-30T02:00")

    assert same_hours(start, end, PLAIN, SUMMER) == (utc("2025-03-30T01:30"), utc("2025-03-30T02:00"))


def test_no_end_stays_none() -> None:
    assert same_hours(utc("2025-07-01T08:00"), None, SUMMER, PLAIN) == (utc("2025-07-01T09:00"), None)


def test_rules_name_how_far_clocks_are_ahead() -> None:
    assert [
        SUMMER.name_at(utc("2025-07-01")),
        rules(("2024-01-01", -3.5)).name_at(FIRST),
        rules(("2024-01-01", 0)).name_at(FIRST),
    ] == [
        "UTC+02:00",
        "UTC-03:30",
        "UTC",
    ]
