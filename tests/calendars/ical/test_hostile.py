from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.calendars.ical import vcalendar
from events.calendars.vevent import vevent
from events.models import Conference, Event
from tests.calendars.reading import names_in, read, unfolded
from tests.calendars.writing import SITE
from tests.factories import make_conference, make_event
from tests.security import strings

pytestmark = pytest.mark.django_db


HOSTILE = [
    pytest.param("x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:y", id="ends-the-entry"),
    pytest.param("x\nATTACH:file:///etc/passwd", id="adds-a-property"),
    pytest.param("x\x00\x07\x1b\x0b\x7f\x9f y", id="control-characters"),
    pytest.param("x\u2028y\u2029z\x85!", id="odd-newlines"),
    pytest.param("\ufeffx \u202egpj.exe\u202c", id="marks-and-overrides"),
    pytest.param("a,b;c\\d\\n:\"^n^'", id="everything-escaped"),
    pytest.param("\\" * 200, id="backslashes"),
    pytest.param("語" * 120, id="three-octets-a-letter"),
    pytest.param("👩‍👩‍👧" * 30, id="joined-emoji"),
    pytest.param("e" + "\u0301" * 119, id="accents"),
    pytest.param(" " * 100, id="spaces-only"),
    pytest.param("$\\mathbb{R}^\\N$ [x](javascript:alert(1))", id="tex-and-script"),
]


def make_hostile_event(text: str, conference: Conference) -> Event:
    """As it would be if a form or an import had let this in: a database would not take all of it."""
    event = Event.objects.for_cards().get(pk=make_event(conference, start="09:00", end="10:00").pk)
    event.title, event.abstract, event.place = text, text, text
    return event


def entry(event: Event) -> bytes:
    return vevent(event, site_url=SITE)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    conference = make_conference()
    events = [make_hostile_event(text, conference), make_hostile_event("Next", conference)]

    body = vcalendar(conference, text, map(entry, events), url=SITE)

    assert [found.uid for found in read(body)] == [str(event.guid) for event in events]
    assert not {"ATTACH"} & set(names_in(unfolded(body)))


def test_all_that_people_and_scanners_send_is_one_entry_each() -> None:
    conference = make_conference()
    events = [make_hostile_event(text, conference) for text in [*strings.TEXTS.values(), *strings.LINKS]]

    body = vcalendar(conference, strings.CRLF, map(entry, events), url=SITE)

    assert [found.uid for found in read(body)] == [str(event.guid) for event in events]


@given(title=st.text(max_size=150), abstract=st.text(max_size=150))
def test_any_text_is_a_valid_calendar(title: str, abstract: str) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00", announce=False)
    event = Event.objects.for_cards().get(pk=event.pk)
    event.title, event.abstract = title, abstract

    body = vcalendar(event.conference, "Test", [vevent(event, site_url=SITE)], url=SITE)

    assert len(read(body)) == 1


def test_lone_surrogate_is_dropped_from_the_text() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    event.title = "half \ud83d pair"

    assert b"SUMMARY:half pair\r\n" in vevent(event, site_url=SITE)


def test_event_that_ends_before_it_starts_is_refused() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    event.end = event.start

    with pytest.raises(ValueError, match="does not end after it starts"):
        vevent(event, site_url=SITE)


def test_address_with_a_line_break_is_refused() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    with pytest.raises(ValueError, match="CR"):
        vevent(event, site_url="https://x.example\r\nATTACH:")
