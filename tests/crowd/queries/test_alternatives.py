"""Alternatives to a full room: near, with seats, and without overlaps."""

from __future__ import annotations

from typing import Any

import pytest

from events.crowd.queries.block import Alternatives, alternatives_to, crowd_block, reported_event
from events.models import Agenda, Event, PrivateEntry, Room, SignUp, Topic, Track
from events.programme.rules.walking import Need
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_known_agenda,
    make_paper,
    make_person,
    make_report,
    make_room,
    make_walk,
)
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


class Programme:
    def __init__(self) -> None:
        self.conference = make_conference()
        self.hall = make_room(self.conference, "Hall 1")
        self.full = self.event("Full", room=self.hall)
        make_report(self.full, "full", "10:10")

    def event(self, title: str, start: str = "10:00", end: str = "11:00", **fields: Any) -> Event:
        if "room" not in fields:
            fields["room"] = make_room(self.conference, f"Room of {title}")
        return make_event(self.conference, title=title, start=start, end=end, **fields)

    def at_walk(self, minutes: int, **fields: Any) -> Room:
        room = make_room(self.conference, f"{minutes} min away")
        make_walk(self.conference, self.hall.zone, room.zone, minutes, **fields)
        return room

    def instead(self, time: str = "10:12", agenda: Agenda | None = None, **options: Any) -> Alternatives:
        event = reported_event(self.conference, self.full.guid)
        assert event
        return alternatives_to(event, clock(time), agenda, **options)

    def titles(self, time: str = "10:12", agenda: Agenda | None = None, **options: Any) -> list[str]:
        return [it.event.title for it in self.instead(time, agenda, **options).alternatives]


@pytest.fixture
def programme() -> Programme:
    return Programme()


def test_what_is_on_elsewhere_is_proposed_with_the_way_and_what_is_left(programme: Programme) -> None:
    programme.event("Near", room=programme.at_walk(6))

    found = programme.instead().alternatives

    assert [(it.event.title, it.sentence, it.plate.name if it.plate else "") for it in found] == [
        ("Near", "On now · 6 min walk, there at 10:18 · 42 min of 1 h left", "6 min away")
    ]


@pytest.mark.parametrize(("minutes", "titles"), [(38, ["Far"]), (39, [])], ids=["ten-minutes-left", "nine"])
def test_what_cannot_be_reached_in_time_is_not_proposed(programme: Programme, minutes: int, titles: list[str]) -> None:
    programme.event("Far", room=programme.at_walk(minutes))

    assert programme.titles() == titles


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"status": "cancelled"}, id="cancelled"),
        pytest.param({"status": "draft"}, id="draft"),
        pytest.param({"kind": "break"}, id="coffee"),
        pytest.param({"kind": "poster"}, id="a-poster"),
        pytest.param({"kind": "service"}, id="a-desk"),
        pytest.param({"signup_state": "full"}, id="no-places"),
        pytest.param({"signup_state": "closed"}, id="sign-up-closed"),
        pytest.param({"start": "10:42"}, id="begins-much-later"),
        pytest.param({"end": "10:12"}, id="over"),
    ],
)
def test_what_is_no_help_is_not_proposed(programme: Programme, fields: dict[str, Any]) -> None:
    programme.event("No", **fields)
    programme.event("Same room", room=programme.hall)
    make_event(make_conference(), title="Another conference", start="10:00", end="11:00")

    assert programme.titles() == []


def test_nothing_full_is_proposed(programme: Programme) -> None:
    full, likely = programme.event("Also full"), programme.event("Likely full", capacity=4)
    make_report(full, "full", "10:11")
    for _ in range(5):
        make_known_agenda(programme.conference, likely)

    assert programme.titles() == []


def test_unconfirmed_report_hides_no_alternative(programme: Programme) -> None:
    rumour = programme.event("Rumour")
    make_report(rumour, "full", "10:11", make_agenda(programme.conference)[0])

    assert programme.titles() == ["Rumour"]


def test_same_track_and_topic_come_first_then_what_is_left_of_it(programme: Programme) -> None:
    track = Track.objects.create(conference=programme.conference, name="Theory")
    topic = Topic.objects.create(conference=programme.conference, area="Optimisation")
    Event.objects.filter(pk=programme.full.pk).update(track=track, topic=topic)
    programme.event("Begun")
    programme.event("To begin", start="10:30", end="11:00")
    programme.event("Topic", start="09:00", paper=make_paper(programme.conference, topic=topic))
    programme.event("Track", track=track)

    found = programme.instead().alternatives

    assert [(it.event.title, it.why) for it in found] == [("Track", "Theory"), ("Topic", "Same topic"), ("To begin", "")]


def test_hidden_paper_is_no_topic(programme: Programme) -> None:
    topic = Topic.objects.create(conference=programme.conference, area="Optimisation")
    hidden = make_paper(programme.conference, topic=topic, is_public=False)
    Event.objects.filter(pk=programme.full.pk).update(topic=topic)
    programme.event("Hidden", paper=hidden)

    assert [it.why for it in programme.instead().alternatives] == [""]


def test_musts_and_private_entries_are_kept_and_a_maybe_is_given_up(programme: Programme) -> None:
    programme.event("All")
    programme.event("Until half", end="10:30")
    agenda, _ = make_agenda(programme.conference, programme.full)
    maybe = programme.event("Maybe", room=programme.at_walk(1))
    agenda.bookmark(maybe, on=True, level="maybe")
    free = programme.titles(agenda=agenda)
    must = programme.event("Must", start="10:40", end="10:50", kind="invited-talk", room=programme.at_walk(2))
    agenda.bookmark(must, on=True)
    with_must = programme.titles(agenda=agenda)
    PrivateEntry.add(agenda, title="Call", place="", start=at("10:20"), end=at("10:40"))

    assert free == ["All", "Until half", "Maybe"]
    assert with_must == ["Must", "Until half"]
    assert programme.titles(agenda=agenda) == ["Must"]
    assert programme.instead(agenda=agenda).is_own


def test_own_picks_come_first_unless_they_are_in_each_others_way(programme: Programme) -> None:
    bookmarked, other = programme.event("Pick", start="09:00"), programme.event("Other", start="10:30", end="10:50")
    programme.event("All")
    one, both = make_agenda(programme.conference, bookmarked)[0], make_agenda(programme.conference, bookmarked, other)[0]

    assert [(it.event.title, it.why) for it in programme.instead(agenda=one).alternatives] == [("Pick", "In your agenda")]
    assert programme.titles(agenda=both) == []


def test_way_with_steps_is_none_for_who_cannot_take_them(programme: Programme) -> None:
    programme.event("Upstairs", room=programme.at_walk(5, step_free=False))
    needs = frozenset({Need.STEP_FREE})

    assert programme.titles() == ["Upstairs"]
    assert programme.titles(needs=needs) == []


def test_overflow_room_up_the_stairs_is_none_for_who_cannot_take_them(programme: Programme) -> None:
    Event.objects.filter(pk=programme.full.pk).update(overflow_room=programme.at_walk(3, step_free=False))

    assert programme.instead().overflow
    assert programme.instead(needs=frozenset({Need.STEP_FREE})).overflow is None


def test_list_of_ours_that_has_no_place_left_is_not_proposed(programme: Programme) -> None:
    lists = [programme.event("None left"), programme.event("One left"), programme.event("Closed")]
    for event, taken, until in zip(lists, (3, 2, 0), (None, None, at("10:11")), strict=True):
        SignUp.objects.create(event=event, places=3, taken=taken)
        Event.objects.filter(pk=event.pk).update(signup_until=until)

    assert programme.titles() == ["One left"]


def test_what_has_no_place_yet_leads_nowhere(programme: Programme) -> None:
    programme.event("Nowhere", room=None)
    programme.event("In the park", room=None, place="Fort Canning Park")

    assert programme.titles() == ["In the park"]


@pytest.mark.parametrize(("same_room", "told"), [(True, ("3 min away", "https://example.org/live")), (False, ("", ""))])
def test_talk_leads_to_the_other_screen_of_its_session(programme: Programme, same_room: bool, told: tuple[str, str]) -> None:
    overflow = programme.at_walk(3)
    session = programme.event("Session", room=programme.hall if same_room else make_room(programme.conference, "Hall 2"))
    Event.objects.filter(pk=session.pk).update(overflow_room=overflow, stream_url="https://example.org/live")
    Event.objects.filter(pk=programme.full.pk).update(session=session)

    found = programme.instead()

    assert (found.overflow.plate.name if found.overflow else "", found.stream_url) == told


def test_overflow_room_and_stream_are_shown(programme: Programme) -> None:
    overflow = programme.at_walk(3)
    Event.objects.filter(pk=programme.full.pk).update(overflow_room=overflow, stream_url="https://example.org/live")

    found = programme.instead()

    assert found.overflow
    assert (found.overflow.plate.name, found.overflow.walk) == ("3 min away", 3)
    assert found.stream_url == "https://example.org/live"


def test_overflow_room_that_is_full_is_not(programme: Programme) -> None:
    overflow = programme.at_walk(3)
    Event.objects.filter(pk=programme.full.pk).update(overflow_room=overflow)
    make_report(overflow, "full", "10:11")

    assert programme.instead().overflow is None


def test_repeat_is_shown_with_its_time(programme: Programme) -> None:
    again = programme.event("Full", start="14:00", end="15:00")
    for event in (programme.full, again):
        make_appearance(
            event, make_person(programme.conference, "Ada") if event == programme.full else event.conference.people.get()
        )

    found = programme.instead()

    assert found.again
    assert [it.event for it in found.again.times] == [again]


def test_what_is_read_before_it_begins_asks_for_no_walk(programme: Programme) -> None:
    programme.event("Far", room=programme.at_walk(55))

    assert programme.titles("09:00") == ["Far"]


@pytest.mark.parametrize(
    ("time", "asks", "words", "too_full"),
    [
        pytest.param("10:12", True, "Full, 10:10", True, id="full"),
        pytest.param("10:25", True, "No recent report", False, id="old"),
        pytest.param("09:50", True, "No recent report", False, id="at-the-door"),
    ],
)
def test_block_of_an_event(programme: Programme, time: str, asks: bool, words: str, too_full: bool) -> None:
    event = reported_event(programme.conference, programme.full.guid)
    assert event

    block = crowd_block(event, clock(time))

    assert block
    assert (block.asks, block.words, block.is_too_full) == (asks, words, too_full)


@pytest.mark.parametrize("time", ["09:44", "11:00"], ids=["too-early", "over"])
def test_no_block_of_what_is_not_on(programme: Programme, time: str) -> None:
    event = reported_event(programme.conference, programme.full.guid)
    assert event

    assert crowd_block(event, clock(time)) is None


def test_block_of_what_is_only_looked_at_asks_nothing(programme: Programme) -> None:
    event = reported_event(programme.conference, programme.full.guid)
    assert event

    block = crowd_block(event, clock("10:12", pinned=True))

    assert block
    assert (block.asks, block.words) == (False, "Full, 10:10")


def test_outlook_fuller_than_the_room_says_where_else_until_somebody_is_sure(programme: Programme) -> None:
    event = programme.event("Popular", start="12:00", end="13:00", capacity=4)
    programme.event("Beside", start="12:00", end="13:00")
    for _ in range(5):
        make_known_agenda(programme.conference, event)
    shown = reported_event(programme.conference, event.guid)
    assert shown

    before = crowd_block(shown, clock("11:00"))
    make_report(event, "open", "12:05")
    after = crowd_block(shown, clock("12:06"))

    assert before
    assert (before.asks, before.words, before.outlook) == (False, "", "Likely more people than places")
    assert [it.event.title for it in before.instead.alternatives] == ["Beside"]
    assert after
    assert (after.words, after.is_too_full, after.instead.alternatives) == ("Seats left, 12:05", False, [])


@pytest.mark.parametrize("size", [1, 3])
def test_way_out_takes_as_many_queries_for_three_as_for_one(
    programme: Programme, size: int, django_assert_num_queries: Any
) -> None:
    for number in range(size):
        make_report(programme.event(f"Event {number}"), "filling", "10:11")
    agenda, _ = make_agenda(programme.conference, *(programme.event(f"Pick {it}", "12:00", "13:00") for it in range(size)))
    event = reported_event(programme.conference, programme.full.guid)
    assert event

    with django_assert_num_queries(9):
        found = alternatives_to(event, clock("10:12"), agenda)

    assert len(found.alternatives) == size
