"""Any calendar is read, or refused with a message: there is no other outcome."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Document, Hints
from events.imports.formats.icalendar import reader as icalendar
from events.programme.data.schedule import ScheduleData

NAMES = st.sampled_from(
    """BEGIN END UID SUMMARY DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID STATUS CATEGORIES LOCATION URL TZID
    CLASS""".split()
)
PARAMS = st.sampled_from(["", ";TZID=Europe/London", ";VALUE=DATE", ";TZID=", ";TZID=x/y", ';A="b', ";CHARSET=latin-1"])
VALUES = st.sampled_from(
    """
VEVENT|VALARM|VCALENDAR|20220603T100000Z|20220603T100000|20220603|20220327T013000|00000000T000000|20220603T256199Z|PT1H|-PT5M|P0D
|FREQ=DAILY;COUNT=3|FREQ=WEEKLY;BYDAY=MO,-1FR;UNTIL=20220901|FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4|FREQ=DAILY;COUNT=x|FREQ=
|20220603T100000Z/PT1H|Europe/London|CANCELLED|a\\,b,c|https://example.org|javascript:x|١٢|\x00|\\
""".replace("\n", "").split("|")
) | st.text(max_size=12)
LINES = st.builds("{}{}:{}".format, NAMES, PARAMS, VALUES)


def outcome(content: bytes) -> ScheduleData | ScheduleParseError:
    try:
        return icalendar.parse(Document("c.ics", {"c.ics": content}), Hints(slug="demo"))
    except ScheduleParseError as error:
        return error


@given(events=st.lists(st.lists(LINES, max_size=8), max_size=4))
def test_lines_are_read_or_refused(events: list[list[str]]) -> None:
    start = "BEGIN:VEVENT\nSUMMARY:A\nDTSTART;TZID=Europe/London:20220327T013000\n"
    inside = "".join(f"{start}{chr(10).join(lines)}\nEND:VEVENT\n" for lines in events)

    found = outcome(f"BEGIN:VCALENDAR\n{inside}END:VCALENDAR\n".encode("utf-8", "surrogatepass"))

    assert isinstance(found, ScheduleData) or found.file == "c.ics"


@given(content=st.binary(max_size=200))
@example(content=b"BEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\nEND:VCALENDAR")
@example(content=b"BEGIN:VEVENT\nDTSTART;TZID=\xff:20220603T100000\nSUMMARY:\xed\xa0\x80\nEND:VEVENT\nEND:VCALENDAR")
def test_bytes_are_read_or_refused(content: bytes) -> None:
    found = outcome(b"BEGIN:VCALENDAR\n" + content)

    assert isinstance(found, ScheduleData) or found.file == "c.ics"
