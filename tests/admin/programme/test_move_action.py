"""Moving several events at once, with what is inside them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from events.models import Change, Event
from tests.admin.pages import act, messages_of
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db


FRIDAY = THURSDAY + dt.timedelta(days=1)


def test_move_shifts_events_and_what_is_inside_and_says_so(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, title="Orals", start="09:00", end="10:00")
    make_event(conference, title="First", kind="talk", session=session, start="09:00", end="09:15")
    tba = make_event(conference, title="Later")

    response = act(organiser, "session", "move", [session, tba], minutes="-30", include="on", reason="Lunch is early.")

    assert list(Event.objects.order_by("pk").values_list("start", "end")) == [
        (at("08:30"), at("09:30")),
        (at("08:30"), at("08:45")),
        (None, None),
    ]
    assert messages_of(response) == [
        (
            "Moved: “Orals” Thu 24 Apr 09:00–10:00 → Thu 24 Apr 08:30–09:30; "
            "“First” Thu 24 Apr 09:00–09:15 → Thu 24 Apr 08:30–08:45."
        ),
        "Unchanged: “Later” has no time yet.",
    ]
    assert {change.reason for change in Change.objects.all()} == {"Lunch is early."}


def test_move_past_the_night_changes_the_day(organiser: Client) -> None:
    conference = make_conference()
    friday = make_day(conference, FRIDAY)
    event = make_event(conference, start="09:00", end="10:00")

    act(organiser, "session", "move", [event], minutes="1440")

    stored = Event.objects.get()
    assert (stored.start, stored.day_id) == (at("09:00", FRIDAY), friday.pk)


def test_move_to_a_date_without_a_day_moves_nothing(organiser: Client) -> None:
    conference = make_conference()
    make_day(conference, FRIDAY)
    early, late = (
        make_event(conference, title=title, day=make_day(conference, date), start="09:00", end="10:00")
        for title, date in [("Early", THURSDAY), ("Late", FRIDAY)]
    )

    response = act(organiser, "session", "move", [early, late], minutes="1440")

    said = ["“Late” would be on Sat 26 April 2025, which is no day of ICLR 2025: add it under Days first."]
    assert response.context["form"].errors == {"minutes": said}
    assert list(Event.objects.order_by("pk").values_list("start", flat=True)) == [at("09:00"), at("09:00", FRIDAY)]


@pytest.mark.parametrize(
    ("action", "answers"),
    [
        pytest.param("move", {"minutes": "60"}, id="minutes"),
        pytest.param("change_day", {"day": FRIDAY}, id="day"),
        pytest.param("change_room", {"room": "Hall 1"}, id="room"),
    ],
)
def test_cancelled_events_stay_and_are_not_announced_as_moved(organiser: Client, action: str, answers: dict[str, Any]) -> None:
    conference = make_conference()
    keys = {FRIDAY: make_day(conference, FRIDAY).pk, "Hall 1": make_room(conference).pk}
    session = make_event(conference, title="Orals", start="09:00", end="10:00")
    off = make_event(conference, title="Off", kind="talk", status="cancelled", session=session, start="09:00", end="09:15")
    before = Event.objects.values("day", "start", "end", "room").get(pk=off.pk)

    answers = {name: keys.get(value, value) for name, value in answers.items()}
    response = act(organiser, "session", action, [session], include="on", **answers)

    assert messages_of(response)[-1] == "Unchanged: “Off” is cancelled."
    assert Event.objects.values("day", "start", "end", "room").get(pk=off.pk) == before
    assert {change.event for change in Change.objects.all()} == {session}


@pytest.mark.parametrize(
    ("minutes", "sentence"),
    [
        pytest.param("0", "Enter a number other than 0.", id="zero"),
        pytest.param("ten", "Enter a whole number.", id="words"),
        pytest.param("99999999", "99999999 is too large: write 86400 or less.", id="far-away"),
        pytest.param("-99999999", "-99999999 is too small: write -86400 or more.", id="far-back"),
    ],
)
def test_move_refuses_what_is_no_shift(organiser: Client, minutes: str, sentence: str) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    response = act(organiser, "session", "move", [event], minutes=minutes)

    assert (response.context["form"].errors, Event.objects.get().start) == ({"minutes": [sentence]}, at("09:00"))


def test_move_keeps_the_hour_and_the_length_when_the_clocks_change(organiser: Client) -> None:
    conference = make_conference(city="Vienna", timezone="Europe/Vienna")
    saturday, sunday = (make_day(conference, dt.date(2025, 3, day)) for day in (29, 30))
    start = dt.datetime(2025, 3, 29, 9, tzinfo=dt.UTC)
    event = make_event(conference, day=saturday, start=start, end=start + dt.timedelta(hours=1))

    act(organiser, "session", "move", [event], minutes="1440")

    stored = Event.objects.get()
    assert (stored.start, stored.end, stored.day_id) == (
        dt.datetime(2025, 3, 30, 8, tzinfo=dt.UTC),
        dt.datetime(2025, 3, 30, 9, tzinfo=dt.UTC),
        sunday.pk,
    )


def test_move_into_the_skipped_hour_is_refused(organiser: Client) -> None:
    conference = make_conference(city="Vienna", timezone="Europe/Vienna")
    day = make_day(conference, dt.date(2025, 3, 29))
    start = dt.datetime(2025, 3, 30, 0, tzinfo=dt.UTC)
    event = make_event(conference, day=day, start=start, end=start + dt.timedelta(hours=1))

    response = act(organiser, "session", "move", [event], minutes="90")

    said = ["02:30 on Sun 30 March 2025 does not exist there: the clocks go forward that night."]
    assert (response.context["form"].errors, Event.objects.get().start) == ({"minutes": said}, start)
