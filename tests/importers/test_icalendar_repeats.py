"""Repetitions of a calendar's entries are written out, as long as they are few."""

from __future__ import annotations

import pytest

from tests.importers.calendar_files import GOOD, SMALL, at, calendar, parse

WEEKLY = SMALL + "DTSTART;TZID=Europe/London:20221024T100000\nDTEND;TZID=Europe/London:20221024T110000\n"


def test_a_few_repetitions_are_written_out_by_the_clocks_of_their_zone() -> None:
    schedule = parse(calendar(WEEKLY + "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;TZID=Europe/London:20221107T100000"))

    # The clocks go back on 30 October.
    assert [(event.key, event.start, event.end) for event in schedule.events] == [
        ("1/20221024T090000Z", at(24, 9, month=10), at(24, 10, month=10)),
        ("1/20221031T100000Z", at(31, 10, month=10), at(31, 11, month=10)),
    ]


def test_a_repetition_with_an_entry_of_its_own_is_that() -> None:
    moved = (
        "UID:1\nSUMMARY:Talk, moved\nRECURRENCE-ID;TZID=Europe/London:20221031T100000\n"
        "DTSTART:20221031T150000Z\nDTEND:20221031T160000Z"
    )

    schedule = parse(calendar(WEEKLY + "RRULE:FREQ=WEEKLY;UNTIL=20221107T235959Z", moved))

    assert [(event.key, event.title, event.start) for event in schedule.events] == [
        ("1/20221024T090000Z", "Talk", at(24, 9, month=10)),
        ("1/20221107T100000Z", "Talk", at(7, 10, month=11)),
        ("1/20221031T100000Z", "Talk, moved", at(31, 15, month=10)),
    ]


def test_days_repeat_and_dates_are_added() -> None:
    schedule = parse(
        calendar(
            "UID:1\nSUMMARY:Tea\nDTSTART;VALUE=DATE:20220602\nRRULE:FREQ=DAILY;COUNT=2",
            "UID:2\nSUMMARY:Tour\nDTSTART:20220602T100000Z\nDURATION:PT1H\nRDATE:20220604T100000Z,20220602T100000Z",
        )
    )

    assert [(event.key, event.day) for event in schedule.events] == [
        ("1/20220602", "2022-06-02"),
        ("1/20220603", "2022-06-03"),
        ("2/20220602T100000Z", "2022-06-02"),
        ("2/20220604T100000Z", "2022-06-04"),
    ]


ODD = "it repeats in a way no programme does (line 7): write its times out"
LONG = "it repeats for longer than a year (line 7): write its times out"


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        pytest.param("FREQ=SECONDLY;COUNT=1000000000", ODD, id="seconds"),
        pytest.param("FREQ=DAILY;COUNT=1000000000", "it takes place more than 100 times (line 7)", id="a billion days"),
        pytest.param("FREQ=DAILY;COUNT=101", "it takes place more than 100 times (line 7)", id="101 days"),
        pytest.param("FREQ=DAILY;COUNT=0", "it takes place more than 100 times (line 7)", id="no days"),
        pytest.param("FREQ=WEEKLY", "it repeats without an end (line 7): give it one", id="no end"),
        pytest.param("FREQ=MONTHLY;UNTIL=20991231", LONG, id="80 years"),
        pytest.param("FREQ=DAILY;UNTIL=20221231", "it takes place more than 100 times", id="200 days"),
        pytest.param(
            "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5",
            "it repeats for longer than a year, or never (line 7): write its times out",
            id="30 February",
        ),
        pytest.param("FREQ=DAILY;COUNT=5;INTERVAL=0", "its rule of repetition (line 7) is none", id="no interval"),
        pytest.param("FREQ=YEARLY;COUNT=3", ODD, id="years"),
        pytest.param("FREQ=DAILY;COUNT=3;BYSETPOS=1", ODD, id="positions in a set"),
        pytest.param("FREQ=NEVER;COUNT=5", "its rule of repetition (line 7) is none", id="an unknown frequency"),
        pytest.param("FREQ=DAILY;COUNT=99999999999999999999", "its rule of repetition (line 7) is none", id="a huge number"),
        pytest.param("nonsense", ODD, id="nonsense"),
        pytest.param("FREQ=WEEKLY;COUNT=5;BYDAY=XX", "its rule of repetition (line 7) is none", id="an unknown weekday"),
        pytest.param(
            "FREQ=DAILY;COUNT=9;BYHOUR=" + ",".join(map(str, range(24))) + ";BYMINUTE=" + ",".join(map(str, range(60))),
            ODD,
            id="a cross product",
        ),
        pytest.param(
            "FREQ=DAILY;COUNT=9;BYMONTHDAY=" + ",".join(["1"] * 100), "its rule of repetition (line 7) is none", id="a long list"
        ),
    ],
)  # fmt: skip
def test_a_bomb_of_repetitions_is_not_lit(rule: str, reason: str) -> None:
    schedule = parse(calendar(f"{SMALL}DTSTART:20220603T100000Z\nRRULE:{rule}\nDURATION:PT1H", GOOD))

    assert [event.title for event in schedule.events] == ["Good"]
    assert schedule.skipped == (f"line 3, “Talk”: {reason}",)
