"""Events that are in a file and cannot be read stay as they are, in every format."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncReport
from events.models import Event
from tests.imports.formats.services.service_files import DATA

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
HINTS = Hints(slug="demo", name="Demo", timezone="Europe/Zurich", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 25))
GUIDS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(1, 4)]
TITLES = ["Ants", "Bees", "Crabs"]
START_MS = 1_745_485_200_000
Change = dict[str, Any]


def bring_in(name: str, content: bytes, hints: Hints = HINTS, *, allow_cancel: bool = False) -> SyncReport:
    found, schedule = registry.parse_document(Document.from_upload(name, content), hints)
    return sync(schedule, source=found.name, hooks=PUBLISHING, allow_cancel=allow_cancel)


def rows() -> list[tuple[Any, ...]]:
    return list(Event.objects.order_by("pk").values_list("title", "status", "start", "end", "day__date", "session__title"))


def schedule_xml(change: Change) -> bytes:
    texts = {"date": "", "start": "09:00", "duration": "01:00"}
    events = "".join(
        f'<event guid="{guid}"><title>{values["title"]}</title><date>{values["date"]}</date><start>{values["start"]}</start>'
        f"<duration>{values['duration']}</duration></event>"
        for guid, title in zip(GUIDS, TITLES, strict=True)
        for values in [texts | {"title": title} | (change if title == "Bees" else {})]
    )
    day = f'<day date="2025-04-24"><room name="Hall">{events}</room></day>'
    zone = "<conference><title>Demo</title><time_zone_name>Europe/Zurich</time_zone_name></conference>"
    return f"<schedule>{zone}{day}</schedule>".encode()


def schedule_json(change: Change) -> bytes:
    events = [
        {"guid": guid, "title": title, "start": "09:00", "duration": "01:00"} | (change if title == "Bees" else {})
        for guid, title in zip(GUIDS, TITLES, strict=True)
    ]
    conference = {"title": "Demo", "time_zone_name": "Europe/Zurich"}
    days = [{"date": "2025-04-24", "rooms": {"Hall": events}}]
    return json.dumps({"schedule": {"conference": conference | {"days": days}}}).encode()


def pretalx(change: Change) -> bytes:
    submissions = [
        {"code": f"CODE{number}", "title": title, "state": "confirmed", "speakers": [], "submission_type": "Talk", "track": None}
        | {"slots": [{"start": "2025-04-24T09:00:00+02:00", "end": "2025-04-24T10:00:00+02:00", "room": {"name": "Hall"}}]}
        | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES)
    ]
    return json.dumps({"results": submissions, "count": 3, "next": None}).encode()


def sessionize(change: Change) -> bytes:
    times = {"startsAt": "2025-04-24T09:00:00", "endsAt": "2025-04-24T10:00:00"}
    sessions = [
        {"id": str(number), "title": title, "isServiceSession": False, "speakers": [], "categoryItems": [], "roomId": 1}
        | times
        | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES, start=1)
    ]
    return json.dumps({"sessions": sessions, "speakers": [], "categories": [], "rooms": [{"id": 1, "name": "Hall"}]}).encode()


def sched(change: Change) -> bytes:
    times = {"event_start": "2025-04-24 09:00", "event_end": "2025-04-24 10:00"}
    sessions = [
        {"event_key": f"k{number}", "name": title, "venue": "Hall", "active": "Y"} | times | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES)
    ]
    return json.dumps(sessions).encode()


def indico(change: Change) -> bytes:
    def clock(hour: str) -> dict[str, str]:
        return {"date": "2025-04-24", "time": f"{hour}:00:00", "tz": "Europe/Zurich"}

    contributions = [
        {"id": number, "title": title, "startDate": clock("09"), "endDate": clock("10"), "room": "Hall"}
        | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES, start=1)
    ]
    event = {"title": "Demo", "timezone": "Europe/Zurich", "startDate": clock("08"), "endDate": clock("18")}
    return json.dumps({"results": [event | {"contributions": contributions}], "url": "https://indico.example/event/1"}).encode()


def sigchi(change: Change) -> bytes:
    events = [
        {"id": number, "name": title, "startDate": START_MS, "endDate": START_MS + 3_600_000, "contentIds": []}
        | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES, start=1)
    ]
    conference = {"name": "Demo", "timeZoneName": "Europe/Zurich", "startDate": START_MS, "endDate": START_MS}
    lists: dict[str, Any] = {name: [] for name in ("timeSlots", "contentTypes", "contents", "people", "rooms", "sessions")}
    return json.dumps({"conference": conference, "events": events} | lists).encode()


def spreadsheet(change: Change) -> bytes:
    columns = {"ID": "", "Title": "", "Date": "2025-04-24", "Start": "9:00", "End": "10:00", "Room": "Hall", "Status": ""}
    lines = [
        columns | {"ID": f"E{number}", "Title": title} | (change if title == "Bees" else {})
        for number, title in enumerate(TITLES)
    ]
    return "\n".join(",".join(row) for row in [list(columns), *(list(line.values()) for line in lines)]).encode()


def calendar(change: Change) -> bytes:
    lines = {"DTSTART;TZID=Europe/Zurich": "20250424T090000", "DTEND;TZID=Europe/Zurich": "20250424T100000"}
    events = [{"UID": f"{title}@example.org", "SUMMARY": title} | lines | (change if title == "Bees" else {}) for title in TITLES]
    texts = [
        "BEGIN:VEVENT\r\n" + "".join(f"{name}:{value}\r\n" for name, value in event.items()) + "END:VEVENT" for event in events
    ]
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//", *texts, "END:VCALENDAR", ""]).encode()


SLOT = {"start": "2025-04-24T11:00:00+02:00", "end": "2025-04-24T10:00:00+02:00", "room": {"name": "Hall"}}
# A file, a change of one of its three events that makes it unreadable, and what the report says of it.
UNREADABLE: list[tuple[Callable[[Change], bytes], Change, str]] = [
    (schedule_xml, {"title": ""}, "it has no title"),
    (schedule_xml, {"duration": "an hour"}, "“an hour” is not a duration: write it as 1:30"),
    (schedule_xml, {"start": "late"}, "“late” is not a time: write it as 09:30"),
    (schedule_json, {"title": ""}, "it has no title"),
    (schedule_json, {"duration": "an hour"}, "its duration “an hour” cannot be read: write hours and minutes, as 0:45"),
    (pretalx, {"title": ""}, "it has no title"),
    (pretalx, {"slots": [SLOT]}, "it ends before it starts (2025-04-24 11:00 to 2025-04-24 10:00)"),
    (sessionize, {"title": " "}, "it has no title"),
    (sessionize, {"endsAt": "2025-04-24T08:00:00"}, "it ends before it starts (2025-04-24 09:00 to 2025-04-24 08:00)"),
    (sched, {"name": ""}, "it has no title"),
    (sched, {"event_end": "2025-06-24 10:00"}, "it lasts 61 days; no event may last more than 14"),
    (indico, {"title": ""}, "it has no title"),
    (sigchi, {"endDate": START_MS - 1000}, "it ends before it starts (2025-04-24 09:00 to 2025-04-24 08:59)"),
    (spreadsheet, {"Title": ""}, "it has no title"),
    (calendar, {"SUMMARY": ""}, "it has no title"),
    (calendar, {"DTSTART;TZID=Europe/Zurich": "soon"}, "“soon” is not a date"),
    (calendar, {"DTSTART;TZID=Europe/Zurich": "20260424T090000"}, "it ends before it starts"),
]


@pytest.mark.parametrize(("written", "change", "reason"), UNREADABLE)
def test_event_that_cannot_be_read_stays(written: Callable[[Change], bytes], change: Change, reason: str) -> None:
    bring_in("file", written({}))
    before = rows()

    report = bring_in("file", written(change))

    assert rows() == before
    assert (report.changed, report.cancelled, len(before)) == (0, 0, 3)
    kept = f"kept “Bees”: in the file, {reason}"
    assert [sentence[: len(kept)] for sentence in report.sentences("kept")] == [kept]


UNREAD_TIMES: list[tuple[Callable[[Change], bytes], Change]] = [
    (schedule_json, {"start": "late"}),
    (pretalx, {"slots": [SLOT | {"start": "late"}]}),
    (pretalx, {"slots": [SLOT | {"start": "2025-04-24T09:00:00+02:00", "end": "late"}]}),
    (sessionize, {"startsAt": "late"}),
    (sessionize, {"endsAt": "late"}),
    (sched, {"event_start": "late"}),
    (sched, {"event_end": "late"}),
    (indico, {"startDate": {"date": "2025-04-24", "time": "late", "tz": "Europe/Zurich"}}),
    (indico, {"endDate": {"date": "2025-04-24", "time": "late", "tz": "Europe/Zurich"}}),
    (sigchi, {"startDate": "late"}),
    (sigchi, {"endDate": "late"}),
    (spreadsheet, {"Start": "late"}),
    (spreadsheet, {"Start": "#REF!"}),
    (spreadsheet, {"End": "late"}),
    (spreadsheet, {"Date": "someday"}),
]


@pytest.mark.parametrize(("written", "change"), UNREAD_TIMES)
def test_time_that_cannot_be_read_stays(written: Callable[[Change], bytes], change: Change) -> None:
    hour_long = [("Bees", "confirmed"), dt.timedelta(hours=1)]
    bring_in("file", written({}))
    before = rows()

    report = bring_in("file", written(change))

    bees = Event.objects.get(title="Bees")
    assert rows() == before
    assert [(bees.title, bees.status), bees.end - bees.start] == hour_long  # type: ignore[operator]
    assert (report.changed, report.cancelled) == (0, 0)
    assert any("late" in it or "someday" in it or "#REF!" in it or "cannot be read" in it for it in report.warnings)


def test_moved_event_whose_end_cannot_be_read_has_its_former_length() -> None:
    bring_in("file", sessionize({"endsAt": "2025-04-24T10:30:00"}))

    bring_in("file", sessionize({"startsAt": "2025-04-25T11:00:00", "endsAt": "late"}))

    bees = Event.objects.get(title="Bees")
    assert (bees.start, bees.end, bees.day.date) == (  # type: ignore[union-attr]
        *(dt.datetime(2025, 4, 25, 9, tzinfo=dt.UTC), dt.datetime(2025, 4, 25, 10, 30, tzinfo=dt.UTC)),
        dt.date(2025, 4, 25),
    )


def test_time_that_another_cell_has_too_is_read_there() -> None:
    bring_in("file", spreadsheet({}))

    bring_in("file", spreadsheet({"Date": "someday", "Start": "2025-04-25 9:00", "End": "2025-04-25 12:00"}))

    bees = Event.objects.get(title="Bees")
    assert bees.end - bees.start == dt.timedelta(hours=3)  # type: ignore[operator]
    assert bees.start == dt.datetime(2025, 4, 25, 7, tzinfo=dt.UTC)


def test_new_event_whose_time_cannot_be_read_is_to_be_announced() -> None:
    bring_in("file", sessionize({"startsAt": "late"}))

    assert Event.objects.get(title="Bees").start is None


HIDDEN: list[tuple[Callable[[Change], bytes], Change, str]] = [
    (schedule_json, {"status": "draft"}, "it is “draft”, which is not for attendees"),
    (pretalx, {"state": "rejected"}, "it is in state “rejected”"),
    (sessionize, {"status": "Declined"}, "its status is “Declined”"),
    (sched, {"active": "N"}, "it is not active"),
    (spreadsheet, {"Status": "hidden"}, "its status is “hidden”, which is not for attendees"),
    (calendar, {"CLASS": "PRIVATE"}, "it is private"),
]


@pytest.mark.parametrize(("written", "change", "reason"), HIDDEN)
def test_event_that_was_hidden_is_cancelled_for_that_reason(
    written: Callable[[Change], bytes], change: Change, reason: str
) -> None:
    bring_in("file", written({}))

    report = bring_in("file", written(change), allow_cancel=True)

    assert list(Event.objects.order_by("pk").values_list("title", "status")) == [
        *(("Ants", "confirmed"), ("Bees", "cancelled"), ("Crabs", "confirmed"))
    ]
    assert report.sentences("cancelled") == [f"cancelled “Bees”: in the file, {reason}"]


def test_repetitions_of_a_slot_that_cannot_be_read_stay() -> None:
    slots = [SLOT | {"start": f"2025-04-24T{hour}:00:00+02:00", "end": f"2025-04-24T{hour}:45:00+02:00"} for hour in (11, 12, 13)]
    bring_in("file", pretalx({"slots": slots}))
    before = rows()

    bring_in("file", pretalx({"slots": [slots[0], slots[1] | {"end": "2025-04-24T10:00:00+02:00"}, slots[2]]}))

    assert rows() == before


def test_slot_of_several_whose_end_cannot_be_read_has_its_former_length() -> None:
    slots = [SLOT | {"start": f"2025-04-24T{hour}:00:00+02:00", "end": f"2025-04-24T{hour}:20:00+02:00"} for hour in (11, 12)]
    bring_in("file", pretalx({"slots": slots}))
    before = rows()

    bring_in("file", pretalx({"slots": [slots[1] | {"end": "late"}]}), allow_cancel=True)

    assert [row for row in rows() if row[1] == "confirmed"] == [
        row for row in before if row[2] != dt.datetime(2025, 4, 24, 9, tzinfo=dt.UTC)
    ]


def test_talks_stay_in_a_session_that_cannot_be_read() -> None:
    content = json.loads((DATA / "indico/sessions.json").read_bytes())
    bring_in("file", json.dumps(content).encode())
    before = rows()
    for session in content["results"][0]["sessions"]:
        session["endDate"]["date"] = "2025-04-01"

    report = bring_in("file", json.dumps(content).encode())

    assert rows() == before
    assert (report.changed, report.cancelled) == (0, 0)


def test_contents_of_a_sigchi_session_that_cannot_be_read_stay() -> None:
    content = json.loads((DATA / "sigchi/program.json").read_bytes())
    bring_in("file", json.dumps(content).encode())
    before = rows()
    for session in content["sessions"]:
        session["name"] = ""

    report = bring_in("file", json.dumps(content).encode())

    assert rows() == before
    assert (report.changed, report.cancelled) == (0, 0)


TALKS = "ID,Title,Date,Start,End,Talk 1 title,Talk 1 ID,Talk 2 title\n"


@pytest.mark.parametrize(
    "row", ["E1,,2025-04-24,9:00,10:00,Ants,T1,Bees", "E1,Morning,2025-04-24,9:00,2025-06-01 10:00,Ants,T1,Bees"]
)
def test_talks_inside_a_row_that_cannot_be_read_stay(row: str) -> None:
    bring_in("a.csv", f"{TALKS}E1,Morning,2025-04-24,9:00,10:00,Ants,T1,Bees\nE2,Noon,2025-04-24,12:00,13:00,,,\n".encode())
    before = rows()

    report = bring_in("a.csv", f"{TALKS}{row}\nE2,Noon,2025-04-24,12:00,13:00,,,\n".encode())

    assert len(before) == 4
    assert rows() == before
    assert report.cancelled == 0
