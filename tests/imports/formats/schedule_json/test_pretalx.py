"""pretalx's REST objects: the released schedule is imported, and nothing that attendees may not see."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import pretalx
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, ScheduleData

FOLDER = Path(__file__).parents[3] / "data" / "pretalx"
LEGACY = Path(__file__).parents[3] / "data" / "pretalx_legacy"
VIENNA = dt.timezone(dt.timedelta(hours=2))
PARTS = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.fixture(scope="module")
def schedule() -> ScheduleData:
    return pretalx.parse(Document.read(FOLDER), Hints(slug="demo"))


def loaded(*without: str) -> dict[str, Any]:
    return {part: json.loads((FOLDER / f"{part}.json").read_bytes()) for part in PARTS if part not in without}


def parsed(content: Any, timezone: str = "") -> ScheduleData:
    return pretalx.parse(
        Document.from_upload("pretalx.json", json.dumps(content).encode()), Hints(slug="demo", timezone=timezone)
    )


def submission(**fields: Any) -> dict[str, Any]:
    slot = {"id": 1, "room": None, "start": "2025-09-11T10:00:00+02:00", "end": "2025-09-11T10:30:00+02:00"}
    return {"code": "AAAAAA", "title": "A talk", "submission_type": None, "state": "confirmed", "slots": [slot]} | fields


def event(schedule: ScheduleData, key: str) -> EventData:
    return next(it for it in schedule.events if it.key == key)


def zipped(files: dict[str, bytes]) -> Document:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    return Document.from_upload("export.zip", archive.getvalue())


def test_folder_zip_and_one_object_hold_the_same(schedule: ScheduleData) -> None:
    archive = zipped({f"export/{part}.txt": json.dumps(content).encode() for part, content in loaded().items()})

    assert pretalx.recognises(archive)
    assert pretalx.parse(archive, Hints(slug="demo")) == schedule
    assert parsed(loaded()) == schedule


@pytest.mark.parametrize("folder", [FOLDER, LEGACY], ids=["objects of today", "objects until 2024"])
def test_submissions_are_recognised_by_content(folder: Path) -> None:
    assert pretalx.recognises(Document.from_upload("whatever", (folder / "submissions.json").read_bytes()))


@pytest.mark.parametrize("part", ["rooms", "slots", "event", "answers"])
def test_objects_without_submissions_are_not_recognised(part: str) -> None:
    assert not pretalx.recognises(Document.read(FOLDER / f"{part}.json"))


def test_only_what_attendees_may_see_comes_in(schedule: ScheduleData) -> None:
    assert [(it.key, it.title, it.status) for it in schedule.events] == [
        ("AAAAAA", "Twice on stage", "confirmed"),
        ("AAAAAA#2", "Twice on stage", "confirmed"),
        ("BBBBBB", "In a room nobody may know", "confirmed"),
        ("CCCCCC", "Called off", "cancelled"),
        ("DDDDDD", "No slot yet", "confirmed"),
        ("break-lunch-2025-09-11", "Lunch", "confirmed"),
    ]


def test_nothing_private_is_imported(schedule: ScheduleData) -> None:
    told = repr(schedule).lower()

    assert "secret" not in told
    assert "@" not in told


def test_those_left_out_are_counted_by_state(schedule: ScheduleData) -> None:
    assert schedule.skipped == (
        "submissions in state “accepted”: 1 left out; only confirmed ones are shown",
        "submissions in state “rejected”: 1 left out; only confirmed ones are shown",
        "submissions in state “draft”: 1 left out; only confirmed ones are shown",
        "submissions in state “canceled” without a slot: 1 left out; only confirmed ones are shown",
    )


def test_slots_are_those_of_the_released_version_in_the_order_of_time(schedule: ScheduleData) -> None:
    assert [(it.day, it.start, it.end, it.room) for it in schedule.events[:2]] == [
        (
            "2025-09-11",
            dt.datetime(2025, 9, 11, 10, tzinfo=VIENNA),
            dt.datetime(2025, 9, 11, 10, 30, tzinfo=VIENNA),
            "room-2",
        ),
        (
            "2025-09-12",
            dt.datetime(2025, 9, 12, 14, tzinfo=VIENNA),
            dt.datetime(2025, 9, 12, 14, 30, tzinfo=VIENNA),
            "room-1",
        ),
    ]


def test_numbers_are_replaced_by_names(schedule: ScheduleData) -> None:
    talk = event(schedule, "AAAAAA")
    names = {person.key: person.name for person in schedule.people}

    assert (talk.type, talk.track, talk.capacity) == ("talk", "web", None)
    assert (talk.abstract, talk.description) == ("In short.", "At *length*.")
    assert [names[it.person] for it in talk.people] == ["Grace Example", "Ada Example"]
    assert [(it.kind, it.url) for it in talk.links] == [("slides", "https://talks.example.org/media/slides.pdf")]


def test_rooms_and_tracks_come_in_the_organisers_order_without_the_hidden(schedule: ScheduleData) -> None:
    assert [(it.name, it.capacity) for it in schedule.rooms] == [("Great hall", 600), ("Small hall", 80)]
    assert [(it.name, it.colour) for it in schedule.tracks] == [("Web", "#00A36C")]


def test_a_length_is_the_submissions_and_a_capacity_only_with_sign_up(schedule: ScheduleData) -> None:
    workshop = event(schedule, "BBBBBB")

    assert workshop.start
    assert workshop.end == workshop.start + dt.timedelta(minutes=90)
    assert (workshop.room, workshop.capacity) == ("", 25)


def test_a_talk_without_slot_is_to_be_announced(schedule: ScheduleData) -> None:
    assert (event(schedule, "DDDDDD").day, event(schedule, "DDDDDD").start) == ("", None)


def test_a_break_in_every_room_is_one_break(schedule: ScheduleData) -> None:
    lunch = event(schedule, "break-lunch-2025-09-11")

    assert (lunch.type, lunch.room, lunch.place) == ("break", "", "Great hall, Small hall")


def test_conference_speaks_the_events_language(schedule: ScheduleData) -> None:
    german = loaded()
    german["event"]["locale"] = "de"

    assert (schedule.conference.name, schedule.conference.timezone) == ("Example Days", "Europe/Vienna")
    assert (schedule.conference.start, schedule.conference.end) == (dt.date(2025, 9, 11), dt.date(2025, 9, 13))
    assert parsed(german).conference.name == "Beispieltage"


def test_speakers_only_known_by_code_are_reported(schedule: ScheduleData) -> None:
    assert schedule.warnings == ("speakers of whom only the code is known: 1; add the speakers to the file",)


def test_the_interface_until_2024_nests_everything() -> None:
    schedule = pretalx.parse(Document.read(LEGACY), Hints(slug="demo", timezone="Europe/Paris"))

    assert [(it.key, it.type, it.room, it.track, len(it.people)) for it in schedule.events] == [
        ("AAAAAA", "talk", "room-1", "web", 1),
        ("BBBBBB", "workshop", "room-1", "web", 0),
    ]
    assert [(it.name, it.capacity) for it in schedule.rooms] == [("Great hall", 600)]


def test_a_schedule_with_everything_inside_its_slots() -> None:
    slots = [
        {"id": 1, "room": {"id": 1, "name": {"en": "Hall"}}, "start": "2025-07-01T09:00:00+02:00", "end": None, "duration": 45}
    ]
    slots[0] |= {"schedule": 42, "submission": submission(slots=[1], speakers=[{"code": "SPKR01", "name": "Ada Example"}])}

    schedule = parsed({"id": 42, "version": "2.0", "published": "2025-06-15T10:00:00Z", "slots": slots}, "Europe/Berlin")

    assert [(it.key, it.day, it.room, len(it.people)) for it in schedule.events] == [("AAAAAA", "2025-07-01", "room-1", 1)]


def test_a_submission_without_state_needs_a_slot_to_be_shown() -> None:
    shown, unknown = submission(), submission(code="BBBBBB", slots=[])
    del shown["state"], unknown["state"]

    assert [it.key for it in parsed([shown, unknown], "Europe/Berlin").events] == ["AAAAAA"]


@pytest.mark.parametrize("state", ["submitted", "accepted", "rejected", "withdrawn", "draft", "deleted", "anything"])
def test_no_other_state_is_shown_even_in_a_slot(state: str) -> None:
    with pytest.raises(ScheduleParseError, match=f"in state “{state}”: 1 left out"):
        parsed([submission(state=state)], "Europe/Berlin")


def test_a_slot_that_is_not_visible_hides_its_talk() -> None:
    hidden = submission(slots=[{"id": 1, "start": "2025-09-11T10:00:00+02:00", "is_visible": False}])

    with pytest.raises(ScheduleParseError, match="in hidden slots"):
        parsed([hidden], "Europe/Berlin")


def test_one_page_of_several_is_refused() -> None:
    content = loaded()
    content["submissions"] |= {"count": 60, "next": "https://talks.example.org/api/events/example/submissions/?page=2"}

    with pytest.raises(ScheduleParseError, match="holds 8 of 60 submissions, one page of several: fetch all pages"):
        parsed(content)


def test_all_pages_together_are_imported() -> None:
    first, second = ({"count": 2, "results": [submission(code=code)]} for code in ("AAAAAA", "BBBBBB"))
    archive = zipped({"1.json": json.dumps(first | {"next": "…?page=2"}).encode(), "2.json": json.dumps(second).encode()})

    schedule = pretalx.parse(archive, Hints(slug="demo", timezone="Europe/Berlin"))

    assert [it.key for it in schedule.events] == ["AAAAAA", "BBBBBB"]


def test_slots_of_several_versions_are_refused_without_the_schedules() -> None:
    with pytest.raises(ScheduleParseError, match="the slots of 3 versions of the schedule"):
        parsed(loaded("schedules"))


def test_a_schedule_that_is_not_released_is_refused() -> None:
    content = loaded()
    content["schedules"]["results"] = content["schedules"]["results"][2:]

    with pytest.raises(ScheduleParseError, match="release one in pretalx first"):
        parsed(content)
