"""Bulk actions: looked at first, then all or nothing."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Change, Conference, Event, Session
from tests.admin.pages import act, told, url
from tests.factories import THURSDAY, at, make_conference, make_day, make_event, make_room

pytestmark = pytest.mark.django_db
FRIDAY = THURSDAY + dt.timedelta(days=1)


def statuses() -> list[str]:
    return list(Event.objects.order_by("pk").values_list("status", flat=True))


def clash_titles(response: Any) -> list[tuple[str, str]]:
    return [(row.a.title, row.b.title) for row in response.context["clashes"]]


def test_publish_confirms_what_has_a_time_and_leaves_the_rest_tentative(organiser: Client) -> None:
    conference = make_conference()
    drafts = [make_event(conference, status="draft", start="09:00", end="10:00"), make_event(conference, status="draft")]
    revision = Conference.objects.get().revision

    response = act(organiser, "session", "publish", drafts)

    assert statuses() == ["confirmed", "tentative"]
    assert sorted(Change.objects.values_list("field", "new")) == [("status", "confirmed"), ("status", "tentative")]
    assert Conference.objects.get().revision == revision + 1
    assert told(response) == [f"Published: “{drafts[0]}”; “{drafts[1]}”."]


def test_publish_leaves_what_is_no_draft(organiser: Client) -> None:
    event = make_event(make_conference(), status="cancelled")

    response = act(organiser, "session", "publish", [event])

    assert (statuses(), told(response)) == (["cancelled"], [f"Left as they are: “{event}” is cancelled."])


def test_publish_says_what_stays_hidden(organiser: Client) -> None:
    event = make_event(make_conference(status="draft"), status="draft")

    response = act(organiser, "session", "publish", [event])

    assert told(response)[1] == (
        "Attendees still see nothing of 1 of them: the conference, or the session they are in, is a draft."
    )


def test_cancel_asks_for_a_reason(organiser: Client) -> None:
    event = make_event(make_conference())

    asked = act(organiser, "session", "cancel", [event])
    empty = act(organiser, "session", "cancel", [event], reason="")

    assert [list(page.context["form"].fields) for page in (asked, empty)] == [["reason"], ["reason"]]
    assert (empty.context["form"].errors, statuses()) == ({"reason": ["This field is required."]}, ["confirmed"])


def test_cancel_tells_attendees_the_reason(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="10:00")
    talk = make_event(conference, kind="talk", session=session, start="09:00", end="09:15")

    act(organiser, "session", "cancel", [session], reason="The hall is flooded.", include="on")

    assert sorted(Change.objects.values_list("event", "field", "new", "reason")) == [
        (session.pk, "status", "cancelled", "The hall is flooded."),
        (talk.pk, "status", "cancelled", "The hall is flooded."),
    ]
    assert list(LogEntry.objects.values_list("change_message", flat=True)) == ["Cancelled: The hall is flooded."] * 2
    assert session.history.first().history_change_reason == "The hall is flooded."


def test_cancel_leaves_what_is_inside_when_told_so(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference)
    make_event(conference, kind="talk", session=session)

    act(organiser, "session", "cancel", [session], reason="No.")

    assert statuses() == ["cancelled", "confirmed"]


def test_cancel_never_makes_a_draft_known(organiser: Client) -> None:
    draft = make_event(make_conference(), status="draft")

    response = act(organiser, "session", "cancel", [draft], reason="Never mind.")

    assert (statuses(), Change.objects.count()) == (["draft"], 0)
    assert told(response) == [f"Left as they are: “{draft}” is a draft, which nobody has seen: delete it."]


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
    assert told(response) == [
        (
            "Moved: “Orals” Thu 24 Apr 09:00–10:00 → Thu 24 Apr 08:30–09:30; "
            "“First” Thu 24 Apr 09:00–09:15 → Thu 24 Apr 08:30–08:45."
        ),
        "Left as they are: “Later” has no time yet.",
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
    ("minutes", "sentence"),
    [
        pytest.param("0", "0 minutes moves nothing.", id="zero"),
        pytest.param("ten", "Enter a whole number.", id="words"),
        pytest.param("9" * 30, "Ensure this value is less than or equal to 86400.", id="far-away"),
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


def test_change_room_shows_the_clashes_it_would_make_and_then_does_it_all_the_same(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    there = make_event(conference, title="There", room=room, start="09:30", end="10:30")
    event = make_event(conference, title="Newcomer", start="09:00", end="10:00")

    warned = act(organiser, "session", "change_room", [event], room=room.pk)
    unchanged = Event.objects.get(pk=event.pk).room
    act(organiser, "session", "change_room", [event], room=room.pk, seen=warned.context["seen"])

    assert (clash_titles(warned), unchanged) == ([("Newcomer", "There")], None)
    assert list(Event.objects.order_by("pk").values_list("pk", "room")) == [(there.pk, room.pk), (event.pk, room.pk)]


def test_change_room_shows_clashes_anew_for_another_answer(organiser: Client) -> None:
    conference = make_conference()
    rooms = [make_room(conference, name) for name in ("Garnet", "Opal")]
    for room in rooms:
        make_event(conference, title=room.name, room=room, start="09:00", end="10:00")
    event = make_event(conference, title="Newcomer", start="09:00", end="10:00")
    first = act(organiser, "session", "change_room", [event], room=rooms[0].pk)

    second = act(organiser, "session", "change_room", [event], room=rooms[1].pk, seen=first.context["seen"])

    assert clash_titles(second) == [("Opal", "Newcomer")]


def test_change_room_without_a_clash_does_it_at_once(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, title="Talk", start="09:00", end="10:00", place="By the stairs")

    response = act(organiser, "session", "change_room", [event], room=room.pk, reason="More seats.")

    assert told(response) == ["Moved to another room: “Talk” By the stairs → Garnet."]
    assert list(Change.objects.values_list("field", "new", "reason")) == [("room", "Garnet", "More seats.")]


def test_change_room_takes_no_room_of_another_conference(organiser: Client) -> None:
    event = make_event(make_conference())
    strange = make_room(make_conference())

    response = act(organiser, "session", "change_room", [event], room=strange.pk)

    assert (list(response.context["form"].errors), Event.objects.get().room) == (["room"], None)


def test_change_room_of_two_conferences_is_refused(organiser: Client) -> None:
    events = [make_event(make_conference()) for _ in range(2)]

    response = act(organiser, "session", "change_room", events)

    assert told(response) == ["Choose events of one conference: rooms belong to one."]


def test_actions_reach_only_what_the_list_shows(organiser: Client) -> None:
    social = make_event(make_conference(), kind="social")

    act(organiser, "session", "cancel", [social], reason="Not through this list.")

    assert statuses() == ["confirmed"]


def test_actions_take_at_most_a_thousand_events(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.admin.actions.AT_ONCE", 1)
    conference = make_conference()
    events = [make_event(conference, status="draft") for _ in range(2)]

    response = act(organiser, "session", "publish", events)

    assert (told(response), statuses()) == (["Choose at most 1 events at once."], ["draft", "draft"])


def test_delete_takes_drafts_that_nobody_saw(organiser: Client) -> None:
    conference = make_conference()
    drafts = [make_event(conference, status="draft") for _ in range(2)]

    asked = act(organiser, "session", "delete_drafts", drafts)
    act(organiser, "session", "delete_drafts", drafts, sure="yes")

    assert (asked.context["button"], list(Event.objects.all())) == ("Delete them", [])
    assert sorted(LogEntry.objects.values_list("action_flag", "object_repr")) == sorted((3, str(draft)) for draft in drafts)


def test_delete_takes_nothing_as_long_as_one_was_public(organiser: Client) -> None:
    conference = make_conference()
    events = [make_event(conference, status="draft"), make_event(conference)]

    response = act(organiser, "session", "delete_drafts", events, sure="yes")

    assert (response.context["button"], Session.objects.count()) == ("", 2)


@pytest.mark.parametrize("count", [1, 3])
def test_pages_of_actions_take_a_fixed_number_of_queries(organiser: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    events = [make_event(conference, start="09:00", end="10:00") for _ in range(count)]

    with django_assert_num_queries(24):
        response = act(organiser, "session", "move", events)

    assert list(response.context["events"]) == events


@pytest.mark.parametrize("action", ["cancel", "move", "change_room", "delete_drafts"])
def test_pages_of_actions_show_hostile_titles_as_text(organiser: Client, action: str) -> None:
    hostile = "<script>alert('x')</script>"
    event = make_event(make_conference(), title=hostile, start="09:00", end="10:00")

    page = act(organiser, "session", action, [event])

    assert (hostile in page.text, "&lt;script&gt;alert" in page.text) == (False, True)


def test_messages_show_hostile_titles_as_text(organiser: Client) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    event = make_event(make_conference(), title=hostile, status="draft", start="09:00", end="10:00")
    act(organiser, "session", "publish", [event])

    page = organiser.get(url("changelist", "session"))

    assert (hostile in page.text, "Published: “&lt;img src=x onerror=alert(1)&gt;”." in page.text) == (False, True)
