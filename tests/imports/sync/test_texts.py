"""Subtitle, description, licence, opt-out and names of other programs, through several imports."""

from __future__ import annotations

from typing import Any

import pytest

from events.exports.programme import programme_data, whole_programme
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncError
from events.models import Change, Conference, Event
from tests.factories import THURSDAY
from tests.imports.sync.programmes import event, programme, row

pytestmark = pytest.mark.django_db
TEXTS: dict[str, Any] = {
    "subtitle": "And why",
    "description": "At length.",
    "recording_license": "CC BY 4.0",
    "do_not_record": True,
    "export_number": 4711,
    "export_slug": "demo-4711-keynote",
    "logo_url": "https://logos.example/keynote.png",
}


def test_all_of_them_are_stored_and_exported() -> None:
    sync(programme(event(**TEXTS)), source="file", hooks=PUBLISHING)

    stored, (exported,) = row("keynote"), programme_data(whole_programme(Conference.objects.get(), THURSDAY)).events
    assert {name: getattr(stored, name) for name in TEXTS} == TEXTS
    assert {name: getattr(exported, name) for name in TEXTS} == TEXTS


def test_same_file_again_changes_nothing() -> None:
    data = programme(event(**TEXTS))
    sync(data, source="file", hooks=PUBLISHING)

    assert sync(data, source="file", hooks=PUBLISHING).is_empty


@pytest.mark.parametrize(
    ("field", "value", "other"),
    [
        pytest.param("subtitle", "By hand", "Of the file", id="subtitle"),
        pytest.param("description", "By hand", "Of the file", id="description"),
        pytest.param("recording_license", "CC 0", "CC BY-SA 4.0", id="licence"),
        pytest.param("do_not_record", False, None, id="recorded"),
        pytest.param("export_number", 1, 2, id="number"),
        pytest.param("export_slug", "demo-1-hand", "demo-2-file", id="slug"),
        pytest.param("logo_url", "https://logos.example/hand.png", "https://logos.example/file.png", id="logo"),
    ],
)
def test_value_given_by_hand_stays_and_is_reported(field: str, value: Any, other: Any) -> None:
    sync(programme(event(**TEXTS)), source="file", hooks=PUBLISHING)
    edited = row("keynote")
    setattr(edited, field, value)
    edited.revise()

    report = sync(programme(event(**TEXTS | {field: other})), source="file", hooks=PUBLISHING)

    assert getattr(row("keynote"), field) == value
    assert len(report.sentences("kept")) == 1


def test_opt_out_by_hand_stays_where_the_file_says_recorded() -> None:
    sync(programme(event(do_not_record=False)), source="file", hooks=PUBLISHING)
    Event.objects.update(do_not_record=True)

    report = sync(programme(event(do_not_record=False, title="Keynote, moved")), source="file", hooks=PUBLISHING)

    assert (row("keynote").do_not_record, row("keynote").title) == (True, "Keynote, moved")
    # As with every field that a file leaves empty, it is no conflict that somebody fills it in.
    assert report.sentences("kept") == []


def test_opt_out_is_a_change_that_attendees_read() -> None:
    sync(programme(event(do_not_record=None)), source="file", hooks=PUBLISHING)
    sync(programme(event(do_not_record=False)), source="file", hooks=PUBLISHING)
    assert Change.objects.count() == 0

    sync(programme(event(do_not_record=True)), source="file", hooks=PUBLISHING)

    assert [(it.field, it.old, it.new) for it in Change.objects.all()] == [("do_not_record", "", "yes")]


def test_texts_that_were_in_the_abstract_come_apart_without_a_conflict() -> None:
    """As after an upgrade: until they had fields, imports joined subtitle and description with the abstract."""
    sync(programme(event(abstract="And why\n\nIn short.\n\nAt length.")), source="file", hooks=PUBLISHING)
    for stored in Event.objects.all():
        stored.imported = {name: value for name, value in stored.imported.items() if name not in TEXTS}
        stored.save()

    report = sync(programme(event(abstract="In short.", **TEXTS)), source="file", hooks=PUBLISHING)

    assert (row("keynote").subtitle, row("keynote").abstract, row("keynote").description) == (
        "And why",
        "In short.",
        "At length.",
    )
    assert report.sentences("kept") == []


def test_number_that_no_database_can_store_is_refused_by_name() -> None:
    with pytest.raises(SyncError, match=r"“keynote”: export_number: .* 2147483647"):
        sync(programme(event(export_number=2**31)), source="file", hooks=PUBLISHING)
    assert not Event.objects.exists()
