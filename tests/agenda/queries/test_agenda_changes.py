"""What is new in an agenda since its holder looked."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine

from events.agenda.queries.changes import agenda_news
from events.core.clock import Clock
from events.models import Agenda, Event, Status
from tests.factories import SINGAPORE, THURSDAY, at, make_agenda, make_conference, make_event, make_room, make_walk, make_zone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]
MORNING = at("08:00")
PICKED = MORNING - dt.timedelta(days=3)


def clock(now: dt.datetime = MORNING, *, pinned: bool = False) -> Clock:
    return Clock(now=now, venue_zone=SINGAPORE, chosen_zone=None, pinned=pinned)


def make_picks(count: int = 1, **fields: Any) -> tuple[Agenda, list[Event]]:
    with time_machine.travel(PICKED, tick=False):
        conference = make_conference()
        starts = [at("09:00") + dt.timedelta(minutes=30 * number) for number in range(count)]
        talks = [
            make_event(
                conference, kind="talk", title=f"Talk {number}", start=start, end=start + dt.timedelta(minutes=25), **fields
            )
            for number, start in enumerate(starts)
        ]
        return make_agenda(conference, *talks)[0], talks


def revise(event: Event, *, minutes_ago: int = 30, reason: str = "", **fields: Any) -> None:
    with time_machine.travel(MORNING - dt.timedelta(minutes=minutes_ago), tick=False):
        fresh = Event.objects.get(pk=event.pk)
        for name, value in fields.items():
            setattr(fresh, name, value)
        fresh.revise(reason=reason)


def shown_changes(agenda: Agenda, now: Clock | None = None) -> list[tuple[str, list[tuple[str, str, str]]]]:
    news = agenda_news(agenda, now or clock())
    return [(item.event.title, [(line.what, line.old, line.new) for line in item.lines]) for item in news.items]


def test_agenda_in_which_nothing_changed_has_no_news() -> None:
    agenda, _ = make_picks()

    assert shown_changes(agenda) == []


def test_move_tells_the_old_and_the_new_room_and_why() -> None:
    agenda, [talk] = make_picks()

    revise(talk, room=make_room(talk.conference, "Hall 2"), reason="More chairs")

    item = agenda_news(agenda, clock()).items[0]
    assert [(line.what, line.old, line.new, line.reason) for line in item.lines] == [
        ("New room", "to be announced", "Hall 2", "More chairs")
    ]


def test_new_start_says_end_and_day_along_with_it() -> None:
    agenda, [talk] = make_picks()

    revise(talk, start=at("11:00"), end=at("12:00"))

    assert shown_changes(agenda) == [("Talk 0", [("Moved", "Thu 24 Apr, 09:00", "11:00")])]


def test_two_moves_read_as_one() -> None:
    agenda, [talk] = make_picks()

    revise(talk, room=make_room(talk.conference, "Hall 2"), minutes_ago=30)
    revise(talk, room=make_room(talk.conference, "Hall 3"), minutes_ago=20)

    assert shown_changes(agenda) == [("Talk 0", [("New room", "to be announced", "Hall 3")])]


def test_move_and_its_way_back_are_nothing() -> None:
    agenda, [talk] = make_picks()

    revise(talk, title="Other", minutes_ago=30)
    revise(talk, title="Talk 0", minutes_ago=20)

    assert shown_changes(agenda) == []


def test_only_agendas_that_hold_it_are_told() -> None:
    agenda, [talk] = make_picks()
    other, _ = make_agenda(talk.conference)
    former, _ = make_agenda(talk.conference, talk)
    former.bookmark(talk, on=False)

    revise(talk, title="Other")

    assert [len(shown_changes(it)) for it in (agenda, other, former)] == [1, 0, 0]


def test_what_changed_before_it_was_picked_is_no_news() -> None:
    _, [talk] = make_picks()
    revise(talk, title="Other")

    late, _ = make_agenda(talk.conference, talk)

    assert shown_changes(late) == []


def test_what_changed_before_it_was_picked_is_no_news_after_something_older_was_seen() -> None:
    agenda, [one, two] = make_picks(2)
    revise(one, title="One", minutes_ago=60)
    revise(two, title="Two", minutes_ago=40)
    agenda.bookmarks.filter(event=two).update(created_at=MORNING - dt.timedelta(minutes=30))
    shown = agenda_news(agenda, clock()).upto

    assert shown is not None
    agenda.acknowledge(shown)

    assert shown_changes(agenda) == []


def test_what_changed_while_it_was_taken_back_is_no_news() -> None:
    agenda, [talk] = make_picks()
    agenda.acknowledge(PICKED, [talk.pk])
    agenda.bookmark(talk, on=False)
    revise(talk, title="Other", minutes_ago=30)

    with time_machine.travel(MORNING - dt.timedelta(minutes=10), tick=False):
        agenda.bookmark(talk, on=True)

    assert shown_changes(agenda) == []


def test_what_was_seen_is_no_news_and_what_changes_later_is() -> None:
    agenda, [talk] = make_picks()
    revise(talk, title="Other", minutes_ago=30)

    agenda.acknowledge(agenda_news(agenda, clock()).items[0].upto)
    revise(talk, title="Third", minutes_ago=10)

    assert shown_changes(agenda) == [("Third", [("New title", "Other", "Third")])]


def test_seen_of_one_leaves_the_others() -> None:
    agenda, [one, two] = make_picks(2)
    revise(one, title="One")
    revise(two, title="Two")

    agenda.acknowledge(MORNING, [one.pk])

    assert [title for title, _ in shown_changes(agenda)] == ["Two"]


def test_what_changed_after_the_page_was_made_stays_news() -> None:
    agenda, [one, two] = make_picks(2)
    revise(one, title="One", minutes_ago=30)
    shown = agenda_news(agenda, clock())
    revise(two, title="Two", minutes_ago=20)

    assert shown.upto is not None
    agenda.acknowledge(shown.upto)

    assert [title for title, _ in shown_changes(agenda)] == ["Two"]


def test_acknowledge_counts_once_and_never_reaches_ahead() -> None:
    agenda, [talk] = make_picks()
    revise(talk, title="Other")
    ahead = dt.datetime.now(dt.UTC) + dt.timedelta(days=9)

    assert [agenda.acknowledge(ahead), agenda.acknowledge(MORNING)] == [True, False]

    agenda.refresh_from_db()
    seen = agenda.bookmarks.get().seen_at
    assert agenda.revision == 2
    assert seen is not None
    assert seen < ahead


def test_what_is_over_is_no_news() -> None:
    agenda, [talk] = make_picks()
    revise(talk, title="Other")

    assert shown_changes(agenda, clock(at("10:00"))) == []


def test_looking_back_tells_nothing_that_came_later() -> None:
    agenda, [talk] = make_picks()
    revise(talk, title="Other")

    assert shown_changes(agenda, clock(MORNING - dt.timedelta(hours=2), pinned=True)) == []


def test_cancelled_and_taken_back() -> None:
    agenda, [talk] = make_picks()

    revise(talk, status=Status.CANCELLED, minutes_ago=30)
    assert shown_changes(agenda) == [("Talk 0", [("Cancelled", "", "")])]

    revise(talk, status=Status.CONFIRMED, minutes_ago=20)
    assert shown_changes(agenda) == []


def test_hidden_event_tells_nothing() -> None:
    agenda, [talk] = make_picks()
    revise(talk, title="Secret", status=Status.DRAFT)

    assert shown_changes(agenda) == []


def test_move_onto_another_pick_says_that_they_clash() -> None:
    agenda, [_, two] = make_picks(2)

    revise(two, start=at("09:10"), end=at("09:40"))

    item = agenda_news(agenda, clock()).items[0]
    assert [(it.title, it.verdict, it.sentence, it.new) for it in item.results] == [
        ("Talk 0", "clash", "Clash: 15 min overlap", True)
    ]
    assert item.has_new_conflict


def picks_in_conflict() -> tuple[Agenda, Event]:
    """An agenda, and the second of its two talks."""
    with time_machine.travel(PICKED, tick=False):
        conference = make_conference()
        one = make_event(conference, kind="talk", title="One", start="09:00", end="10:00")
        two = make_event(conference, kind="talk", title="Two", start="09:30", end="10:30")
        agenda, _ = make_agenda(conference, one, two)
    return agenda, two


def test_move_away_says_that_both_can_be_attended() -> None:
    agenda, two = picks_in_conflict()

    revise(two, start=at("10:00"), end=at("11:00"))

    item = agenda_news(agenda, clock()).items[0]
    assert [(it.title, it.sentence, it.new) for it in item.results] == [("One", "You can attend both now", False)]
    assert not item.has_new_conflict


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        pytest.param({"status": Status.CANCELLED}, "No clash any more", id="cancelled"),
        pytest.param({"start": None, "end": None}, "No clash while the time is open", id="without a time"),
    ],
)
def test_what_nobody_can_attend_is_not_said_to_fit(change: dict[str, Any], sentence: str) -> None:
    agenda, two = picks_in_conflict()

    revise(two, **change)

    assert [it.sentence for it in agenda_news(agenda, clock()).items[0].results] == [sentence]


def test_two_that_moved_are_compared_as_both_were() -> None:
    with time_machine.travel(PICKED, tick=False):
        conference = make_conference()
        one = make_event(conference, kind="talk", title="One", start="11:00", end="12:00")
        two = make_event(conference, kind="talk", title="Two", start="13:00", end="15:00")
        agenda, _ = make_agenda(conference, one, two)

    revise(one, start=at("14:00"), end=at("14:30"))
    revise(two, start=at("16:00"), end=at("17:00"))

    assert [it.results for it in agenda_news(agenda, clock()).items] == [[], []]


def test_another_room_may_be_too_far_for_the_next() -> None:
    with time_machine.travel(PICKED, tick=False):
        conference = make_conference()
        hall, annex = make_zone(conference, "Hall"), make_zone(conference, "Annex")
        make_walk(conference, hall, annex, 10)
        here, there = make_room(conference, "H1", hall), make_room(conference, "A1", annex)
        one = make_event(conference, kind="talk", title="One", start="09:00", end="10:00", room=here)
        two = make_event(conference, kind="talk", title="Two", start="10:05", end="11:00", room=here)
        agenda, _ = make_agenda(conference, one, two)

    revise(two, room=there)

    result = agenda_news(agenda, clock()).items[0].results[0]
    assert (result.title, result.verdict, result.new) == ("One", "tight", True)


@pytest.mark.parametrize("count", [1, 3, 12])
def test_news_cost_the_same_queries_for_any_number(count: int, django_assert_num_queries: Any) -> None:
    agenda, talks = make_picks(count)
    for talk in talks:
        revise(talk, title=f"Other {talk.pk}", room=make_room(talk.conference, f"Room {talk.pk}"))
    agenda = Agenda.objects.select_related("conference").get()

    with django_assert_num_queries(4):
        assert agenda_news(agenda, clock()).count == count


def test_no_news_cost_one_query_besides_the_picks(django_assert_num_queries: Any) -> None:
    agenda, _ = make_picks(3)
    assert len(agenda.bookmarked_events) == 3

    with django_assert_num_queries(1):
        assert agenda_news(agenda, clock()).count == 0


def test_thursday_is_the_day_of_these_tests() -> None:
    assert MORNING.astimezone(SINGAPORE).date() == THURSDAY
