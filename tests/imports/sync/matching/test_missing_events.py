from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncError
from events.models import Change, Conference, Event, Room
from events.programme.data.place import RoomData
from events.programme.data.schedule import ScheduleData
from tests.factories import at
from tests.imports.sync.programmes import event, everything, programme, row

pytestmark = pytest.mark.django_db


def talks(*numbers: int) -> ScheduleData:
    return programme(*(event(f"talk-{number}") for number in numbers))


def test_missing_event_is_cancelled_and_never_deleted() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)

    report = sync(talks(1, 2, 3, 4), source="file")

    assert (report.cancelled, report.unchanged) == (1, 4)
    assert report.sentences("cancelled") == ["cancelled “Talk-5”: no longer in the file"]
    assert (row("talk-5").status, row("talk-5").sequence) == ("cancelled", 1)
    assert [(it.event, it.field, it.new) for it in Change.objects.all()] == [(row("talk-5"), "status", "cancelled")]


def test_cancelled_by_the_file_once_is_enough() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)
    sync(talks(1, 2, 3, 4), source="file")
    before = everything()

    report = sync(talks(1, 2, 3, 4), source="file")

    assert report.is_empty
    assert everything() == before


def test_more_than_a_fifth_must_be_allowed() -> None:
    sync(talks(*range(1, 11)), source="file", hooks=PUBLISHING)
    before = everything()

    with pytest.raises(SyncError) as caught:
        sync(talks(1, 2, 3, 4, 5, 6, 7), source="file")

    assert str(caught.value) == (
        "3 of 10 events are missing from the file; so many are cancelled only if that is allowed. The first is “Talk-10”."
    )
    assert everything() == before
    assert sync(talks(1, 2, 3, 4, 5, 6, 7), source="file", allow_cancel=True).cancelled == 3


def test_a_fifth_need_not_be_allowed() -> None:
    sync(talks(*range(1, 11)), source="file", hooks=PUBLISHING)

    assert sync(talks(*range(1, 9)), source="file").cancelled == 2


def test_one_more_than_a_fifth_must_be_allowed() -> None:
    sync(talks(*range(1, 25)), source="file", hooks=PUBLISHING)

    with pytest.raises(SyncError, match="5 of 24 events"):
        sync(talks(*range(1, 20)), source="file")


def test_event_that_returns_is_confirmed_again() -> None:
    for data in [talks(1, 2, 3, 4, 5), talks(1, 2, 3, 4), talks(1, 2, 3, 4, 5)]:
        report = sync(data, source="file", hooks=PUBLISHING)

    assert [str(line) for line in report.lines] == ["changed “Talk-5”: status: “Cancelled” → “Confirmed”"]
    assert (row("talk-5").status, row("talk-5").sequence) == ("confirmed", 2)


def test_event_cancelled_by_hand_stays_cancelled() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)
    talk = row("talk-5")
    talk.status = "cancelled"
    talk.revise()

    sync(talks(1, 2, 3, 4), source="file")
    report = sync(talks(1, 2, 3, 4, 5), source="file")

    assert row("talk-5").status == "cancelled"
    assert report.sentences("kept") == ["kept “Talk-5”: status stays “Cancelled”, the file says “Confirmed”"]


def test_event_restored_by_hand_stays_confirmed() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)
    sync(talks(1, 2, 3, 4), source="file")
    talk = row("talk-5")
    talk.status = "confirmed"
    talk.revise()

    report = sync(talks(1, 2, 3, 4), source="file")

    assert row("talk-5").status == "confirmed"
    assert report.sentences("kept") == ["kept “Talk-5”: stays “confirmed”, the file no longer has it"]
    assert report.is_empty


def test_missing_draft_stays_hidden() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)
    talk = row("talk-5")
    talk.status = "draft"
    talk.revise()

    report = sync(talks(1, 2, 3, 4), source="file")

    assert report.cancelled == 0
    assert row("talk-5").status == "draft"
    assert Event.objects.public().count() == 4


def test_other_missing_rows_stay() -> None:
    sync(talks(1), source="file", hooks=PUBLISHING)

    report = sync(programme(event("talk-1"), rooms=()), source="file")

    assert report.is_empty
    assert Room.objects.count() == 2


def test_missing_event_has_its_bookmarks_and_guid_when_it_returns() -> None:
    sync(talks(1, 2, 3, 4, 5), source="file", hooks=PUBLISHING)
    guid = row("talk-5").guid

    sync(talks(1, 2, 3, 4), source="file")
    sync(talks(1, 2, 3, 4, 5), source="file")

    assert row("talk-5").guid == guid
    assert Conference.objects.get().events.count() == 5


IN_HALL_1, NO_HOURS = {"room": "hall-1"}, {"start": None, "end": None}
SAME_SLOT = "is new at the same time in the same room"
REMEDY = (
    ": if it is the same event, give it this title here before you import the file; "
    "with a column “ID” in the file it is recognised under any title"
)


@pytest.mark.parametrize(
    ("former", "slot", "new", "reason"),
    [
        pytest.param("title:a", IN_HALL_1, {"title:b": IN_HALL_1}, f"; “B” {SAME_SLOT}{REMEDY}", id="another-title"),
        pytest.param("17", IN_HALL_1, {"title:b": IN_HALL_1}, f"; “B” {SAME_SLOT}{REMEDY}", id="the-id-was-removed"),
        pytest.param("17", IN_HALL_1, {"18": IN_HALL_1}, f"; “18” {SAME_SLOT}", id="another-id"),
        pytest.param("title:a", {"place": "Lawn"}, {"title:b": {"place": "Lawn"}}, f"; “B” {SAME_SLOT}{REMEDY}", id="a-place"),
        pytest.param("title:a", IN_HALL_1, {"title:b": {"room": "hall-2"}}, "", id="another-room"),
        pytest.param("title:a", IN_HALL_1, {"title:b": {**IN_HALL_1, "start": at("09:30")}}, "", id="another-start"),
        pytest.param("title:a", IN_HALL_1, {"title:b": IN_HALL_1, "title:c": IN_HALL_1}, "", id="two-new-ones"),
        pytest.param("title:a", {}, {"title:b": {}}, "", id="no-room"),
        pytest.param("title:a", {**IN_HALL_1, **NO_HOURS}, {"title:b": {**IN_HALL_1, **NO_HOURS}}, "", id="no-hour"),
    ],
)
def test_cancelled_event_names_the_new_one_in_its_place(
    former: str, slot: dict[str, Any], new: dict[str, dict[str, Any]], reason: str
) -> None:
    others = talks(1, 2, 3, 4).events
    sync(programme(event(former, title="A", **slot), *others), source="file")
    added = (event(key, title=key.removeprefix("title:").upper(), **fields) for key, fields in new.items())

    report = sync(programme(*added, *others), source="file", dry_run=True)

    assert report.sentences("cancelled") == [f"cancelled “A”: no longer in the file{reason}"]


def test_new_event_in_a_new_room_takes_no_place() -> None:
    others = talks(1, 2, 3, 4).events
    sync(programme(event("title:a"), *others), source="file")
    new_room = RoomData(key="attic", zone="hall", name="Attic")

    moved = programme(event("title:b", room="attic"), *others)
    report = sync(dataclasses.replace(moved, rooms=(*moved.rooms, new_room)), source="file")

    assert report.sentences("cancelled") == ["cancelled “Title:a”: no longer in the file"]
