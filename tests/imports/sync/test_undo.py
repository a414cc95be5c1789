"""Taking an import back: what it did, nothing that was done after it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from events.imports.formats.seeds.reader import parse_folder
from events.imports.sync.edits import TABLES
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.imports.sync.undo import UndoRefusedError, changed_since, undo
from events.models import Appearance, Change, ChangeGroup, Conference, Event, Person, Room, Track
from tests.factories import make_agenda
from tests.imports.sync.programmes import CONFERENCE, at, changed, event, programme, whole_programme, with_events

pytestmark = pytest.mark.django_db
SEED = Path(__file__).parents[3] / "seeds" / "iclr-2025"
CHANGED_PARTS = {"types", "rooms", "people", "papers", "events", "awards", "announcements", "services"}
NEW_PARTS = ("people", "awards")
IGNORED = {"sequence", "revised_at", "announced"}


def import_file(data: Any) -> ChangeGroup:
    report = sync(data, source="file", allow_cancel=True, hooks=PUBLISHING)
    assert report.group is not None
    return ChangeGroup.objects.get(pk=report.group.pk)


def rows() -> dict[str, list[dict[str, Any]]]:
    """Everything that an import writes, without what only rises."""
    found = {}
    for model in (Conference, Event, Person, Room, Track, Appearance):
        found[model.__name__] = [
            {name: value for name, value in row.items() if name not in IGNORED | {"id", "revision"} or model is Event}
            for row in model.objects.order_by("pk").values()
        ]
    for row in found["Event"]:
        for name in IGNORED:
            del row[name]
    return found


def test_undo_restores_every_row() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    before = rows()
    data = changed(whole_programme(), "oral", start=at("09:30"), room="hall-2", people=(), title="Another")
    hall = dataclasses.replace(data.rooms[0], name="Renamed hall")
    group = import_file(with_events(dataclasses.replace(data, rooms=(hall, *data.rooms[1:])), *data.events, event("new")))
    assert rows() != before

    undo(group, by="olga")

    assert rows() == before


def bare(item: Any) -> Any:
    """An item with nothing but what it must have."""
    fields = [field for field in dataclasses.fields(item) if field.name not in {"key", "guid"}]
    return dataclasses.replace(item, **{it.name: it.default for it in fields if it.default is not dataclasses.MISSING})


@pytest.mark.parametrize("is_new", [False, True], ids=["rows-are-there", "rows-appear-with-it"])
def test_rows_are_noted_as_they_are_read(is_new: bool) -> None:
    """What the undo compares is made of the plan, before the rows are written."""
    whole = parse_folder(SEED)
    # Without people, what is written refers to rows that the same import makes.
    parts = {part: () if is_new and part in NEW_PARTS else tuple(map(bare, getattr(whole, part))) for part in TABLES}
    sync(dataclasses.replace(whole, **parts), source="file", hooks=PUBLISHING)

    group = import_file(whole)

    noted = {part for part, edits in group.edits.items() if any(edit["before"] for edit in edits.values())}
    assert noted >= CHANGED_PARTS - set(NEW_PARTS if is_new else ())
    assert changed_since(group) == []


def test_undo_is_one_more_announced_change() -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    group = import_file(changed(whole_programme(), "oral", title="Another"))

    undone = undo(group, by="olga")

    group.refresh_from_db()
    undone.refresh_from_db()
    assert (undone.kind, undone.title, undone.by, undone.is_public) == ("undo", "Taken back: Programme updated", "olga", True)
    assert [(it.field, it.old) for it in Change.objects.filter(group=undone)] == [("title", "Another")]
    assert group.undone_at is not None


def test_undo_of_the_first_import_leaves_an_empty_conference() -> None:
    group = import_file(whole_programme())

    undo(group)

    assert Conference.objects.count() == 1
    assert [model.objects.count() for model in (Event, Person, Room, Track)] == [0, 0, 0, 0]


def test_new_event_that_somebody_has_is_cancelled() -> None:
    sync(programme(event("one")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one"), event("two"), event("three")))
    make_agenda(Conference.objects.get(), Event.objects.get(source_key="two"))

    undone = undo(group)

    undone.refresh_from_db()
    assert sorted(Event.objects.values_list("source_key", "status")) == [("one", "confirmed"), ("two", "cancelled")]
    assert undone.note == "1 event is no longer in the programme."


def test_cancelled_event_takes_place_again() -> None:
    sync(programme(event("one"), event("two")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one")))

    undo(group)

    assert Event.objects.get(source_key="two").status == "confirmed"


def test_same_file_can_be_imported_again_after_its_undo() -> None:
    sync(programme(event("one")), source="file", hooks=PUBLISHING)
    later = programme(event("one", title="Later"), event("two"))
    undo(import_file(later))

    report = sync(later, source="file")

    assert (report.created, report.changed) == (1, 1)
    assert sorted(Event.objects.values_list("source_key", flat=True)) == ["one", "two"]


def test_rooms_that_swapped_their_names_swap_back() -> None:
    data = whole_programme()
    sync(data, source="file", hooks=PUBLISHING)
    first, second, *rest = data.rooms
    before = list(Room.objects.order_by("pk").values_list("name", flat=True))
    swapped = (dataclasses.replace(first, name=second.name), dataclasses.replace(second, name=first.name), *rest)
    group = import_file(dataclasses.replace(data, rooms=swapped))

    undo(group)

    assert list(Room.objects.order_by("pk").values_list("name", flat=True)) == before


@pytest.mark.parametrize("key", ["oral", "new"])
def test_later_edit_is_not_lost(key: str) -> None:
    sync(whole_programme(), source="file", hooks=PUBLISHING)
    group = import_file(
        with_events(
            changed(whole_programme(), "oral", title="Another"),
            *changed(whole_programme(), "oral", title="Another").events,
            event("new"),
        )
    )
    row = Event.objects.get(source_key=key)
    row.abstract = "By hand"
    row.revise()
    before = rows()

    with pytest.raises(UndoRefusedError, match="Changed again later"):
        undo(group)

    assert rows() == before
    assert not ChangeGroup.objects.filter(kind="undo").exists()


def test_edit_of_another_event_does_not_prevent_it() -> None:
    sync(programme(event("one"), event("two")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one", title="Later"), event("two")))
    other = Event.objects.get(source_key="two")
    other.title = "By hand"
    other.revise()

    undo(group)

    assert min(Event.objects.values_list("title", flat=True)) == "By hand"


def test_closing_date_of_proposals_does_not_prevent_it_and_stays() -> None:
    sync(programme(event("one")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one"), conference=dataclasses.replace(CONFERENCE, title="Another")))
    Conference.objects.update(proposals_until=at("12:00"))

    undo(group)

    conference = Conference.objects.get()
    assert (conference.title, conference.proposals_until) == (CONFERENCE.title, at("12:00"))


def test_nothing_is_taken_back_twice() -> None:
    sync(programme(event("one")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one", title="Later")))
    undo(group)

    with pytest.raises(UndoRefusedError, match="already"):
        undo(group)


def test_undo_in_a_draft_is_announced_to_nobody() -> None:
    sync(programme(event("one")), source="file")
    report = sync(programme(event("one", title="Later"), event("two")), source="file")
    assert report.group is not None

    undone = undo(report.group)

    undone.refresh_from_db()
    assert not undone.is_public
    assert not Change.objects.exists()


def test_refusal_names_the_later_change_and_what_takes_it_back() -> None:
    sync(programme(event("one"), event("two")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one", title="Later"), event("two")))
    row = Event.objects.get(source_key="one")
    row._history_user = User.objects.create_user("olga")  # type: ignore[attr-defined]
    row.title = "By hand"
    row.revise()

    with pytest.raises(UndoRefusedError) as refused:
        undo(group)

    assert str(refused.value) == (
        "Changed again later, which would be lost: event “By hand” (title: “Later” → “By hand”, by olga). "
        "Write “Later” again, or take back the later change first."
    )


def test_value_that_is_written_again_lets_it_be_taken_back() -> None:
    sync(programme(event("one"), event("two")), source="file", hooks=PUBLISHING)
    group = import_file(programme(event("one", title="Later"), event("two")))
    for title in ("By hand", "Later"):
        row = Event.objects.get(source_key="one")
        row.title = title
        row.revise()

    undo(group)

    assert Event.objects.get(source_key="one").title == event("one").title
