from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.models import Event
from tests.calendars.reading import read, values
from tests.calendars.writing import property_of, written
from tests.factories import (
    THURSDAY,
    at,
    make_conference,
    make_day,
    make_event,
    make_room,
)

FRIDAY = THURSDAY + dt.timedelta(days=1)

pytestmark = pytest.mark.django_db


def test_uid_is_the_guid_whatever_is_edited(settings: Any) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    before = property_of(event, "UID")

    event.title, event.start, event.end, event.place = "Other", at("11:00"), at("12:00"), "Elsewhere"
    event.revise()
    settings.SITE_URL = "https://moved.example"

    assert (before, property_of(event, "UID")) == (str(event.guid), str(event.guid))


def test_two_slots_of_one_session_have_two_uids() -> None:
    conference = make_conference()
    session = make_event(conference)
    slots = [make_event(conference, title="Same talk", session=session, start="09:00", end="10:00") for _ in range(2)]

    assert len({property_of(slot, "UID") for slot in slots}) == 2


def test_dtstamp_is_the_last_change_and_not_now() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    Event.objects.filter(pk=event.pk).update(revised_at=dt.datetime(2025, 3, 1, 8, 30, 15, 999, tzinfo=dt.UTC))

    assert (property_of(event, "DTSTAMP"), property_of(event, "LAST-MODIFIED")) == ("20250301T083015Z", "20250301T083015Z")


def test_created_stays_when_the_event_changes() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00", created_at=dt.datetime(2025, 1, 2, tzinfo=dt.UTC))

    event.title = "Other"
    event.revise()

    assert property_of(event, "CREATED") == "20250102T000000Z"


@pytest.mark.parametrize(
    ("field", "value", "sequence"),
    [
        pytest.param("title", "Other", "1", id="title"),
        pytest.param("start", at("08:00"), "1", id="start"),
        pytest.param("end", at("12:00"), "1", id="end"),
        pytest.param("place", "Elsewhere", "1", id="place"),
        pytest.param("status", "cancelled", "1", id="status"),
        pytest.param("abstract", "Longer", "0", id="text-moves-no-sequence"),
        pytest.param("board", "7", "0", id="board-moves-no-sequence"),
    ],
)
def test_sequence_rises_with_what_makes_people_come_at_another_time(field: str, value: object, sequence: str) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    before = property_of(event, "LAST-MODIFIED")
    Event.objects.filter(pk=event.pk).update(revised_at=dt.datetime(2025, 1, 1, tzinfo=dt.UTC))

    setattr(event, field, value)
    event.revise()

    assert property_of(event, "SEQUENCE") == sequence
    assert property_of(event, "LAST-MODIFIED") >= before


def test_sequence_rises_with_another_day_or_room() -> None:
    conference = make_conference()
    event = make_event(conference, room=make_room(conference, "Hall 1"))
    sequences = [property_of(event, "SEQUENCE")]

    event.day = make_day(conference, FRIDAY)
    event.revise()
    sequences.append(property_of(event, "SEQUENCE"))
    event.room = make_room(conference, "Hall 2")
    event.revise()
    sequences.append(property_of(event, "SEQUENCE"))

    assert sequences == ["0", "1", "2"]


@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(["title", "place", "status", "abstract"]),
            st.sampled_from(["draft", "confirmed", "cancelled"]),
        ),
        max_size=6,
    )
)
def test_sequence_never_goes_down(edits: list[tuple[str, str]]) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    seen = [event.sequence]

    for field, value in edits:
        setattr(event, field, value)
        event.revise()
        seen.append(event.sequence)

    assert seen == sorted(seen)


def test_cancelling_and_taking_it_back_are_two_steps_of_one_entry() -> None:
    event = make_event(make_conference(), title="Karaoke", start="20:00", end="22:00", place="Bar")
    event.status = "cancelled"
    event.revise()
    cancelled = written(event)

    event.status = "confirmed"
    event.revise()
    back = written(event)

    assert [(e.uid, e.summary, e.status) for e in read(cancelled)] == [(str(event.guid), "Cancelled: Karaoke", "CANCELLED")]
    assert [(e.uid, e.summary, e.status) for e in read(back)] == [(str(event.guid), "Karaoke", "CONFIRMED")]
    assert (values(cancelled, "SEQUENCE"), values(back, "SEQUENCE")) == ([":1"], [":2"])
    assert (values(cancelled, "TRANSP"), values(back, "TRANSP")) == ([":TRANSPARENT"], [":OPAQUE"])


def test_uid_is_a_random_uuid_without_a_host() -> None:
    event = make_event(make_conference())

    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", property_of(event, "UID"))
