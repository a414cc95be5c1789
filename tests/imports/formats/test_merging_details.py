"""What files leave open: links without a scheme, invisible names, an event that is there twice, an hour that the clocks skip."""

from __future__ import annotations

import pytest

from events.core.parsing.cells import with_scheme, without_invisible
from events.core.parsing.values import absolute_url
from tests.imports.formats.bad_files import schedule_json, taken, talk
from tests.imports.formats.schedule_xml.xml_files import event, only, schedule

VEVENT = """BEGIN:VEVENT
UID:1
DTSTART:2025{date}T090000Z
DTEND:2025{date}T100000Z
SUMMARY:Talk
LOCATION:Hall
END:VEVENT
"""
TWICE = "it is there twice, at the same time in the same room"


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("mega.example", "https://mega.example"),
        ("mega.example/a?b=1", "https://mega.example/a?b=1"),
        ("//mega.example/a", "https://mega.example/a"),
        ("www.mega.example", "https://www.mega.example"),
        ("slides.pdf", "https://prog.example/2026/slides.pdf"),
        ("talks/index.html", "https://prog.example/2026/talks/index.html"),
        ("/mega.example", "https://prog.example/mega.example"),
        ("https://mega.example", "https://mega.example"),
    ],
)
def test_link_without_a_scheme_leads_to_its_host(link: str, url: str) -> None:
    assert absolute_url(link, "https://prog.example/2026/") == url


def test_mail_address_is_no_host() -> None:
    assert with_scheme("ada@mega.example") == "ada@mega.example"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("A\u200bda", "Ada", id="inside a name"),
        pytest.param("\u200b\u2060", "", id="nothing else"),
        pytest.param("\u3164\u2800", "", id="blank letters"),
        pytest.param("\u200e \u200f", "", id="marks of direction"),
        pytest.param("a\u200cb", "a\u200cb", id="a joiner that scripts need"),
    ],
)
def test_characters_that_nobody_sees_make_no_name(text: str, shown: str) -> None:
    assert without_invisible(text) == shown


def test_same_event_twice_in_json_is_skipped() -> None:
    data = taken("a.json", schedule_json(talk(), talk(), talk(date="2025-04-24T11:00:00+08:00", start="11:00")))

    assert len(data.events) == 2
    assert [reason.rpartition(": ")[2] for reason in data.skipped] == [TWICE]


def test_same_event_twice_in_a_calendar_is_skipped() -> None:
    listed = "".join(VEVENT.format(date=date) for date in ("0424", "0424", "0425"))
    content = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{listed}END:VCALENDAR\n"

    data = taken("a.ics", content.replace("\n", "\r\n").encode())

    assert len(data.events) == 2
    assert data.skipped == (f"event “Talk”: {TWICE}",)


def test_date_without_an_offset_that_the_clocks_skip_gives_a_warning() -> None:
    data = taken("a.xml", schedule(event(date="2025-03-30T02:30:00", start="02:30"), zone="Europe/Vienna"))

    assert only(data)
    assert any("the clocks at the venue leave out 02:30 on 2025-03-30; 03:30 is used" in each for each in data.warnings)
