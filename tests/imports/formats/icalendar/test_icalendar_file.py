from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import settings

from events.core.parsing.errors import ScheduleParseError, TimeZoneNeededError
from events.imports.formats.document import Document
from events.imports.formats.icalendar import reader as icalendar
from events.programme.data.schedule import EventData, LinkData
from tests.imports.formats.icalendar.calendar_files import GOOD, SMALL, at, calendar, one, parse

DATA = Path(__file__).parents[3] / "data" / "ics"
ZONES = [f"BEGIN:VTIMEZONE\nTZID:{name}\nEND:VTIMEZONE\n" for name in ("Asia/Tokyo", "Europe/Rome")]


@pytest.mark.parametrize(
    ("lines", "start", "end"),
    [
        pytest.param("DTSTART:20220603T120000Z\nDTEND:20220603T130000Z", at(3, 12), at(3, 13), id="UTC"),
        pytest.param(
            "DTSTART;TZID=Europe/London;VALUE=DATE-TIME:20220603T120000\nDTEND;TZID=Europe/London:20220603T130000",
            at(3, 11),
            at(3, 12),
            id="a zone without its VTIMEZONE",
        ),
        pytest.param("DTSTART:20220603T120000\nDURATION:PT90M", at(3, 11), at(3, 12, 30), id="a floating time with a duration"),
        pytest.param("DTSTART;TZID=W. Europe Standard Time:20220603T120000\nDURATION:P1D", at(3, 10), at(4, 10), id="Outlook"),
        pytest.param(
            'DTSTART;TZID="/mozilla.org/20070129_1/Europe/Paris":20220603T120000\nDURATION:PT1H',
            at(3, 10),
            at(3, 11),
            id="Mozilla",
        ),
        pytest.param("DTSTART;TZID=Here:20220603T120000\nDURATION:PT1H", at(3, 10), at(3, 11), id="a name of the file's own"),
        pytest.param("DTSTART:20220603T230000Z\nDTEND:20220604T010000Z", at(3, 23), at(4, 1), id="past midnight"),
        pytest.param("DTSTART:20220603T120000Z", at(3, 12), at(3, 13), id="no end"),
        pytest.param("DTSTART:20220603T120000Z\nDTEND:20220603T120000Z", at(3, 12), at(3, 12, 5), id="no length"),
        pytest.param("dtstart:20220603T120000Z\ndtend:20220603T130000Z", at(3, 12), at(3, 13), id="small letters"),
    ],
)
def test_times_are_instants(lines: str, start: dt.datetime, end: dt.datetime) -> None:
    event = one(SMALL + lines, head="BEGIN:VTIMEZONE\nTZID:Here\nX-LIC-LOCATION:Europe/Paris\nEND:VTIMEZONE\n")

    assert (event.start, event.end) == (start, end)


def test_floating_times_are_in_the_calendar_s_own_zone() -> None:
    event = one(SMALL + "DTSTART:20220603T120000", head="X-WR-TIMEZONE:Asia/Singapore\n")

    assert event.start == at(3, 4)


@pytest.mark.parametrize(
    ("head", "start", "zone"),
    [
        pytest.param("X-WR-TIMEZONE:Asia/Singapore\n", "DTSTART:20220603T120000Z", "Asia/Singapore", id="the calendar's"),
        pytest.param("", "DTSTART;TZID=Europe/Vienna:20220603T120000", "Europe/Vienna", id="most events'"),
        pytest.param(ZONES[:1], "DTSTART:20220603T120000Z", "Asia/Tokyo", id="the only one that is defined"),
        pytest.param(ZONES[:1], "DTSTART;TZID=Europe/Vienna:20220603T120000", "Europe/Vienna", id="events' before that"),
    ],
)
def test_conference_gets_a_zone_where_none_is_known(head: Sequence[str], start: str, zone: str) -> None:
    schedule = parse(calendar(SMALL + start + "\nDURATION:PT1H", head="".join(head)), timezone="")

    assert (schedule.conference.timezone, schedule.warnings) == (zone, ())


@pytest.mark.parametrize("head", [[], ZONES], ids=["none", "several"])
@pytest.mark.parametrize("start", ["DTSTART:20220603T120000Z", "DTSTART:20220603T120000"], ids=["UTC", "floating"])
def test_zone_that_nobody_names_is_asked_for(head: list[str], start: str) -> None:
    with pytest.raises(TimeZoneNeededError, match="names no time zone: say which one the venue is in"):
        parse(calendar(SMALL + start + "\nDURATION:PT1H", head="".join(head)), timezone="")


def test_whole_days_stand_on_their_day_without_an_hour() -> None:
    schedule = parse(
        calendar(
            "UID:1\nSUMMARY:Arrival\nDTSTART;VALUE=DATE:20220602\nDTEND;VALUE=DATE:20220603",
            "UID:2\nSUMMARY:Camp\nDTSTART;VALUE=DATE:20220602\nDTEND;VALUE=DATE:20220606\nDESCRIPTION:Tents.",
            "UID:3\nSUMMARY:Tea\nDTSTART;VALUE=DATE:20220603",
        )
    )

    assert [(event.day, event.start, event.end, event.abstract) for event in schedule.events] == [
        ("2022-06-02", None, None, ""),
        ("2022-06-02", None, None, "From 2022-06-02 to 2022-06-05.\n\nTents."),
        ("2022-06-03", None, None, ""),
    ]
    assert schedule.warnings == (
        "event “Camp”: lasts from 2022-06-02 to 2022-06-05; it is shown on its first day, without a time",
    )


def test_properties_become_what_they_mean() -> None:
    event = one(
        "UID:ae1c2f8e-5a51-4d64-8dd5-6a0c1a7e0c1f\nSUMMARY:Waiting\\, again\\; \\n or not\nDTSTART:20220603T120000Z\n"
        "DTEND:20220603T130000Z\nLOCATION:Hall A\\, upstairs\nCATEGORIES:Workshop,Patience\nSTATUS:TENTATIVE\n"
        "DESCRIPTION:First.\\n\\nSecond <b>bold</b>.\nURL:https://example.org/1\nMETHOD:PUBLISH\n"
        'ATTENDEE;CN="Ada: Bell":mailto:ada@example.org\nORGANIZER:mailto:cy@example.org'
    )

    assert event == EventData(
        key="ae1c2f8e-5a51-4d64-8dd5-6a0c1a7e0c1f",
        guid="ae1c2f8e-5a51-4d64-8dd5-6a0c1a7e0c1f",
        title="Waiting, again; or not",
        type="workshop",
        status="tentative",
        day="2022-06-03",
        start=at(3, 12),
        end=at(3, 13),
        room="hall-a-upstairs",
        track="patience",
        abstract="First.\n\nSecond <b>bold</b>.",
        links=(LinkData(kind="website", url="https://example.org/1"),),
    )


def test_an_address_for_a_location_is_a_link() -> None:
    event = one(SMALL + "DTSTART:20220603T120000Z\nDURATION:PT1H\nLOCATION:https://example.org/stream")

    assert (event.room, event.place) == ("", "")
    assert [link.url for link in event.links] == ["https://example.org/stream"]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        pytest.param("SUMMARY:Coffee break", "break", id="a short title"),
        pytest.param("SUMMARY:How a coffee break changed all of our lives", "talk", id="a long title"),
        pytest.param("SUMMARY:Coffee break\nCATEGORIES:Talk", "talk", id="a category"),
        pytest.param("SUMMARY:x\nCATEGORIES:Patience,Keynotes", "invited-talk", id="the second category"),
    ],
)
def test_kind_follows_from_category_and_short_title(lines: str, kind: str) -> None:
    schedule = parse(calendar(f"UID:1\nDTSTART:20220603T120000Z\nDURATION:PT1H\n{lines}"))

    assert [it.kind for it in schedule.types] == [kind]


def test_additions_of_our_calendars_are_removed() -> None:
    cancelled = one(SMALL.replace("Talk", "Cancelled: Talk") + "STATUS:CANCELLED\nDTSTART:20220603T120000Z\nDURATION:PT1H")
    official = one(
        SMALL.replace("Talk", "Games *") + "CATEGORIES:Social,Official at the venue (*)\nDTSTART:20220603T120000Z\nDURATION:PT1H"
    )

    assert (cancelled.title, cancelled.status) == ("Talk", "cancelled")
    assert (official.title, official.official, official.at_venue, official.track) == ("Games", True, True, "")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        pytest.param("SUMMARY:x", "it has no DTSTART: give it a day", id="no start"),
        pytest.param("SUMMARY:x\nDTSTART:20221345T100000Z", "“20221345T100000Z” is not a date", id="month 13"),
        pytest.param("SUMMARY:x\nDTSTART:99991231T235959Z", "“99991231T235959Z” is not a date", id="year 9999"),
        pytest.param("SUMMARY:x\nDTSTART:soon", "“soon” is not a date", id="no date"),
        pytest.param(
            "SUMMARY:x\nDTSTART;TZID=Mars/Olympus:20220603T100000",
            "“Mars/Olympus” is not a known time zone: export the calendar in UTC",
            id="a zone of another planet",
        ),
        pytest.param(
            "SUMMARY:x\nDTSTART;TZID=../../etc/passwd:20220603T100000",
            "“../../etc/passwd” is not a known time zone: export the calendar in UTC",
            id="a zone that is a path",
        ),
        pytest.param(
            "SUMMARY:x\nDTSTART:20220603T100000Z\nDTEND:20220603T090000Z",
            "it ends before it starts (2022-06-03 10:00 to 2022-06-03 09:00)",
            id="an end before the start",
        ),
        pytest.param(
            "SUMMARY:x\nDTSTART:20220603T100000Z\nDURATION:P9999999999D",
            "“P9999999999D” is not a duration: write one like PT45M",
            id="a duration of ages",
        ),
        pytest.param(
            "SUMMARY:x\nDTSTART:20220603T100000Z\nDURATION:soon",
            "“soon” is not a duration: write one like PT45M",
            id="no duration",
        ),
        pytest.param("DTSTART:20220603T100000Z\nDURATION:PT1H", "it has no title", id="no title"),
        pytest.param("SUMMARY:x\nCLASS:PRIVATE\nDTSTART:20220603T100000Z", "it is private", id="private"),
        pytest.param(
            "SUMMARY:x\nDTSTART:20160805T100000Z\nDURATION:PT1H",
            "it is on 2016-08-05, and the others from 2022-06-03 to 2022-06-03: correct its date",
            id="another year's",
        ),
    ],
)  # fmt: skip
def test_malformed_event_alone_is_skipped(lines: str, reason: str) -> None:
    many = [GOOD.replace("UID:good", f"UID:good-{number}") for number in range(5)]
    schedule = parse(calendar(lines, *many).replace(b"BEGIN:VEVENT", b"X-A:1\r\nX-B:2\r\nX-C:3\r\nX-D:4\r\nBEGIN:VEVENT", 1))

    assert [event.title for event in schedule.events] == ["Good"] * 5
    (told,) = schedule.skipped
    assert told.partition("”: ")[2] == reason


def test_folds_inside_characters_and_charset_parameters_are_read() -> None:
    schedule = parse((DATA / "folds.ics").read_bytes(), timezone="")

    assert [event.title for event in schedule.events] == ["Numérique : enjeux — été", "Réseaux"]
    assert [room.name for room in schedule.rooms] == ["Amphithéâtre 1600"]
    assert schedule.events[0].abstract == "Première ligne,\ndeuxième ligne…"
    assert (schedule.conference.name, schedule.conference.timezone) == ("Journées 2022", "Europe/Paris")


@pytest.mark.parametrize("end", [b"\r", b"\n"], ids=["bare carriage returns", "bare line feeds"])
def test_line_ends_of_any_sort_and_latin_1_are_read(end: bytes) -> None:
    content = calendar(SMALL.replace("Talk", "Caf\xe9") + "DTSTART:20220603T100000Z\nDURATION:PT1H").decode()

    schedule = parse(content.encode("latin-1").replace(b"\r\n", end))

    assert [event.title for event in schedule.events] == ["Café"]
    assert schedule.warnings == ("is not UTF-8; it is read as Latin-1",)


def test_alarms_and_events_inside_events_are_not_events() -> None:
    inner = "BEGIN:VALARM\nUID:a\nTRIGGER:-PT15M\nREPEAT:2147483647\nSUMMARY:Alarm\nEND:VALARM\n"
    nested = "BEGIN:VEVENT\nUID:b\nSUMMARY:Inside\nDTSTART:20220603T100000Z\nEND:VEVENT"

    schedule = parse(calendar(GOOD + "\n" + inner + nested))

    assert [(event.key, event.title) for event in schedule.events] == [("good", "Good")]
    assert schedule.skipped == ("1 “VEVENT inside VEVENT”: not an event of the programme",)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"BEGIN:VCALENDAR\nEND:VCALENDAR", "c.ics: has no event that can be imported", id="nothing in it"),
        pytest.param(calendar(GOOD)[:-40], "c.ics: ends inside a VEVENT: export it again", id="truncated"),
        pytest.param(
            b"BEGIN:VCALENDAR\nEND:VEVENT", "c.ics: “END:VEVENT” is where END:VCALENDAR should", id="crossed"
        ),
        pytest.param(
            b"BEGIN:VEVENT\nEND:VEVENT", "c.ics: “BEGIN:VEVENT” is where BEGIN:VCALENDAR should", id="no calendar"
        ),
        pytest.param(b"hello", "c.ics: has no line BEGIN:VCALENDAR: export it again", id="no calendar at all"),
        pytest.param(
            b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 3000,
            "c.ics: ends inside a VEVENT: export it again",
            id="3,000 nested events",
        ),
        pytest.param(calendar(*[GOOD] * 50_000), "c.ics: has more than 20,000 events: split it, or", id="50,000 events"),
        pytest.param(b"BEGIN:VCALENDAR\nDESCRIPTION:" + b"x" * 21_000_000, "c.ics: is larger than 20 MB", id="a line of 20 MB"),
    ],
)  # fmt: skip
def test_malformed_calendars_are_refused(content: bytes, problem: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        parse(content)

    assert str(caught.value).startswith(problem)


def test_hostile_texts_become_no_links() -> None:
    event = one(
        SMALL + "DTSTART:20220603T120000Z\nDURATION:PT1H\nURL:javascript:alert(1)\nATTACH:file:///etc/passwd\n"
        "LOCATION:javascript:alert(1)\nDESCRIPTION:" + "x" * 300_000
    )

    assert event.links == ()
    assert len(event.abstract) == 100_000


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        pytest.param("a.txt", calendar(GOOD), True, id="by content"),
        pytest.param("a.ics", b"\xef\xbb\xbf\r\nbegin:vcalendar", True, id="small letters after a mark"),
        pytest.param("a.ics", b"<html>", False, id="not by name"),
        pytest.param("a.ics", b"", False, id="empty"),
    ],
)
def test_calendars_are_known_by_their_first_line(name: str, content: bytes, expected: bool) -> None:
    assert icalendar.recognises(Document(name, {name: content})) is expected


@pytest.mark.parametrize(
    ("title", "status", "product", "expected"),
    [
        ("Talk (cancelled)", "CONFIRMED", "-//Google Inc//EN", ("Talk", "cancelled")),
        ("Talk (cancelled)", "CANCELLED", "-//Google Inc//EN", ("Talk", "cancelled")),
        ("CANCELED: Talk", "TENTATIVE", "-//Google Inc//EN", ("Talk", "cancelled")),
        ("Talk (cancelled)", "CONFIRMED", settings.CALENDAR_PRODUCT, ("Talk (cancelled)", "confirmed")),
        ("Cancelled: Talk (cancelled)", "CANCELLED", settings.CALENDAR_PRODUCT, ("Talk (cancelled)", "cancelled")),
    ],
)
def test_title_says_that_an_event_is_cancelled_but_in_our_calendars(
    title: str, status: str, product: str, expected: tuple[str, str]
) -> None:
    lines = f"{SMALL.replace('Talk', title)}STATUS:{status}\nDTSTART:20220603T120000Z\nDURATION:PT1H"

    event = one(lines, head=f"PRODID:{product}\n")

    assert (event.title, event.status) == expected
