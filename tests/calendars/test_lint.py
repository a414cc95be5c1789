from __future__ import annotations

import pytest

from tests.calendars.lint import problems

GOOD = """\
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Hallway//EN
NAME:ICLR
X-WR-CALNAME:ICLR
BEGIN:VTIMEZONE
TZID:Asia/Singapore
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0800
TZOFFSETTO:+0800
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1
SEQUENCE:0
STATUS:CONFIRMED
TRANSP:OPAQUE
DTSTART:20250424T010000Z
DTEND:20250424T020000Z
DTSTAMP:20250101T000000Z
CREATED:20250101T000000Z
LAST-MODIFIED:20250101T000000Z
SUMMARY:Erde\\, Mond und Sterne
DESCRIPTION:One\\nTwo
URL:https://hallway.example/
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Soon
TRIGGER:-PT10M
END:VALARM
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n").encode()
FOLDED = b"SUMMARY:" + b"x" * 67


def test_good_calendar_has_no_problems() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param(b"\r\n", b"\n", "a line does not end in CRLF", id="lf"),
        pytest.param(b"SEQUENCE:0\r\n", b"SEQUENCE:0\r", "a line does not end in CRLF", id="cr"),
        pytest.param(b"END:VCALENDAR\r\n", b"END:VCALENDAR", "a line does not end in CRLF", id="last-line"),
        pytest.param(b"BEGIN:VCALENDAR", b"\xef\xbb\xbfBEGIN:VCALENDAR", "byte order mark", id="bom"),
        pytest.param(b"BEGIN:VCALENDAR", b" BEGIN:VCALENDAR", "the first line continues another", id="continues-nothing"),
        pytest.param(b"Erde", b"Erde" * 20, "octets", id="76-octets"),
        pytest.param(b"SUMMARY:Erde", FOLDED + b"\xc3\r\n \xa9", "folded inside a character", id="fold-in-utf-8"),
        pytest.param(b"SUMMARY:Erde\\,", b"SUMMARY:Erde\\\r\n ,", "folded inside an escape", id="fold-in-escape"),
        pytest.param(b"SUMMARY:Erde", "SUMMARY:Erde e\r\n \u0301".encode(), "folded inside a sign", id="fold-before-accent"),
        pytest.param(b"SUMMARY:Erde", "SUMMARY:Erde 👩\u200d\r\n 👧".encode(), "folded inside a sign", id="fold-in-emoji"),
        pytest.param(b"SUMMARY:Erde", b"SUMMARY:\r\n\tErde", "continued by a tab", id="tab"),
        pytest.param(b"SUMMARY:", b"\r\nSUMMARY:", "empty line", id="empty-line"),
        pytest.param(b"Erde", b"Er\x07de", "control character", id="c0"),
        pytest.param(b"Erde", "Er\x9fde".encode(), "control character", id="c1"),
        pytest.param(b"Erde", "Er\u202ede".encode(), "control character", id="bidi"),
        pytest.param(b"Erde", "Er\u2028de".encode(), "control character", id="line-separator"),
        pytest.param(b"Erde", "Er\ufeffde".encode(), "control character", id="bom-inside"),
        pytest.param(b"Erde\\,", b"Erde,", "not escaped", id="comma"),
        pytest.param(b"Erde\\,", b"Erde;", "not escaped", id="semicolon"),
        pytest.param(b"Erde\\,", b"Erde\\x", "not escaped", id="backslash"),
        pytest.param(b"Erde\\,", b"Erde\\N", "not escaped", id="capital-n"),
        pytest.param(b"SUMMARY:Erde\\, Mond und Sterne", b"SUMMARY:", "nothing said", id="empty-value"),
        pytest.param(b"SUMMARY:Erde", b"SUMMARY Erde", "no property", id="no-colon"),
        pytest.param(b"SUMMARY:", b'SUMMARY;X=a"b:', "no property", id="quote-in-parameter"),
        pytest.param(b"URL:https://hallway.example/", b"URL:javascript:alert(1)", "no address", id="scheme"),
        pytest.param(b"URL:https://hallway.example/", b"URL:https://hallway.example/a b", "no address", id="space"),
        pytest.param(b"URL:https://hallway.example/", b"URL:https://hallway.example/\xc3\xa9", "no address", id="letter"),
        pytest.param(b"VERSION:2.0\r\n", b"", "VCALENDAR without VERSION", id="no-version"),
        pytest.param(b"PRODID:-//Hallway//EN\r\n", b"", "VCALENDAR without PRODID", id="no-prodid"),
        pytest.param(b"UID:1\r\n", b"", "VEVENT without UID", id="no-uid"),
        pytest.param(b"DTSTAMP:20250101T000000Z\r\n", b"", "VEVENT without DTSTAMP", id="no-dtstamp"),
        pytest.param(b"DTSTART:20250424T010000Z\r\n", b"", "VEVENT without DTSTART", id="no-dtstart"),
        pytest.param(b"DTEND:20250424T020000Z\r\n", b"", "VEVENT without DTEND", id="no-dtend"),
        pytest.param(b"SUMMARY:Erde\\, Mond und Sterne\r\n", b"", "VEVENT without SUMMARY", id="no-summary"),
        pytest.param(b"STATUS:CONFIRMED\r\n", b"", "VEVENT without STATUS", id="no-status"),
        pytest.param(b"TRIGGER:-PT10M\r\n", b"", "VALARM without TRIGGER", id="no-trigger"),
        pytest.param(b"TZID:Asia/Singapore\r\n", b"", "VTIMEZONE without TZID", id="no-tzid"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nUID:2\r\n", "2 times UID in VEVENT", id="two-uids"),
        pytest.param(b"VERSION:2.0\r\n", b"VERSION:2.0\r\nMETHOD:PUBLISH\r\n", "forbidden: METHOD", id="method"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nORGANIZER:mailto:a@b.example\r\n", "forbidden: ORGANIZER", id="organizer"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nATTENDEE:mailto:a@b.example\r\n", "forbidden: ATTENDEE", id="attendee"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nATTACH:file:///etc/passwd\r\n", "forbidden: ATTACH", id="attach"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nRRULE:FREQ=SECONDLY\r\n", "forbidden: RRULE", id="rrule"),
        pytest.param(b"UID:1\r\n", b"UID:1\r\nDURATION:PT1H\r\n", "forbidden: DURATION", id="end-and-duration"),
        pytest.param(b"TZOFFSETTO", b"RDATE:19700101T000000\r\nTZOFFSETTO", "forbidden: RDATE", id="rdate"),
        pytest.param(b"20250424T010000Z", b"20250424T010000", "times of two kinds", id="floating"),
        pytest.param(b"DTSTART:", b"DTSTART;TZID=GMT:", "times of two kinds", id="tzid"),
        pytest.param(b":20250424T010000Z", b";VALUE=DATE:20250424", "times of two kinds", id="day-and-hour"),
        pytest.param(b"20250424T010000Z", b"20250231T010000Z", "times of two kinds", id="no-such-day"),
        pytest.param(b"20250424T010000Z", b"20250424T020000Z", "ends before it starts", id="no-length"),
        pytest.param(b"20250424T010000Z", b"20250424T030000Z", "ends before it starts", id="backwards"),
        pytest.param(b"DTSTAMP:20250101T000000Z", b"DTSTAMP:20250101T000000", "no moment in UTC", id="stamp-of-no-zone"),
        pytest.param(b"STATUS:CONFIRMED", b"STATUS:MAYBE", "not as it should be", id="status"),
        pytest.param(b"SEQUENCE:0", b"SEQUENCE:-1", "not as it should be", id="sequence"),
        pytest.param(b"TRIGGER:-PT10M", b"TRIGGER:PT10M", "not as it should be", id="alarm-afterwards"),
        pytest.param(b"END:VEVENT\r\n", b"", "END:VCALENDAR in VEVENT", id="no-end"),
        pytest.param(b"END:VCALENDAR\r\n", b"", "VCALENDAR has no end", id="cut-off"),
        pytest.param(b"END:VCALENDAR\r\n", b"END:VCALENDAR\r\nX-A:b\r\n", "nothing else", id="more-after-the-end"),
        pytest.param(b"BEGIN:VALARM", b"BEGIN:VTODO", "VTODO in VEVENT", id="another-component"),
        pytest.param(b"END:VEVENT", b"END:VEVENT\r\nBEGIN:VALARM\r\nEND:VALARM", "VALARM in VCALENDAR", id="alarm-of-nothing"),
    ],
)
def test_fault_is_found(old: bytes, new: bytes, found: str) -> None:
    assert GOOD.count(old)

    assert any(found in problem for problem in problems(GOOD.replace(old, new)))


def test_two_entries_of_one_uid_are_found() -> None:
    entry = GOOD[GOOD.index(b"BEGIN:VEVENT") : GOOD.index(b"END:VCALENDAR")]

    assert problems(GOOD.replace(entry, entry * 2)) == ["2 entries with UID:1"]


def test_calendar_with_nothing_in_it_is_found() -> None:
    start, end = GOOD.index(b"BEGIN:VTIMEZONE"), GOOD.index(b"END:VCALENDAR")

    assert problems(GOOD[:start] + GOOD[end:]) == ["no component"]
