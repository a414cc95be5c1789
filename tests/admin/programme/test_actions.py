"""Bulk actions: looked at first, then all or nothing."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from events.models import Change, ChangeGroup, Conference, Event, Link, Session
from tests.admin.pages import act, counts, messages_of, picked, url
from tests.factories import make_appearance, make_conference, make_event, make_person, make_room

pytestmark = pytest.mark.django_db


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
    assert messages_of(response) == [f"Published: “{drafts[0]}”; “{drafts[1]}”."]


def test_publish_leaves_what_is_no_draft(organiser: Client) -> None:
    event = make_event(make_conference(), status="cancelled")

    response = act(organiser, "session", "publish", [event])

    assert (statuses(), messages_of(response)) == (["cancelled"], [f"Unchanged: “{event}” is cancelled."])


def test_publish_says_what_stays_hidden(organiser: Client) -> None:
    event = make_event(make_conference(status="draft"), status="draft")

    response = act(organiser, "session", "publish", [event])

    assert messages_of(response)[1] == (
        "Attendees do not see 1 of them yet: the conference, or the session they are in, is a draft."
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


def test_cancel_can_leave_out_what_is_inside(organiser: Client) -> None:
    conference = make_conference()
    session = make_event(conference)
    make_event(conference, kind="talk", session=session)

    act(organiser, "session", "cancel", [session], reason="No.")

    assert statuses() == ["cancelled", "confirmed"]


def test_cancel_never_makes_a_draft_known(organiser: Client) -> None:
    draft = make_event(make_conference(), status="draft")

    response = act(organiser, "session", "cancel", [draft], reason="Never mind.")

    assert (statuses(), Change.objects.count()) == (["draft"], 0)
    assert messages_of(response) == [f"Unchanged: “{draft}” is a draft that nobody has seen: delete it instead."]


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

    assert messages_of(response) == ["Moved to another room: “Talk” By the stairs → Garnet."]
    assert list(Change.objects.values_list("field", "new", "reason")) == [("room", "Garnet", "More seats.")]


def test_change_room_leaves_no_place_in_words_and_undo_brings_it_back(organiser: Client) -> None:
    conference = make_conference()
    pub = make_event(conference, kind="social", place="The Red Lion", at_venue=False, travel_minutes=20)
    where = Event.objects.values_list("room__name", "place", "at_venue", "travel_minutes")

    act(organiser, "social", "change_room", [pub], room=make_room(conference, "Room A").pk)

    assert list(where.all()) == [("Room A", "", True, None)]
    assert list(Change.objects.values_list("field", "old", "new")) == [("room", "The Red Lion", "Room A")]

    organiser.post(url("undo", "changegroup", ChangeGroup.objects.get().pk))
    assert list(where.all()) == [(None, "The Red Lion", False, 20)]


def test_change_room_leaves_a_place_that_stands_beside_a_room(organiser: Client) -> None:
    conference = make_conference()
    hall, garnet = make_room(conference), make_room(conference, "Garnet")
    event = make_event(conference, room=hall, place="At the front", travel_minutes=3)

    act(organiser, "session", "change_room", [event], room=garnet.pk)

    assert Event.objects.values_list("room", "place", "at_venue", "travel_minutes").get() == (garnet.pk, "At the front", None, 3)


def test_change_room_takes_no_room_of_another_conference(organiser: Client) -> None:
    event = make_event(make_conference())
    strange = make_room(make_conference())

    response = act(organiser, "session", "change_room", [event], room=strange.pk)

    assert (list(response.context["form"].errors), Event.objects.get().room) == (["room"], None)


def test_change_room_of_two_conferences_is_refused(organiser: Client) -> None:
    events = [make_event(make_conference()) for _ in range(2)]

    response = act(organiser, "session", "change_room", events)

    assert messages_of(response) == ["Choose events of one conference only: each room belongs to one."]


def test_actions_reach_only_what_the_list_shows(organiser: Client) -> None:
    social = make_event(make_conference(), kind="social")

    act(organiser, "session", "cancel", [social], reason="Not through this list.")

    assert statuses() == ["confirmed"]


def test_actions_take_at_most_a_thousand_events(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.admin.programme.actions.MAX_EVENTS_PER_ACTION", 1)
    conference = make_conference()
    events = [make_event(conference, status="draft") for _ in range(2)]

    response = act(organiser, "session", "publish", events)

    assert (messages_of(response), statuses()) == (["Choose at most 1 events at once."], ["draft", "draft"])


def test_delete_takes_drafts_that_nobody_saw(organiser: Client) -> None:
    conference = make_conference()
    drafts = [make_event(conference, status="draft") for _ in range(2)]

    asked = act(organiser, "session", "delete_drafts", drafts)
    act(organiser, "session", "delete_drafts", drafts, sure="yes")

    assert (asked.context["button"], list(Event.objects.all())) == ("Delete them", [])
    assert sorted(LogEntry.objects.values_list("action_flag", "object_repr")) == sorted((3, str(draft)) for draft in drafts)


def test_delete_says_what_goes_and_that_it_stays_gone(organiser: Client) -> None:
    conference = make_conference()
    plain = make_event(conference, title="Plain", status="draft")
    full = make_event(conference, title="Full", status="draft", start="09:00", end="10:00", room=make_room(conference, "Hall 1"))
    make_appearance(full, make_person(conference, "Ada Lovelace"))
    Link.objects.create(event=full, url="https://example.org/")

    page = act(organiser, "session", "delete_drafts", [plain, full])

    gone = {event.title: words for event, words in page.context["gone"]}
    assert gone.keys() == {"Plain", "Full"}
    assert gone["Full"] == "Thu 24 Apr 09:00–10:00, Hall 1, 1 person, 1 link"
    assert "Deleting cannot be taken back: there is no undo." in page.text
    assert Event.objects.count() == 2


def test_delete_takes_nothing_as_long_as_one_was_public(organiser: Client) -> None:
    conference = make_conference()
    events = [make_event(conference, status="draft"), make_event(conference)]

    response = act(organiser, "session", "delete_drafts", events, sure="yes")

    assert (response.context["button"], Session.objects.count()) == ("", 2)


@pytest.mark.parametrize(
    ("conference", "event", "talks", "why"),
    [
        ("published", "confirmed", 0, "it was published: cancel it instead"),
        ("draft", "confirmed", 0, "it is no draft: take it back to a draft first"),
        ("published", "draft", 1, "it contains talks: move its talks first"),
    ],
)
def test_delete_says_why_not_and_what_to_do(organiser: Client, conference: str, event: str, talks: int, why: str) -> None:
    session = make_event(make_conference(status=conference), status=event)
    for _ in range(talks):
        make_event(session.conference, kind="talk", session=session, status="draft")

    response = act(organiser, "session", "delete_drafts", [session])

    assert response.context["skipped"] == [f"“{session}”: {why}"]


@pytest.mark.parametrize("count", [1, 3])
def test_pages_of_actions_take_a_fixed_number_of_queries(organiser: Client, count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference()
    events = [make_event(conference, title=title, start="09:00", end="10:00") for title in "ABC"[:count]]

    with django_assert_num_queries(25):
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


def test_what_was_cancelled_and_edited_takes_place_after_all(organiser: Client) -> None:
    conference = make_conference()
    timed, untimed = make_event(conference, start="09:00", end="10:00"), make_event(conference)
    talk = make_event(conference, kind="talk", session=timed, start="09:00", end="09:15")
    act(organiser, "session", "cancel", [timed, untimed], reason="Strike.", include="on")
    Event.objects.get(pk=timed.pk).revise()
    Change.objects.all().delete()

    asked = act(organiser, "session", "take_place", [timed, untimed])
    response = act(organiser, "session", "take_place", [timed, untimed], reason="The strike is over.", include="on")

    assert asked.context["form"]["include"].value() is False
    assert statuses() == ["confirmed", "tentative", "confirmed"]
    assert set(Change.objects.values_list("event", "old", "new", "reason")) == {
        (timed.pk, "cancelled", "confirmed", "The strike is over."),
        (untimed.pk, "cancelled", "tentative", "The strike is over."),
        (talk.pk, "cancelled", "confirmed", "The strike is over."),
    }
    assert messages_of(response)[0].startswith("Takes place after all: “")


def test_what_takes_place_after_all_shows_its_impact_and_clashes_first(organiser: Client) -> None:
    conference = make_conference()
    room = make_room(conference)
    make_event(conference, title="Instead", room=room, start="09:00", end="10:00")
    event = make_event(conference, title="Back", room=room, start="09:00", end="10:00", status="cancelled")
    picked(6, event)

    page = act(organiser, "session", "take_place", [event])
    answered = act(organiser, "session", "take_place", [event], reason="")
    act(organiser, "session", "take_place", [event], reason="", seen=answered.context["seen"])

    assert counts(page)[0] == counts(answered)[0] == ("6", "have it in their agenda")
    assert clash_titles(answered) in ([("Back", "Instead")], [("Instead", "Back")])
    assert Event.objects.get(pk=event.pk).status == "confirmed"


def test_what_is_not_cancelled_stays(organiser: Client) -> None:
    event = make_event(make_conference(), title="On")

    response = act(organiser, "session", "take_place", [event], reason="Yes.")

    assert messages_of(response) == ["Unchanged: “On” is not cancelled."]


def test_too_many_events_are_refused_with_a_way_to_move_them(organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.admin.programme.actions.MAX_EVENTS_PER_ACTION", 1)
    conference = make_conference()
    session = make_event(conference)
    events = [session, make_event(conference, kind="talk", session=session)]

    moved = messages_of(act(organiser, "session", "move", events))
    retyped = messages_of(act(organiser, "session", "change_type", events))[-1:]
    listed = [organiser.get(f"{url('changelist', 'session')}?inside={it}").context["cl"].result_list for it in ("no", "yes")]

    assert moved == ["Choose at most 1 events at once. Choose the sessions only: what is inside comes along."]
    assert retyped == ["Choose at most 1 events at once."]
    assert [[it.pk for it in rows] for rows in listed] == [[session.pk], [events[1].pk]]


def test_leaving_goes_back_to_the_list_as_it_was_filtered(organiser: Client) -> None:
    event = make_event(make_conference())
    address, data = url("changelist", "session"), {"action": "cancel", "_selected_action": [str(event.pk)]}
    query = f"?day__id__exact={event.day_id}&q=Event"

    filtered = organiser.post(address + query, data)
    answered = organiser.post(address + query, {**data, "apply": "1", "reason": ""})
    duplicated = organiser.get(f"{url('duplicate', 'session', event.pk)}?next=//evil.example")

    assert [page.context["leave_url"] for page in (filtered, answered, duplicated)] == [*[address + query] * 2, address]
    assert filtered.text.count(f'href="{address}{query.replace("&", "&amp;")}"') == 2
