from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.core.clock import Clock
from events.models import Award, Conference, Event
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_report,
    make_room,
)
from tests.pages.queries.reading import card_of, clock, flags

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

VIDEO = "https://example.org/video"


@pytest.mark.parametrize(
    ("fields", "now", "shown"),
    [
        pytest.param({}, clock("08:00"), [], id="nothing-to-say"),
        pytest.param({}, clock("10:30"), [("now", "On now")], id="on-now"),
        pytest.param({"status": "cancelled"}, clock("10:30"), [("cancelled", "Cancelled")], id="cancelled-is-not-on"),
        pytest.param({"status": "tentative"}, clock("08:00"), [("tentative", "Tentative")], id="tentative"),
        pytest.param({"signup_state": "full", "signup_checked_at": at("07:00")}, clock("08:00"), [("full", "Full")], id="full"),
        pytest.param(
            {"signup_state": "filling", "signup_checked_at": at("07:00")},
            clock("08:00"),
            [("filling", "Filling up")],
            id="filling",
        ),
        pytest.param({"signup_state": "full"}, clock("08:00"), [], id="nobody-looked-whether-it-is-full"),
        pytest.param(
            {"signup_state": "full", "signup_checked_at": at("07:00") - dt.timedelta(days=3)},
            clock("08:00"),
            [],
            id="was-full-days-ago",
        ),
        pytest.param({"signup_until": at("08:00")}, clock("08:00"), [("closed", "Sign-up closed")], id="past-its-deadline"),
        pytest.param({"signup_state": "closed"}, clock("08:00"), [("closed", "Sign-up closed")], id="closed"),
        pytest.param({"signup_state": "open"}, clock("08:00"), [], id="places-left"),
        pytest.param({"recording_url": VIDEO}, clock("08:00"), [("recording", "Recording")], id="recording"),
        pytest.param(
            {"recording_url": VIDEO, "recording_from": THURSDAY}, clock("08:00"), [("recording", "Recording")], id="since-today"
        ),
        pytest.param(
            {"recording_url": VIDEO, "recording_from": THURSDAY + dt.timedelta(days=1)}, clock("08:00"), [], id="tomorrow"
        ),
        pytest.param({"recording_from": THURSDAY}, clock("08:00"), [], id="a-date-without-a-link"),
    ],
)
def test_flags_of_a_talk(fields: dict[str, Any], now: Clock, shown: list[tuple[str, str]]) -> None:
    event = make_event(make_conference(), start="10:00", end="11:00", **fields)

    assert flags(card_of(event, now)) == shown


def test_looking_ahead_does_not_show_a_recording_early() -> None:
    tomorrow = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=2)
    event = make_event(make_conference(), recording_url=VIDEO, recording_from=tomorrow)

    assert flags(card_of(event, clock("08:00", tomorrow + dt.timedelta(days=9), pinned=True))) == []


def test_tentative_without_a_time_says_so_by_its_time() -> None:
    assert flags(card_of(make_event(make_conference(), status="tentative"))) == []


def test_event_without_a_day_says_so() -> None:
    event = make_event(make_conference())
    Event.objects.filter(pk=event.pk).update(day=None)

    assert flags(card_of(event)) == [("tba", "Day to be announced")]


def test_somebody_remote_is_flagged() -> None:
    event = make_event(make_conference())
    make_appearance(event, make_person(event.conference), remote=True)

    assert flags(card_of(event)) == [("remote", "Partly remote")]


def award(conference: Conference, name: str, level: str = "winner", **owners: Any) -> None:
    Award.objects.create(conference=conference, name=name, level=level, year=2025, **owners)


def test_award_of_a_talk_and_of_its_paper_is_shown_once() -> None:
    conference = make_conference()
    paper = make_paper(conference)
    talk, poster = make_event(conference, kind="talk", paper=paper), make_event(conference, kind="poster", paper=paper)
    award(conference, "Test of time", event=talk, paper=paper)
    award(conference, "Outstanding paper", "honourable-mention", paper=paper)

    assert sorted(flags(card_of(talk))) == [
        ("award", "Outstanding paper, honourable mention"),
        ("award", "Test of time, winner"),
    ]
    assert sorted(flags(card_of(poster))) == sorted(flags(card_of(talk)))


def test_award_of_a_hidden_paper_is_not_given_away_by_its_talk() -> None:
    conference = make_conference()
    paper = make_paper(conference, is_public=False)
    talk = make_event(conference, kind="talk", paper=paper)
    award(conference, "Outstanding paper", event=talk, paper=paper)

    assert flags(card_of(talk)) == []


def test_flags_stand_in_one_order() -> None:
    conference = make_conference()
    event = make_event(conference, start="10:00", end="11:00", status="cancelled", signup_state="full", recording_url=VIDEO)
    make_appearance(event, make_person(conference), remote=True)
    award(conference, "Best talk", event=event)

    assert [name for name, _ in flags(card_of(event))] == ["cancelled", "remote", "award", "recording"]


@pytest.mark.parametrize(
    ("state", "reported", "shown"),
    [
        pytest.param("full", "10:20", [("now", "On now"), ("full", "Room: full, 10:20")], id="full"),
        pytest.param("filling", "10:16", [("now", "On now"), ("filling", "Room: nearly full, 10:16")], id="still-fresh"),
        pytest.param("open", "10:29", [("now", "On now"), ("open", "Room: seats left, 10:29")], id="seats-left"),
        pytest.param("full", "10:15", [("now", "On now"), ("crowd", "Room: no recent report")], id="fifteen-minutes-old"),
        pytest.param("open", "09:50", [("now", "On now"), ("crowd", "Room: no recent report")], id="old-and-open"),
        pytest.param("full", "10:31", [("now", "On now")], id="not-reported-yet"),
        pytest.param("full", "07:29", [("now", "On now")], id="hours-ago"),
    ],
)
def test_flags_say_how_full_the_room_was_a_moment_ago(state: str, reported: str, shown: list[tuple[str, str]]) -> None:
    conference = make_conference()
    event = make_event(conference, start="10:00", end="11:00", room=make_room(conference))
    make_report(event, state, reported)

    assert flags(card_of(event, clock("10:30"))) == shown


def test_what_one_person_says_is_no_flag() -> None:
    conference = make_conference()
    event = make_event(conference, start="10:00", end="11:00", room=make_room(conference))
    make_report(event, "full", "10:20", make_agenda(conference)[0], weight=2)

    assert flags(card_of(event, clock("10:30"))) == [("now", "On now")]


def test_room_is_told_of_from_a_quarter_of_an_hour_before() -> None:
    conference = make_conference()
    event = make_event(conference, start="10:00", end="11:00", room=make_room(conference))
    make_report(event, "full", "09:44")

    assert [flags(card_of(event, clock(time))) for time in ("09:44", "09:45", "09:58")] == [
        [],
        [("full", "Room: full, 09:44")],
        [("full", "Room: full, 09:44")],
    ]
