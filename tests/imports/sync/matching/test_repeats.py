"""A session of one guid in several slots: each slot stays its own row, whatever is dropped, added or reordered."""

from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.imports.sync.engine import sync
from events.imports.sync.report import ImportHooks, SyncReport
from events.models import Award, Event
from events.programme.data.schedule import AwardData, DayData, EventData, ScheduleData
from tests.factories import THURSDAY, at
from tests.imports.sync.programmes import event, everything, programme

pytestmark = pytest.mark.django_db

GUID = str(uuid.UUID(int=1))
DATES = {"thu": THURSDAY, "fri": THURSDAY + dt.timedelta(days=1), "sat": THURSDAY + dt.timedelta(days=2)}
_number = count(1)


def slots(*days: str, room: str = "hall-1", hour: str = "09:00") -> list[EventData]:
    """One session on these days, with the keys that parsers give: guid, guid#2, guid#3."""
    return [
        event(
            GUID if number == 1 else f"{GUID}#{number}",
            guid=GUID if number == 1 else "",
            title="Workshop",
            day=day,
            start=at(hour, DATES[day]),
            end=at(hour, DATES[day]) + dt.timedelta(hours=1),
            room=room,
        )
        for number, day in enumerate(days, start=1)
    ]


def file_of(events: list[EventData]) -> ScheduleData:
    others = [event(f"other-{number}") for number in range(10)]
    return programme(*events, *others, days=tuple(DayData(key=key, date=date) for key, date in DATES.items()))


def take(*days: str, **options: str) -> SyncReport:
    return sync(file_of(slots(*days, **options)), source="file")


def rows() -> dict[int, tuple[str, str]]:
    """Day and status of the workshop's rows, by primary key."""
    found = Event.objects.filter(title="Workshop").select_related("day").order_by("pk")
    return {it.pk: (f"{it.day.date:%a}".lower() if it.day else "", it.status) for it in found}


def test_dropped_first_slot_cancels_itself_alone() -> None:
    take("thu", "fri")
    first, second = rows()

    report = take("fri")

    assert rows() == {first: ("thu", "cancelled"), second: ("fri", "confirmed")}
    assert (report.cancelled, report.changed) == (1, 0)


def test_file_after_a_dropped_slot_writes_nothing() -> None:
    take("thu", "fri")
    take("fri")
    before = everything()

    assert take("fri").is_empty
    assert everything() == before


def test_remaining_slot_that_moves_is_not_taken_for_the_cancelled_one() -> None:
    take("thu", "fri")
    first, second = rows()
    take("fri")

    take("sat", room="hall-2")

    assert rows() == {first: ("thu", "cancelled"), second: ("sat", "confirmed")}


def test_dropped_slot_returns_as_itself() -> None:
    take("thu", "fri")
    before = rows()
    take("fri")

    take("thu", "fri")

    assert rows() == before


def test_slot_added_before_the_others_shifts_nothing() -> None:
    take("fri", "sat")
    first, second = rows()

    report = take("thu", "fri", "sat")

    assert list(rows().values()) == [("fri", "confirmed"), ("sat", "confirmed"), ("thu", "confirmed")]
    assert (rows()[first], rows()[second]) == (("fri", "confirmed"), ("sat", "confirmed"))
    assert (report.created, report.changed, report.cancelled) == (1, 0, 0)


def test_slots_in_another_order_change_nothing() -> None:
    take("thu", "fri", "sat")
    before = everything()

    assert take("sat", "thu", "fri").is_empty
    assert everything() == before


def test_second_slot_of_what_had_one_is_new() -> None:
    take("fri")
    (first,) = rows()

    take("thu", "fri")

    assert rows()[first] == ("fri", "confirmed")
    assert len(rows()) == 2


def test_moved_slot_keeps_its_row_by_its_room() -> None:
    sync(file_of([*slots("thu", room="hall-1"), dataclasses.replace(slots("thu", "thu", room="hall-2")[1])]), source="file")
    first, second = Event.objects.filter(title="Workshop").order_by("room__name")

    sync(file_of(slots("fri", room="hall-2", hour="11:00")), source="file")

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status, second.start) == ("cancelled", "confirmed", at("11:00", DATES["fri"]))


def test_start_edited_by_hand_does_not_mix_up_slots() -> None:
    take("thu", "fri")
    first, second = rows()
    Event.objects.filter(pk=second).update(start=at("09:30", DATES["fri"]))

    take("fri")

    assert rows() == {first: ("thu", "cancelled"), second: ("fri", "confirmed")}


def test_award_and_part_of_a_slot_follow_it() -> None:
    def said(*days: str) -> ScheduleData:
        friday = slots(*days)[days.index("fri")].key
        data = file_of([*slots(*days), event("part", session=friday)])
        return dataclasses.replace(data, awards=(AwardData(key="best", name="Best", year=2025, event=friday),))

    sync(said("thu", "fri"), source="file")
    _, second = rows()

    sync(said("fri"), source="file")

    assert (Award.objects.get().event_id, Event.objects.get(source_key="part").session_id) == (second, second)


def test_slots_stay_in_another_format() -> None:
    take("thu", "fri")
    before = rows()
    data = file_of([*slots("fri", "thu")])
    others = [dataclasses.replace(it, guid=str(Event.objects.get(source_key=it.key).guid)) for it in data.events[2:]]

    sync(dataclasses.replace(data, events=(*data.events[:2], *others)), source="json", hooks=ImportHooks(hand_over=True))

    assert rows() == before


@given(st.lists(st.permutations(list(DATES)).flatmap(lambda days: st.integers(1, 3).map(lambda n: days[:n])), max_size=4))
def test_slot_that_both_files_have_is_the_same_row(files: list[list[str]]) -> None:
    slug = f"slots-{next(_number)}"

    def live() -> dict[str, int]:
        found = Event.objects.filter(conference__slug=slug, title="Workshop", status="confirmed").select_related("day")
        return {f"{it.day.date:%a}".lower(): it.pk for it in found if it.day}

    before: dict[str, int] = {}
    for days in files:
        data = file_of(slots(*days))
        named = dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=slug))
        sync(named, source="file", allow_cancel=True)

        assert set(live()) == set(days)
        assert {day: pk for day, pk in live().items() if day in before} == {day: before[day] for day in days if day in before}
        before = live()
