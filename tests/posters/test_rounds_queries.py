"""The round past the bookmarked posters."""

from __future__ import annotations

from typing import Any

import pytest

from events.models import Agenda, Bookmark, Event, PrivateEntry, Topic
from events.posters.queries import RoundPage, my_posters, round_page
from tests.factories import at, make_agenda, make_appearance, make_conference, make_event, make_paper, make_person
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def poster_session(*boards: str) -> tuple[Event, list[Event]]:
    session = make_event(make_conference(), title="Posters 1", start="10:00", end="12:00")
    return session, [make_poster(session, board) for board in boards]


def make_poster(session: Event, board: str, **fields: Any) -> Event:
    values = {"kind": "poster", "board": board, "session": session, "start": "10:00", "end": "12:00"}
    return make_event(session.conference, **values | fields)


def page_of(session: Event, agenda: Agenda, time: str = "08:00", **known: Any) -> RoundPage:
    return round_page(agenda, session, clock(time, **known))


def boards(page: RoundPage) -> list[list[str]]:
    return [[stop.board for stop in row.stops] for row in page.rows]


def test_round_goes_by_board_row_by_row() -> None:
    session, posters = poster_session("#100", "#10", "B1", "#9", "A10", "A9", "", "#7")
    agenda, _ = make_agenda(session.conference, *posters[:-1])

    page = page_of(session, agenda)

    assert boards(page) == [["#9", "#10"], ["#100"], ["A9", "A10"], ["B1"], ["No board yet"]]
    assert [row.name for row in page.rows] == ["#9 – #10", "#100", "A9 – A10", "B1", "No board yet"]


@pytest.mark.parametrize(
    ("time", "seen", "sentence"),
    [
        pytest.param("08:00", 0, "34 posters in 2 h (3 min 30 s each).", id="before it begins"),
        pytest.param("10:24", 0, "34 posters, 1 h 36 min left (2 min 30 s each).", id="nothing seen"),
        pytest.param("10:58", 5, "5 of 34 seen, 1 h 2 min left: 2 min for each of the other 29.", id="on the way"),
        pytest.param("11:50", 33, "33 of 34 seen, 10 min left: 10 min for the last one.", id="one to go"),
        pytest.param("11:00", 34, "Seen them all.", id="done"),
        pytest.param("12:00", 5, "5 of 34 seen. The session is over.", id="over"),
    ],
)
def test_minutes_for_each_run_by_the_clock(time: str, seen: int, sentence: str) -> None:
    session, _ = poster_session()
    posters = [make_poster(session, f"#{number}", announce=False) for number in range(34)]
    agenda, _ = make_agenda(session.conference)
    Bookmark.objects.bulk_create([Bookmark(agenda=agenda, event=it) for it in posters])
    agenda.bookmarks.filter(event__in=posters[:seen]).update(visited_at=at("10:00"))

    page = page_of(session, agenda, time)

    assert (page.sentence, page.count) == (sentence, 34)
    assert (page.next.board if page.next else "") == (f"#{seen}" if 0 < seen < 34 and time != "12:00" else "")


def test_other_picks_and_private_entries_take_from_the_time() -> None:
    session, posters = poster_session("#1", "#2")
    conference = session.conference
    others = [
        make_event(conference, kind="talk", start="10:00", end="10:30"),
        make_event(conference, kind="break", start="10:30", end="12:00"),
        make_event(conference, title="Workshop", start="09:00", end="17:00"),
        make_event(conference, kind="talk", start="11:00", end="12:00", status="cancelled"),
    ]
    agenda, _ = make_agenda(conference, session, *posters, *others)
    PrivateEntry.add(agenda, title="Call", place="", start=at("11:30"), end=at("12:30"))
    PrivateEntry.add(agenda, title="Gone", place="", start=at("10:45"), end=at("11:15")).remove()

    page = page_of(session, agenda)

    assert page.sentence == "2 posters in 1 h (30 min each). Your other bookmarks take 1 h of 2 h."


def test_other_picks_can_take_all_of_it() -> None:
    session, posters = poster_session("#1")
    agenda, _ = make_agenda(session.conference, *posters)
    PrivateEntry.add(agenda, title="Call", place="", start=at("11:00"), end=at("12:00"))

    assert page_of(session, agenda, "11:05").sentence == "0 of 1 seen. Your other bookmarks take all the time that is left."


def test_two_boards_of_one_author_are_told_at_both() -> None:
    session, posters = poster_session("#1", "#2", "#3")
    ada, bob = make_person(session.conference), make_person(session.conference, "Bob")
    for poster in posters[:2]:
        poster.paper = make_paper(session.conference, ada)
        poster.save()
    make_appearance(posters[2], bob)
    agenda, _ = make_agenda(session.conference, *posters)

    page = page_of(session, agenda)

    told = {stop.board: stop.also_at for row in page.rows for stop in row.stops}
    assert told == {"#1": "Ada Lovelace also at #2", "#2": "Ada Lovelace also at #1", "#3": ""}
    assert page.shares_people


def test_author_of_a_hidden_paper_is_not_told() -> None:
    session, posters = poster_session("#1", "#2")
    for poster in posters:
        poster.paper = make_paper(session.conference, make_person(session.conference), is_public=False)
        poster.save()
    agenda, _ = make_agenda(session.conference, *posters)

    assert not page_of(session, agenda).shares_people


def test_only_what_is_to_be_seen_is_walked_to() -> None:
    session, posters = poster_session("#1", "#2", "#3", "#4")
    later, mine, draft, _ = posters
    agenda, _ = make_agenda(session.conference, *posters)
    agenda.bookmarks.filter(event=later).update(level="later")
    agenda.present(mine, on=True)
    draft.status = "draft"
    draft.save()

    page = page_of(session, agenda)

    assert (boards(page), page.presents) == ([["#4"]], "#2")


def test_cancelled_poster_stays_in_its_place_with_its_reason_and_takes_no_time() -> None:
    session, posters = poster_session("#1", "#2", "#3")
    topic = Topic.objects.create(conference=session.conference, area="Theory")
    make_poster(session, "#9", topic=topic)
    agenda, _ = make_agenda(session.conference, *posters)
    agenda.visit(posters[1], on=True)
    posters[1].status, posters[1].topic = "cancelled", topic
    posters[1].revise(reason="The authors are ill.")

    page = page_of(session, agenda)

    stops = [stop for row in page.rows for stop in row.stops]
    assert [(it.board, it.cancelled, it.visited, it.reason) for it in stops] == [
        ("#1", False, False, ""),
        ("#2", True, False, "The authors are ill."),
        ("#3", False, False, ""),
    ]
    assert (page.count, page.sentence, page.suggestions) == (2, "2 posters in 2 h (1 h each).", [])


def test_cancelled_poster_that_one_presents_is_not_to_be_covered() -> None:
    session, [poster] = poster_session("#1")
    agenda, _ = make_agenda(session.conference, poster)
    agenda.present(poster, on=True)
    Event.objects.filter(pk=poster.pk).update(status="cancelled")

    assert page_of(session, agenda).presents == ""


def test_round_can_be_limited_to_musts_if_there_are_maybes() -> None:
    session, posters = poster_session("#1", "#2", "#3")
    agenda, _ = make_agenda(session.conference, *posters)
    agenda.bookmarks.filter(event=posters[1]).update(level="maybe")

    every, musts = (round_page(agenda, session, clock("08:00"), level) for level in ("", "must"))

    assert [(it.board, it.level) for row in every.rows for it in row.stops] == [("#1", "must"), ("#2", "maybe"), ("#3", "must")]
    assert (every.has_levels, every.count, every.musts, every.level) == (True, 3, 2, "")
    assert (boards(musts), musts.level, musts.count, musts.sentence) == (
        [["#1", "#3"]],
        "must",
        3,
        "2 posters in 2 h (1 h each).",
    )


@pytest.mark.parametrize("level", ["must", "maybe"])
def test_round_of_one_level_is_shown_whole(level: str) -> None:
    session, posters = poster_session("#1", "#2")
    agenda, _ = make_agenda(session.conference, *posters)
    agenda.bookmarks.update(level=level)

    page = round_page(agenda, session, clock("08:00"), "must")

    assert (boards(page), page.level, page.has_levels) == ([["#1", "#2"]], "", False)


@pytest.mark.parametrize(
    ("time", "sentence"),
    [
        pytest.param("08:00", "2 posters in 2 h (1 h each).", id="before"),
        pytest.param("11:00", "2 posters, 1 h left (30 min each).", id="meanwhile"),
        pytest.param("12:00", "0 of 2 seen. The session is over.", id="over"),
    ],
)
def test_page_of_the_session_has_the_boards_and_the_sentence_of_the_round(time: str, sentence: str) -> None:
    session, posters = poster_session("#10", "#9", "#100", "#3", "#4")
    agenda, _ = make_agenda(session.conference, session, *posters[:3], posters[4])
    agenda.bookmarks.filter(event=posters[4]).update(level="later")
    Event.objects.filter(pk=posters[1].pk).update(status="cancelled")

    mine = my_posters(agenda, session, clock(time))

    assert [(it.label, it.cancelled) for it in mine.boards] == [("#9", True), ("#10", False), ("#100", False)]
    assert (mine.count, mine.sentence) == (2, sentence)
    assert page_of(session, agenda, time).sentence == sentence


@pytest.mark.parametrize("size", [1, 3])
def test_boards_on_the_page_of_the_session_take_three_queries(size: int, django_assert_num_queries: Any) -> None:
    session, posters = poster_session(*(f"#{number}" for number in range(size)))
    agenda, _ = make_agenda(session.conference, *posters)

    with django_assert_num_queries(3):
        my_posters(agenda, session, clock())


@pytest.mark.parametrize("size", [1, 3])
def test_reasons_of_cancelled_posters_take_one_query_more(size: int, django_assert_num_queries: Any) -> None:
    session, posters = poster_session(*(f"#{number}" for number in range(size)))
    agenda, _ = make_agenda(session.conference, *posters)
    Event.objects.filter(session=session).update(status="cancelled", sequence=1)

    with django_assert_num_queries(8):
        round_page(agenda, session, clock())


def test_nearest_of_the_same_topic_are_proposed_and_what_was_refused_is_not() -> None:
    session, posters = poster_session("#1", "#2", "#3", "#4", "#5", "#6", "#7")
    topic = Topic.objects.create(conference=session.conference, area="Theory")
    Event.objects.filter(session=session).exclude(board="#2").update(topic=topic)
    agenda, _ = make_agenda(session.conference, posters[0], posters[2])
    agenda.bookmark(posters[2], on=False)

    page = page_of(session, agenda)

    assert [(it.card.event.board, it.reason) for it in page.suggestions] == [
        ("#4", "Same topic as #1"),
        ("#5", "Same topic as #1"),
        ("#6", "Same topic as #1"),
    ]


def test_ticks_of_later_do_not_show_at_an_earlier_moment() -> None:
    session, posters = poster_session("#1", "#2")
    agenda, _ = make_agenda(session.conference, *posters)
    agenda.bookmarks.update(visited_at=at("11:00"))

    before, after = (page_of(session, agenda, time, pinned=True).sentence for time in ("10:30", "11:30"))
    assert before == "2 posters, 1 h 30 min left (45 min each)."
    assert after == "Seen them all."


def test_session_without_a_time_counts_only() -> None:
    session, posters = poster_session("#1", "#2")
    Event.objects.filter(pk=session.pk).update(start=None, end=None)
    session.refresh_from_db()
    agenda, _ = make_agenda(session.conference, *posters)

    assert page_of(session, agenda).sentence == ""
    agenda.visit(posters[0], on=True)
    assert page_of(session, agenda).sentence == "1 of 2 seen."


@pytest.mark.parametrize("size", [1, 3, 60])
def test_round_takes_as_many_queries_for_sixty_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    session, _ = poster_session()
    posters = [make_poster(session, f"#{number}", announce=False) for number in range(size)]
    agenda, _ = make_agenda(session.conference)
    Bookmark.objects.bulk_create([Bookmark(agenda=agenda, event=it) for it in posters])

    with django_assert_num_queries(7):
        round_page(agenda, session, clock())
