"""Repetitions of a calendar's entries are written out, as long as they are few."""

from __future__ import annotations

import pytest

from tests.imports.formats.icalendar.calendar_files import GOOD, SMALL, at, calendar, parse

WEEKLY = SMALL + "DTSTART;TZID=Europe/London:20221024T100000\nDTEND;TZID=Europe/London:20221024T110000\n"


def test_a_few_repetitions_are_written_out_by_the_clocks_of_their_zone() -> None:
    schedule = parse(calendar(WEEKLY + "RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE;TZID=Europe/London:20221107T100000"))

    # The clocks go back on 30 October.
    assert [(event.key, event.start, event.end) for event in schedule.events] == [
        ("1/20221024T090000Z", at(24, 9, month=10), at(24, 10, month=10)),
        ("1/20221031T100000Z", at(31, 10, month=10), at(31, 11, month=10)),
    ]


def test_repetition_with_its_own_entry_is_that_entry() -> None:
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


@pytest.mark.parametrize(
    ("start", "rule", "days"),
    [
        pytest.param("20220603T100000Z", "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=3", ["06-03", "06-06", "06-07"], id="weekdays"),
        pytest.param("20220603T100000Z", "FREQ=DAILY;UNTIL=20220604", ["06-03", "06-04"], id="until a date"),
        pytest.param("20220603T100000", "FREQ=DAILY;UNTIL=20220604T100000", ["06-03", "06-04"], id="until an hour of its zone"),
        pytest.param("20220603", "FREQ=DAILY;UNTIL=20220604T000000Z", ["06-03", "06-04"], id="whole days until an hour"),
        pytest.param(
            "20220607T100000Z",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU;COUNT=3",
            ["06-07", "06-19", "06-21"],
            id="weeks from Sunday",
        ),
        pytest.param("20220624T100000Z", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", ["06-24", "07-29"], id="the last Friday"),
        pytest.param("20220531T100000Z", "FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2", ["05-31", "07-31"], id="the 31st"),
    ],
)  # fmt: skip
def test_rules_of_days_weeks_and_months_are_followed(start: str, rule: str, days: list[str]) -> None:
    schedule = parse(calendar(f"{SMALL}DTSTART:{start}\nRRULE:{rule}"))

    assert [event.day for event in schedule.events] == [f"2022-{day}" for day in days]


ODD = "it repeats in an unusual way: write its times out"
NONE = "its RRULE cannot be read"
LONG = "it repeats for longer than a year: write its times out"


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        pytest.param("FREQ=SECONDLY;COUNT=1000000000", ODD, id="seconds"),
        pytest.param("FREQ=DAILY;COUNT=1000000000", "it takes place more than 100 times", id="a billion days"),
        pytest.param("FREQ=DAILY;COUNT=101", "it takes place more than 100 times", id="101 days"),
        pytest.param("FREQ=DAILY;COUNT=0", "it takes place more than 100 times", id="no days"),
        pytest.param("FREQ=WEEKLY", "it repeats without an end: give it one", id="no end"),
        pytest.param("FREQ=MONTHLY;UNTIL=20991231", LONG, id="80 years"),
        pytest.param("FREQ=DAILY;UNTIL=20221231", "it takes place more than 100 times", id="200 days"),
        pytest.param("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5", ODD, id="30 February"),
        pytest.param("FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=12;COUNT=5", ODD, id="31 June"),
        pytest.param("FREQ=MONTHLY;BYMONTHDAY=32;COUNT=5", NONE, id="day 32"),
        pytest.param("FREQ=MONTHLY;BYDAY=6MO;COUNT=5", NONE, id="a sixth Monday"),
        pytest.param("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=13;COUNT=5", ODD, id="Monday the 13th"),
        pytest.param("FREQ=DAILY;INTERVAL=7;BYDAY=TU;COUNT=5", ODD, id="every seventh day that is another weekday"),
        pytest.param("FREQ=DAILY,WEEKLY;COUNT=5", NONE, id="two frequencies"),
        pytest.param("FREQ=DAILY;UNTIL=PT1H", NONE, id="until an hour"),
        pytest.param("FREQ=WEEKLY;INTERVAL=60;COUNT=2", LONG, id="more than a year later"),
        pytest.param("FREQ=DAILY;COUNT=5;INTERVAL=0", NONE, id="no interval"),
        pytest.param("FREQ=YEARLY;COUNT=3", ODD, id="years"),
        pytest.param("FREQ=DAILY;COUNT=3;BYSETPOS=1", ODD, id="positions in a set"),
        pytest.param("FREQ=NEVER;COUNT=5", NONE, id="an unknown frequency"),
        pytest.param("FREQ=DAILY;COUNT=99999999999999999999", NONE, id="a huge number"),
        pytest.param("nonsense", ODD, id="nonsense"),
        pytest.param("FREQ=WEEKLY;COUNT=5;BYDAY=XX", NONE, id="an unknown weekday"),
        pytest.param(
            "FREQ=DAILY;COUNT=9;BYHOUR=" + ",".join(map(str, range(24))) + ";BYMINUTE=" + ",".join(map(str, range(60))),
            ODD,
            id="a cross product",
        ),
        pytest.param("FREQ=DAILY;COUNT=9;BYMONTHDAY=" + ",".join(["1"] * 100), ODD, id="a long list"),
    ],
)  # fmt: skip
def test_huge_repetition_rule_is_not_expanded(rule: str, reason: str) -> None:
    schedule = parse(calendar(f"{SMALL}DTSTART:20220603T100000Z\nRRULE:{rule}\nDURATION:PT1H", GOOD))

    assert [event.title for event in schedule.events] == ["Good"]
    assert schedule.skipped == (f"event “Talk”: {reason}",)
