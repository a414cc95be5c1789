"""Properties that hold for any programme and any change of it."""

from __future__ import annotations

import dataclasses
import datetime as dt
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncReport
from events.models import Bookmark, Change, Conference, Event
from events.programme.data.place import RoomData
from events.programme.data.schedule import AppearanceData, EventData, PersonData, ScheduleData, TrackData
from tests.factories import at, make_agenda
from tests.imports.sync.programmes import event, everything, programme

pytestmark = pytest.mark.django_db

ROOMS, TRACKS, PEOPLE = ("", "hall-1", "hall-2", "foyer"), ("", "theory", "practice"), ("ada", "grace")
NIGHT = dt.timedelta(hours=1)
_number = count(1)


@st.composite
def events(draw: st.DrawFn, key: str) -> EventData:
    start = draw(st.one_of(st.none(), st.sampled_from([at("09:00"), at("09:30"), at("23:30"), at("23:59") + NIGHT])))
    return event(
        key,
        title=draw(st.text("ab 𝔘é", min_size=1, max_size=5).filter(str.strip)),
        start=start,
        end=start + draw(st.timedeltas(dt.timedelta(minutes=1), dt.timedelta(hours=8))) if start else None,
        room=draw(st.sampled_from(ROOMS)),
        track=draw(st.sampled_from(TRACKS)),
        status=draw(st.sampled_from(["confirmed", "tentative", "cancelled", "draft"])),
        people=tuple(AppearanceData(person=key) for key in draw(st.sets(st.sampled_from(PEOPLE)))),
        capacity=draw(st.one_of(st.none(), st.integers(0, 2**31 - 1))),
        session=draw(st.sampled_from(["", "", "whole"])),
    )


@st.composite
def programmes(draw: st.DrawFn) -> ScheduleData:
    keys = draw(st.sets(st.sampled_from("abcdef")))
    made = [draw(events(key)) for key in sorted(keys)]
    rooms = (*programme().rooms, RoomData(key="foyer", zone="", name=draw(st.sampled_from(["Foyer", "Lobby"]))))
    return programme(
        *draw(st.permutations([event("whole", type="talk"), *made])),
        rooms=tuple(draw(st.permutations(rooms))),
        tracks=tuple(TrackData(key=key, name=draw(st.sampled_from("XY"))) for key in TRACKS if key),
        people=tuple(PersonData(key=key, name=draw(st.sampled_from("AB"))) for key in PEOPLE),
    )


def taken(data: ScheduleData, slug: str) -> SyncReport:
    named = dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=slug))
    return sync(named, source="file", allow_cancel=True)


@given(first=programmes(), second=programmes())
def test_same_file_again_writes_nothing_whatever_came_before(first: ScheduleData, second: ScheduleData) -> None:
    slug = f"twice-{next(_number)}"
    taken(first, slug)
    taken(second, slug)
    before = everything()

    again = taken(second, slug)

    assert (again.lines, again.is_empty, again.unchanged) == ([], True, len(second.events))
    assert everything() == before


@given(rounds=st.lists(programmes(), min_size=2, max_size=4))
def test_rows_have_the_values_of_the_last_file_and_changes_are_recorded(rounds: list[ScheduleData]) -> None:
    slug = f"rounds-{next(_number)}"
    for data in rounds:
        report = taken(data, slug)

        conference = Conference.objects.get(slug=slug)
        rows = {it.source_key: it for it in conference.events.all()}
        last = {it.key: it for it in data.events}
        assert {key: (it.title, it.start, it.end, it.status, it.capacity) for key, it in rows.items() if key in last} == {
            key: (it.title, it.start, it.end, it.status, it.capacity) for key, it in last.items()
        }
        assert {it.status for key, it in rows.items() if key not in last} <= {"cancelled", "draft"}
        assert all(it.announced == it.public_snapshot() for it in rows.values())
        assert report.created + report.changed + report.unchanged == len(data.events)


@given(rounds=st.lists(programmes(), min_size=1, max_size=4))
def test_bookmarks_stay_through_moves_and_disappearances(rounds: list[ScheduleData]) -> None:
    slug = f"picks-{next(_number)}"
    taken(programme(*(event(key) for key in "abcdef"), event("whole")), slug)
    conference = Conference.objects.get(slug=slug)
    agenda, _ = make_agenda(conference, *conference.events.all())
    before = list(Bookmark.objects.filter(agenda=agenda).order_by("pk").values())
    guids = dict(conference.events.values_list("source_key", "guid"))
    sequences = dict(conference.events.values_list("source_key", "sequence"))

    for data in rounds:
        taken(data, slug)
        now = dict(conference.events.values_list("source_key", "sequence"))
        assert all(now[key] >= sequences[key] for key in sequences)
        sequences = now

    assert list(Bookmark.objects.filter(agenda=agenda).order_by("pk").values()) == before
    assert {key: guid for key, guid in conference.events.values_list("source_key", "guid") if key in guids} == guids


def test_missing_event_that_returns_at_another_time_has_its_bookmark() -> None:
    data = programme(*(event(f"talk-{number}") for number in range(6)))
    sync(data, source="file", hooks=PUBLISHING)
    talk = Event.objects.get(source_key="talk-5")
    agenda, _ = make_agenda(talk.conference, talk)

    sync(dataclasses.replace(data, events=data.events[:5]), source="file")
    moved = dataclasses.replace(data.events[5], start=at("11:00"), end=at("12:00"))
    report = sync(dataclasses.replace(data, events=(*data.events[:5], moved)), source="file")

    again = Event.objects.get(source_key="talk-5")
    assert (again.pk, again.guid, again.status, again.start, again.sequence) == (talk.pk, talk.guid, "confirmed", at("11:00"), 2)
    assert list(agenda.events.all()) == [again]
    assert str(report) == "created 0, changed 1, cancelled 0, unchanged 5, skipped 0"
    assert [(it.field, it.new) for it in Change.objects.filter(event=again).order_by("pk")] == [
        ("status", "cancelled"),
        ("status", "confirmed"),
        ("start", "2025-04-24T03:00:00+00:00"),
        ("end", "2025-04-24T04:00:00+00:00"),
    ]


def test_forty_moved_events_take_as_many_queries_as_four() -> None:
    counts = []
    for size in (4, 40):
        slug = f"size-{size}"
        data = programme(*(event(f"talk-{number}") for number in range(size)))
        taken(data, slug)
        later = [dataclasses.replace(it, start=at("10:00"), end=at("11:00")) for it in data.events]
        with CaptureQueriesContext(connection) as asked:
            taken(dataclasses.replace(data, events=tuple(later)), slug)
        counts.append(len(asked))

    # One more where a statement takes no more parameters.
    assert counts[1] - counts[0] < 4
