"""Two releases of one programme, weeks apart: the differences are those counted in the files."""

from __future__ import annotations

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.calendars.feeds import agenda_feed, schedule_feed
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncReport
from events.models import Agenda, Change, Conference, Event
from events.programme.data.schedule import ScheduleData
from tests.factories import make_agenda
from tests.imports.sync.programmes import everything

FILES = Path(__file__).parents[2] / "data/excerpts/schedule_xml"
BEFORE, AFTER = FILES / "pretalx_before.xml", FILES / "pretalx_after.xml"
NOW = dt.datetime(2025, 1, 20, 12, tzinfo=dt.UTC)

pytestmark = pytest.mark.django_db


@cache
def read(path: Path) -> ScheduleData:
    return registry.parse_document(Document.read(path), Hints(slug="open-2025"))[1]


def bring_in(path: Path) -> SyncReport:
    return sync(read(path), source="schedule.xml", hooks=PUBLISHING)


def state() -> dict[str, dict[str, Any]]:
    fields = ("start", "end", "room__name", "title", "status")
    return {str(it.pop("guid")): it for it in Event.objects.order_by("pk").values("guid", *fields)}


def test_differences_are_those_that_were_counted_and_bookmarks_stay() -> None:
    first = bring_in(BEFORE)
    before = state()
    agenda, _ = make_agenda(Conference.objects.get(), *Event.objects.order_by("pk")[::4])
    picked = set(agenda.bookmarked_ids())
    assert str(first) == "created 28, changed 0, cancelled 0, unchanged 0, skipped 0"
    assert not Change.objects.exists()

    second = bring_in(AFTER)

    after = state()
    common = [key for key in before if after[key]["status"] == "confirmed"]
    told = Change.objects.all()
    assert (second.created, second.cancelled, second.changed + second.unchanged, second.skipped) == (5, 3, 25, 0)
    assert len(common) == 25
    assert {
        "moved": sum(before[key]["start"] != after[key]["start"] for key in common),
        "longer or shorter": sum(length(before[key]) != length(after[key]) for key in common),
        "other room": sum(before[key]["room__name"] != after[key]["room__name"] for key in common),
        "other title": sum(before[key]["title"] != after[key]["title"] for key in common),
    } == {"moved": 6, "longer or shorter": 3, "other room": 4, "other title": 3}
    assert {
        "new": told.filter(field="status", old="", new="confirmed").count(),
        "cancelled": told.filter(field="status", old="confirmed", new="cancelled").count(),
        "moved": told.filter(field="start").count(),
        "other room": told.filter(field="room").count(),
        "other title": told.filter(field="title").count(),
    } == {"new": 5, "cancelled": 3, "moved": 6, "other room": 4, "other title": 3}
    assert len(picked) == 7
    assert set(Agenda.objects.get(pk=agenda.pk).bookmarked_ids()) == picked


def test_same_file_again_writes_nothing() -> None:
    bring_in(AFTER)
    conference = Conference.objects.get()
    agenda, _ = make_agenda(conference, *Event.objects.order_by("pk")[:20])
    rows, feeds = everything(), feed_bytes(agenda)

    report = bring_in(AFTER)

    assert str(report) == "created 0, changed 0, cancelled 0, unchanged 30, skipped 0"
    assert report.is_empty
    assert Conference.objects.get().revision == conference.revision
    assert everything() == rows
    assert feed_bytes(agenda) == feeds


def length(row: dict[str, Any]) -> dt.timedelta:
    span: dt.timedelta = row["end"] - row["start"]
    return span


def feed_bytes(agenda: Agenda) -> tuple[bytes, str, bytes, str]:
    own, whole = agenda_feed(agenda, NOW), schedule_feed(Conference.objects.get(pk=agenda.conference_id))
    return own.body, own.etag, whole.body, whole.etag
