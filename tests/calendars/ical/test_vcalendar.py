from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import icalendar
import pytest
import vobject

from events.calendars.ical import vcalendar
from events.models import Conference
from tests.calendars.lint import problems
from tests.calendars.reading import unfolded


def conference(zone: str, start: dt.date, end: dt.date) -> Conference:
    return Conference(name="ICLR", slug="iclr", timezone=zone, start=start, end=end)


SINGAPORE = conference("Asia/Singapore", dt.date(2025, 4, 24), dt.date(2025, 4, 28))
VIENNA = conference("Europe/Vienna", dt.date(2025, 3, 28), dt.date(2025, 3, 31))


def test_empty_calendar_is_these_bytes() -> None:
    body = vcalendar(SINGAPORE, "ICLR 2025: my agenda", [], url="https://hallway.example/iclr-2025/agenda/")

    assert body.decode().split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Hallway//Hallway 0.1//EN",
        "NAME:ICLR 2025: my agenda",
        "X-WR-CALNAME:ICLR 2025: my agenda",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "URL:https://hallway.example/iclr-2025/agenda/",
        "X-PUBLISHED-TTL:PT1H",
        "BEGIN:VTIMEZONE",
        "TZID:Asia/Singapore",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZNAME:+08",
        "TZOFFSETFROM:+0800",
        "TZOFFSETTO:+0800",
        "END:STANDARD",
        "END:VTIMEZONE",
        "END:VCALENDAR",
        "",
    ]


def test_calendar_says_what_it_is_and_where_it_is_from() -> None:
    body = vcalendar(
        SINGAPORE, "N", [], url="https://x.example/", about="Times, here", source="https://x.example/a.ics?day=1&type=b"
    )

    lines = unfolded(body)

    assert "DESCRIPTION:Times\\, here" in lines
    assert "X-WR-CALDESC:Times\\, here" in lines
    assert "SOURCE;VALUE=URI:https://x.example/a.ics?day=1&type=b" in lines
    assert problems(body) == []


def test_empty_calendar_is_valid_to_both_parsers() -> None:
    body = vcalendar(SINGAPORE, "Empty", [], url="https://hallway.example/")

    by_vobject = vobject.readOne(body.decode())
    by_icalendar = icalendar.Calendar.from_ical(body)

    assert problems(body) == []
    assert [str(part["TZID"]) for part in by_icalendar.subcomponents] == ["Asia/Singapore"]
    assert list(by_vobject.contents)[-2:] == ["x-published-ttl", "vtimezone"]


@pytest.mark.parametrize(
    ("where", "blocks"),
    [
        pytest.param(
            VIENNA,
            [("STANDARD", "19700101T000000", "+0100", "+0100"), ("DAYLIGHT", "20250330T020000", "+0100", "+0200")],
            id="clocks-go-forward",
        ),
        pytest.param(
            conference("America/New_York", dt.date(2025, 11, 1), dt.date(2025, 11, 4)),
            [("DAYLIGHT", "19700101T000000", "-0400", "-0400"), ("STANDARD", "20251102T020000", "-0400", "-0500")],
            id="clocks-go-back",
        ),
        pytest.param(
            conference("Australia/Lord_Howe", dt.date(2025, 4, 5), dt.date(2025, 4, 7)),
            [("DAYLIGHT", "19700101T000000", "+1100", "+1100"), ("STANDARD", "20250406T020000", "+1100", "+1030")],
            id="half-an-hour",
        ),
    ],
)
def test_zone_has_one_block_for_each_change_of_the_clocks(where: Conference, blocks: list[tuple[str, ...]]) -> None:
    body = vcalendar(where, "Zone", [], url="https://hallway.example/")

    lines = unfolded(body)
    begins = [number for number, line in enumerate(lines) if line in {"BEGIN:STANDARD", "BEGIN:DAYLIGHT"}]
    found = [(lines[n][6:], lines[n + 1][8:], lines[n + 3][13:], lines[n + 4][11:]) for n in begins]
    assert found == blocks
    assert problems(body) == []


@pytest.mark.parametrize("hour", [dt.timedelta(hours=hours) for hours in range(-48, 120, 7)])
def test_zone_as_written_tells_the_same_time_as_the_real_one(hour: dt.timedelta) -> None:
    body = vcalendar(VIENNA, "Zone", [], url="https://hallway.example/")
    instant = dt.datetime(2025, 3, 29, tzinfo=dt.UTC) + hour

    rebuilt = vobject.readOne(body.decode()).vtimezone.tzinfo

    assert instant.astimezone(rebuilt).utcoffset() == instant.astimezone(ZoneInfo("Europe/Vienna")).utcoffset()
