"""Fields that are one value: hand and file never make a mixture that neither said, and no edit stops later files."""

from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.imports.sync.engine import sync
from events.imports.sync.report import TIME_KEPT_REASON
from events.imports.sync.tables import EVENT_GROUPS, SYNC_TABLES
from events.models import Announcement, Conference, Day, Event, Room
from events.programme.data.schedule import AnnouncementData, DayData, EventData, ScheduleData
from tests.factories import THURSDAY, at
from tests.imports.sync.programmes import event, everything, programme, row

pytestmark = pytest.mark.django_db

FRIDAY = THURSDAY + dt.timedelta(days=1)
DAYS = (DayData(key="thu", date=THURSDAY), DayData(key="fri", date=FRIDAY))
OTHER = event("other", title="Other")
_number = count(1)


def with_days(*events: EventData) -> ScheduleData:
    return programme(*events, OTHER, days=DAYS)


def moved(**fields: Any) -> ScheduleData:
    later = dataclasses.replace(OTHER, start=at("12:00"), end=at("13:00"))
    return programme(event(**fields), later, days=DAYS)


def test_edited_start_stops_neither_this_file_nor_the_next() -> None:
    sync(with_days(event()), source="file")
    Event.objects.filter(source_key="keynote").update(start=at("09:10"))

    reports = [sync(moved(start=at(hour), end=at("08:00")), source="file") for hour in ("07:00", "07:30")]

    assert (row().start, row().end, row("other").start) == (at("09:10"), at("10:00"), at("12:00"))
    assert reports[0].sentences("kept") == [
        f"kept “Keynote”: time stays “Thu 24 April, 09:10–10:00”, the file says “Thu 24 April, 07:00–08:00”; {TIME_KEPT_REASON}"
    ]
    assert [(it.changed, it.unchanged) for it in reports] == [(1, 1), (0, 2)]


def test_edited_end_makes_no_length_that_nobody_said() -> None:
    sync(with_days(event()), source="file")
    Event.objects.filter(source_key="keynote").update(end=at("10:15"))

    sync(moved(start=at("07:00"), end=at("08:00")), source="file")

    assert (row().start, row().end) == (at("09:00"), at("10:15"))


def test_event_given_the_time_of_the_file_follows_it_again() -> None:
    sync(with_days(event()), source="file")
    Event.objects.filter(source_key="keynote").update(end=at("10:15"))
    sync(moved(start=at("07:00"), end=at("08:00")), source="file")
    Event.objects.filter(source_key="keynote").update(start=at("07:00"), end=at("08:00"))

    report = sync(moved(day="fri", start=at("07:00", FRIDAY), end=at("08:00", FRIDAY)), source="file")

    assert (row().start, row().day) == (at("07:00", FRIDAY), Day.objects.get(date=FRIDAY))
    assert report.sentences("kept") == []


def test_place_written_by_hand_keeps_its_room() -> None:
    sync(programme(event(room="hall-1")), source="file")
    Event.objects.update(place="Balcony")

    report = sync(programme(event(room="hall-2")), source="file")

    assert (row().place, row().room) == ("Balcony", Room.objects.get(name="Hall 1"))
    assert report.sentences("kept") == ["kept “Keynote”: room stays “Hall 1”, the file says “Hall 2”"]


def test_end_of_an_announcement_edited_by_hand_does_not_stop_a_file() -> None:
    said = AnnouncementData(key="lunch", title="Lunch", starts_at=at("11:00"), until=at("12:00"))
    sync(programme(event(), announcements=(said,)), source="file")
    Announcement.objects.update(until=at("12:30"))

    later = dataclasses.replace(said, starts_at=at("13:00"), until=at("14:00"))
    sync(programme(event(), announcements=(later,)), source="file")

    assert Announcement.objects.values_list("starts_at", "until").get() == (at("11:00"), at("12:30"))


def test_last_day_of_a_conference_edited_by_hand_does_not_stop_a_file() -> None:
    data = programme(event())
    sync(data, source="file")
    Conference.objects.update(end=FRIDAY + dt.timedelta(days=1))
    week = dt.timedelta(days=7)

    later = dataclasses.replace(data.conference, start=THURSDAY + week, end=FRIDAY + week)
    report = sync(dataclasses.replace(data, conference=later), source="file")

    assert Conference.objects.values_list("start", "end").get() == (THURSDAY, FRIDAY + dt.timedelta(days=1))
    assert len(report.sentences("kept")) == 1


def test_day_with_a_new_key_in_the_file_is_no_edit_by_hand() -> None:
    sync(programme(event()), source="file")

    days = (DayData(key="1", date=THURSDAY),)
    sync(programme(event(day="1", start=at("07:00"), end=at("08:00")), days=days), source="file")

    assert (row().start, row().end) == (at("07:00"), at("08:00"))


def test_groups_name_fields_of_their_table() -> None:
    for table in SYNC_TABLES:
        named = [name for group in table.together for name in group]
        assert set(named) <= set(table.fields)
        assert len(named) == len(set(named))


@st.composite
def times(draw: st.DrawFn) -> dict[str, Any]:
    day = draw(st.sampled_from(["thu", "fri"]))
    if not draw(st.booleans()):
        return {"day": draw(st.sampled_from(["", day])), "start": None, "end": None}
    start = at(draw(st.sampled_from(["07:00", "09:00", "09:30", "12:00"])), THURSDAY if day == "thu" else FRIDAY)
    return {"day": day, "start": start, "end": start + dt.timedelta(minutes=draw(st.sampled_from([15, 60, 300])))}


@st.composite
def values(draw: st.DrawFn) -> dict[str, Any]:
    place = {"room": draw(st.sampled_from(["", "hall-1", "hall-2"])), "place": draw(st.sampled_from(["", "Balcony"]))}
    notes = {
        "notes": draw(st.sampled_from(["", "One\ntwo", "Two"])),
        "notes_source": draw(st.sampled_from(["", "https://a.example/"])),
    }
    return draw(times()) | place | notes | {"title": draw(st.sampled_from("ABC"))}


def stored(slug: str) -> dict[str, Any]:
    it = Event.objects.select_related("day", "room").get(conference__slug=slug)
    day = {THURSDAY: "thu", FRIDAY: "fri"}[it.day.date] if it.day else ""
    room = it.room.source_key if it.room else ""
    plain = {name: getattr(it, name) for name in ("start", "end", "place", "notes", "notes_source", "title")}
    return {**plain, "day": day, "room": room}


def edit(slug: str, fields: dict[str, Any]) -> None:
    home = Conference.objects.get(slug=slug)
    day = home.days.filter(source_key=fields["day"]).first()
    room, notes = home.rooms.filter(source_key=fields["room"]).first(), fields["notes"].replace("\n", "\r\n")
    Event.objects.filter(conference=home).update(**fields | {"day": day, "room": room, "notes": notes})


def part_edited(now: dict[str, Any]) -> dict[str, Any]:
    """What a person makes of an event by editing one field of each group."""
    longer = {"end": now["end"] + dt.timedelta(minutes=7)} if now["end"] else {}
    return {**now, **longer, "place": f"{now['place']}, left", "notes_source": "https://hand.example/"}


@given(st.lists(st.tuples(st.sampled_from(["file", "part", "hand"]), values()), min_size=1, max_size=6), values())
def test_each_group_is_what_the_hand_or_the_file_said(steps: list[tuple[str, dict[str, Any]]], first: dict[str, Any]) -> None:
    slug = f"groups-{next(_number)}"

    def taken(fields: dict[str, Any]) -> None:
        data = programme(event(**fields), days=DAYS)
        sync(dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=slug)), source="file")

    taken(first)
    in_file, by_hand = first, first
    for who, fields in steps:
        if who == "file":
            taken(fields)
            in_file = fields
        else:
            chosen = fields if who == "hand" else part_edited(stored(slug))
            edit(slug, chosen)
            by_hand = chosen

        now = stored(slug)
        for group in (*EVENT_GROUPS[:2], EVENT_GROUPS[-1], ("title",)):
            said = [tuple(it[name] for name in group) for it in (in_file, by_hand)]
            assert tuple(now[name] for name in group) in said
        Event.objects.get(conference__slug=slug).validate_constraints()

    before = everything()
    taken(in_file)
    assert everything() == before
