"""Times of schedule.xml events whose date, day and start disagree."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.clock import programme_date
from tests.imports.formats.schedule_xml.xml_files import GUID, event, only, parse, parse_file, schedule, utc


def test_event_far_from_its_day_has_its_own() -> None:
    data = parse_file("merged.xml", timezone="Europe/Berlin")

    assert data.events[-1].day == "2019-11-02"
    assert data.warnings == (
        (
            "line 35, event “Elsewhere in the year” is listed under 2019-12-28 and starts on 2019-11-02: "
            "the date of the start at the venue is used"
        ),
    )


def test_days_written_in_utc_are_those_of_the_events() -> None:
    data = parse_file("wafer_utc_days.xml", timezone="Asia/Kolkata")

    assert [(event.title, event.day) for event in data.events] == [
        ("Opening Ceremony", "2023-09-10"),
        ("Lunch", "2023-09-10"),
        ("Quiz night", "2023-09-10"),
        ("Bits from the DPL", "2023-09-11"),
    ]
    assert [day.key for day in data.days] == ["2023-09-10", "2023-09-11"]
    assert (data.conference.start, data.conference.end) == (dt.date(2023, 9, 10), dt.date(2023, 9, 11))
    assert data.warnings == (
        (
            "4 of the 4 events listed under 2023-09-09 to 2023-09-10 start on another date at the venue, such as 2023-09-10 "
            "instead of 2023-09-09; the dates of the events are used: the file writes its days in another time zone, "
            "or Asia/Kolkata is not that of the venue"
        ),
    )


def test_meals_are_breaks_whatever_type_they_are_filed_under() -> None:
    data = parse_file("wafer_utc_days.xml", timezone="Asia/Kolkata")

    kinds = {kind.key: kind.kind for kind in data.types}
    assert {event.title: kinds[event.type] for event in data.events} == {
        "Opening Ceremony": "talk",
        "Lunch": "break",
        "Quiz night": "social",
        "Bits from the DPL": "talk",
    }


def test_day_without_events_stays() -> None:
    data = parse(schedule(event(start="10:00")).replace(b"</schedule>", b'<day date="2025-04-25"/></schedule>'))

    assert [day.key for day in data.days] == ["2025-04-24", "2025-04-25"]


def test_date_in_utc_and_start_at_the_venue_agree() -> None:
    data = parse_file("wafer.xml", timezone="Africa/Johannesburg")

    assert only(data).start == utc("2025-10-08T07:00")
    assert data.warnings == ()


def test_date_is_used_where_the_start_disagrees() -> None:
    data = parse(schedule(event(date="2025-04-24T09:00:00+08:00", start="10:00"), event(guid=f"{GUID[:-1]}9")))

    assert data.events[0].start == utc("2025-04-24T01:00")
    assert data.warnings == ("line 4, event “Talk”: date and start disagree; the date is used",)


def test_wrong_time_zone_is_suspected_where_most_disagree() -> None:
    other = [event(guid=f"{GUID[:-1]}{number}", date="2025-04-24T09:00:00+02:00") for number in range(3)]

    assert parse(schedule(*other)).warnings == (
        "line 4, event “Talk” and 2 more: date and start disagree; the date is used: is Asia/Singapore the right time zone?",
    )


@pytest.mark.parametrize(
    ("start", "change", "day", "at"),
    [
        pytest.param("03:59", "", "2025-04-24", "2025-04-24T19:59", id="before our own day change"),
        pytest.param("04:00", "", "2025-04-24", "2025-04-23T20:00", id="at our own day change"),
        # The file's day change says at which instant an event starts, ours on which day that is.
        pytest.param("03:59", "00:00:00", "2025-04-23", "2025-04-23T19:59", id="a day that changes at midnight"),
        pytest.param("08:30", "09:00:00", "2025-04-25", "2025-04-25T00:30", id="a day that changes at nine"),
        pytest.param("23:30:00", "", "2025-04-24", "2025-04-24T15:30", id="with seconds"),
    ],
)
def test_time_without_a_date_is_on_its_day_or_the_night_after(start: str, change: str, day: str, at: str) -> None:
    found = only(parse(schedule(event(start=start), conference=f"<day_change>{change}</day_change>")))

    assert (found.start, found.day) == (utc(at), day)


@given(minute=st.integers(0, 24 * 60 - 1), change=st.integers(0, 24 * 60 - 1))
def test_any_time_of_a_day_lies_between_its_change_and_the_next(minute: int, change: int) -> None:
    told = f"<day_change>{change // 60:02}:{change % 60:02}:00</day_change>"

    found = only(parse(schedule(event(start=f"{minute // 60:02}:{minute % 60:02}"), conference=told)))

    begins = dt.datetime(2025, 4, 24, tzinfo=ZoneInfo("Asia/Singapore")) + dt.timedelta(minutes=change)
    assert found.start is not None
    assert begins <= found.start < begins + dt.timedelta(days=1)
    assert found.day == programme_date(found.start, ZoneInfo("Asia/Singapore")).isoformat()


@pytest.mark.parametrize(
    ("start", "at", "warning"),
    [
        pytest.param("02:30", "2025-03-30T01:30", "leave out 02:30 on 2025-03-30; 03:30 is used", id="gap"),
        pytest.param("03:00", "2025-03-30T01:00", "", id="after the gap"),
    ],
)
def test_hour_that_is_left_out_is_reported(start: str, at: str, warning: str) -> None:
    data = parse(schedule(event(start=start), date="2025-03-29", zone="Europe/Vienna"))

    assert only(data).start == utc(at)
    assert data.warnings == ((f"line 4, event “Talk”: the clocks at the venue {warning}",) if warning else ())


def test_hour_that_comes_twice_is_reported() -> None:
    data = parse(schedule(event(start="02:30"), date="2025-10-25", zone="Europe/Vienna"))

    assert only(data).start == utc("2025-10-26T00:30")
    assert data.warnings == ("line 4, event “Talk”: the clocks at the venue show 02:30 twice on 2025-10-26; the first is used",)
