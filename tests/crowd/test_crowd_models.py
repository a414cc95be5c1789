"""Crowd reports as they are stored: their target, weight and retention."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction

from events.agenda.merging import merge_visitors
from events.crowd.models import current_event, report_event_id, reporter_weight
from events.models import Agenda, CrowdReport, Event, Service
from tests.factories import at, make_agenda, make_conference, make_event, make_report, make_room, visitor_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def talk() -> Event:
    conference = make_conference()
    return make_event(conference, kind="invited-talk", start="10:00", end="11:00", room=make_room(conference))


def say(agenda: Agenda, event: Event, state: str, time: str) -> bool:
    with time_machine.travel(at(time), tick=False):
        return CrowdReport.record(agenda, event, state)


def kept() -> list[tuple[Any, ...]]:
    return list(CrowdReport.objects.order_by("pk").values_list("event", "state", "at"))


def test_report_replaces_the_previous_one(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)

    assert [say(agenda, talk, "full", "10:01"), say(agenda, talk, "open", "10:05")] == [True, True]
    assert kept() == [(talk.pk, "open", at("10:05"))]


def test_wrong_tap_is_put_right_at_once(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)

    assert [say(agenda, talk, "full", "10:01"), say(agenda, talk, "open", "10:01:05")] == [True, True]
    assert kept() == [(talk.pk, "open", at("10:01:05"))]


@pytest.mark.parametrize(("time", "noted"), [("10:01:29", False), ("10:01:30", True)])
def test_nobody_is_in_two_places_within_half_a_minute(talk: Event, time: str, noted: bool) -> None:
    agenda, _ = make_agenda(talk.conference)
    other = make_event(talk.conference, start="10:00", end="11:00", room=make_room(talk.conference, "Hall 2"))
    say(agenda, talk, "full", "10:01")

    assert say(agenda, other, "full", time) == noted
    assert [event for event, *_ in kept()] == [talk.pk, other.pk][: 1 + noted]


def test_line_and_room_are_two_places(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    desk = Service.objects.create(conference=talk.conference, name="Registration")
    hours = make_event(talk.conference, kind="service", start="08:00", end="18:00", service=desk, room=talk.room)

    assert [say(agenda, hours, "full", "10:01"), say(agenda, talk, "full", "10:01:20")] == [True, False]
    assert [say(agenda, talk, "full", "10:02"), say(agenda, hours, "full", "10:02:20")] == [True, False]


def test_report_changes_the_agenda_but_no_calendar(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    agenda.fetches.create(agenda_revision=agenda.revision, conference_revision=0, client="x", at=at("09:00"))

    say(agenda, talk, "full", "10:01")

    agenda.refresh_from_db()
    assert [it.agenda_revision for it in agenda.fetches.all()] == [agenda.revision]


def test_report_about_a_talk_is_about_its_session(talk: Event) -> None:
    inside = make_event(talk.conference, kind="talk", start="10:00", end="10:20", room=talk.room, session=talk)
    other_room = make_event(
        talk.conference, kind="talk", start="10:00", end="10:20", room=make_room(talk.conference, "Hall 2"), session=talk
    )

    assert [report_event_id(it) for it in (talk, inside, other_room)] == [talk.pk, talk.pk, other_room.pk]


def test_line_is_of_a_service_and_its_hours(talk: Event) -> None:
    desk = Service.objects.create(conference=talk.conference, name="Registration")
    hours = make_event(talk.conference, kind="service", start="08:00", end="18:00", service=desk, room=talk.room)

    say(make_agenda(talk.conference)[0], hours, "full", "10:00")

    assert list(CrowdReport.objects.values_list("service", "room", "event")) == [(desk.pk, None, hours.pk)]


NEW, HOUR_OLD = dt.timedelta(minutes=59, seconds=59), dt.timedelta(hours=1)
FRESH_PICK, OLD_PICK = dt.timedelta(minutes=14, seconds=59), dt.timedelta(minutes=15)


@pytest.mark.parametrize(
    ("age", "picked", "level", "weight"),
    [
        pytest.param(NEW, None, "must", 1, id="fresh"),
        pytest.param(HOUR_OLD, None, "must", 2, id="an-hour-old"),
        pytest.param(NEW, OLD_PICK, "must", 2, id="picked"),
        pytest.param(NEW, OLD_PICK, "maybe", 2, id="picked-as-a-maybe"),
        pytest.param(NEW, OLD_PICK, "later", 1, id="only-to-watch-later"),
        pytest.param(NEW, FRESH_PICK, "must", 1, id="picked-to-be-believed"),
    ],
)
def test_weight_of_a_report(talk: Event, age: dt.timedelta, picked: dt.timedelta | None, level: str, weight: int) -> None:
    now = at("10:30")
    agenda, _ = make_agenda(talk.conference)
    agenda.created_at = now - age
    if picked:
        agenda.bookmark(talk, on=True, level=level)
        agenda.bookmarks.update(created_at=now - picked)

    assert reporter_weight(agenda, talk, now) == weight


def test_pick_taken_back_or_of_another_event_adds_no_weight(talk: Event) -> None:
    other = make_event(talk.conference, start="10:00", end="11:00")
    agenda, _ = make_agenda(talk.conference, talk, other)
    agenda.bookmarks.update(created_at=at("08:00"))
    agenda.created_at = at("10:00")
    agenda.bookmark(talk, on=False)

    assert reporter_weight(agenda, talk, at("10:30")) == 1


def test_reports_are_stored_for_three_hours(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    later = make_event(talk.conference, start="13:00", end="14:00", room=talk.room)
    make_report(talk, "full", "10:00")
    make_report(talk, "open", "10:00:01")

    say(agenda, later, "full", "13:00")

    assert kept() == [(talk.pk, "open", at("10:00:01")), (later.pk, "full", at("13:00"))]


def test_uncounted_report_has_no_weight_until_more_is_known(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    Agenda.objects.update(created_at=at("09:30"))
    weights = []

    for time, counts in [("10:01", False), ("10:05", True), ("10:30", True)]:
        agenda.refresh_from_db()
        CrowdReport.record(agenda, talk, "full", at(time), counts=counts)
        weights.append(CrowdReport.objects.get().weight)

    assert weights == [0, 0, 2]


def test_counted_report_stays_counted(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    Agenda.objects.update(created_at=at("10:00"))
    agenda.refresh_from_db()

    for time, counts in [("10:01", True), ("10:05", False)]:
        CrowdReport.record(agenda, talk, "full", at(time), counts=counts)

    assert CrowdReport.objects.get().weight == 1


def test_newcomer_is_a_fresh_agenda_without_a_report(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    Agenda.objects.update(created_at=at("10:00"))
    agenda.refresh_from_db()

    before = CrowdReport.is_from_newcomer(agenda, talk, at("10:01"))
    known = CrowdReport.is_from_newcomer(agenda, talk, at("11:00"))
    CrowdReport.record(agenda, talk, "full", at("10:01"))

    assert (before, known, CrowdReport.is_from_newcomer(agenda, talk, at("10:05"))) == (True, False, False)


def test_staff_say_and_take_back(talk: Event) -> None:
    assert talk.room
    with time_machine.travel(at("10:10"), tick=False):
        report = CrowdReport.record_as_staff(talk.room, "open")
    say(make_agenda(talk.conference)[0], talk, "full", "10:11")

    assert (report.by_staff, report.event, report.agenda) == (True, talk, None)
    CrowdReport.delete_staff_report(talk.room)
    assert kept() == [(talk.pk, "full", at("10:11"))]


@pytest.mark.parametrize(
    ("time", "title"),
    [("09:44", None), ("09:45", "First"), ("10:59", "First"), ("11:00", "Second"), ("12:00", None)],
    ids=["too-early", "at-the-door", "to-the-end", "the-next-one", "all-over"],
)
def test_what_is_on_in_a_room(talk: Event, time: str, title: str | None) -> None:
    Event.objects.update(title="First")
    make_event(talk.conference, title="Second", start="11:00", end="12:00", room=talk.room)
    make_event(talk.conference, title="Draft", start="09:00", end="12:30", room=talk.room, status="draft")
    make_event(talk.conference, title="Cancelled", start="09:00", end="12:30", room=talk.room, status="cancelled")

    assert talk.room
    found = current_event(talk.room, at(time))
    assert (found and found.title) == title


def test_merged_devices_are_one_witness(talk: Event) -> None:
    agenda, token = make_agenda(talk.conference)
    other, other_token = make_agenda(talk.conference)
    say(agenda, talk, "full", "10:01")
    say(other, talk, "full", "10:01")

    merge_visitors(visitor_of(other_token), visitor_of(token))

    assert list(CrowdReport.objects.values_list("agenda", flat=True)) == [agenda.pk]


def test_reports_are_deleted_with_their_agenda(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    say(agenda, talk, "full", "10:01")

    agenda.delete()

    assert CrowdReport.objects.count() == 0


def test_report_is_about_one_place(talk: Event) -> None:
    desk = Service.objects.create(conference=talk.conference, name="Registration")

    for places in [{"room": None}, {"service": desk}]:
        with pytest.raises(IntegrityError), transaction.atomic():
            make_report(talk, **places)
