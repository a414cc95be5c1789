from __future__ import annotations

import pytest

from events.models import Authorship, Event, Topic
from events.pages.queries.event import EventPage, event_page, public_event
from events.pages.queries.session_contents import CONTENTS_PER_PAGE
from tests.factories import make_appearance, make_conference, make_event, make_paper, make_person
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def poster_session(*boards: str) -> Event:
    session = make_event(make_conference(slug="demo"), title="Posters 1", start="10:00", end="12:30")
    for board in boards:
        part = {"title": f"On {board}", "board": board, "start": "10:00", "end": "12:30"}
        make_event(session.conference, kind="poster", session=session, announce=False, **part)
    return session


def page_of(session: Event, **asked: str | list[str]) -> EventPage:
    found = public_event(session.conference, session.pk)
    assert found is not None
    return event_page(found, clock(), query(**asked))


def boards(page: EventPage) -> list[tuple[str, list[str]]]:
    return [(heading, [card.board for card in cards]) for heading, cards in page.posters]


def test_posters_hang_in_the_order_of_a_walk() -> None:
    page = page_of(poster_session("#100", "#9", "", "#10"))

    assert boards(page) == [("", ["#9", "#10", "#100", ""])]
    assert (page.contents.posters, page.contents.heading, titles(page.talks)) == (4, "4 posters", [])


def test_breaks_and_panels_of_a_workshop_are_no_talks() -> None:
    workshop = make_event(make_conference(slug="demo"), title="Workshop", start="09:00", end="17:00")
    for kind, count in (("talk", 2), ("break", 1), ("session", 2)):
        for number in range(count):
            make_event(workshop.conference, kind=kind, title=f"{kind} {number}", session=workshop, announce=False)

    page = page_of(workshop)

    assert page.contents.heading == "2 talks, 3 others"
    assert (page.card.talks_count, page.card.inside_count, page.card.posters_count) == (2, 5, 0)


def test_session_says_how_long_each_poster_can_have() -> None:
    session = poster_session(*(f"#{number}" for number in range(30)))
    Event.objects.filter(board="#3").update(status="cancelled")

    assert page_of(session).contents.sentence == "5 min"
    assert page_of(poster_session_alone()).contents.sentence == ""


def poster_session_alone() -> Event:
    session = make_event(make_conference(), title="One", start="10:00", end="11:00")
    make_event(session.conference, kind="poster", session=session)
    return session


def test_posters_are_read_a_page_at_a_time_with_a_door_to_each() -> None:
    session = poster_session(*(f"#{number}" for number in range(1, CONTENTS_PER_PAGE + 6)))

    first, second = page_of(session), page_of(session, page="2")

    assert [(it.label, it.active) for it in second.contents.boards] == [("1 – 60", False), ("61 – 65", True)]
    assert [it.url for it in first.contents.boards] == ["?", "?page=2"]
    assert boards(second) == [("", ["#61", "#62", "#63", "#64", "#65"])]
    assert boards(page_of(session, page="99")) == boards(second)


@pytest.fixture
def by_topic() -> Event:
    session = poster_session("#1", "#2", "#3")
    topics = {name: Topic.objects.create(conference=session.conference, area=name) for name in ("Theory", "RL")}
    first, second, third = Event.objects.filter(session=session).order_by("board")
    first.topic, third.topic = topics["Theory"], None
    second.topic = topics["RL"]
    third.paper = make_paper(session.conference, topic=topics["RL"])
    for poster in (first, second, third):
        poster.save()
    return session


def test_posters_sorted_by_topic_stand_under_its_name(by_topic: Event) -> None:
    assert boards(page_of(by_topic, sort="topic")) == [("RL", ["#2", "#3"]), ("Theory", ["#1"])]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param("rl", ["#2", "#3"], id="also by the paper's topic"),
        pytest.param(["rl", "theory"], ["#1", "#2", "#3"], id="either"),
        pytest.param("nobody-knows", [], id="unknown"),
        pytest.param(["nobody-knows", "rl"], ["#2", "#3"], id="unknown beside a known one"),
        pytest.param("\x00", [], id="nul"),
        pytest.param("", ["#1", "#2", "#3"], id="blank"),
    ],
)
def test_posters_are_narrowed_to_topics(by_topic: Event, asked: str | list[str], shown: list[str]) -> None:
    assert boards(page_of(by_topic, topic=asked)) == ([("", shown)] if shown else [])


def test_topics_are_counted_with_the_papers_own(by_topic: Event) -> None:
    assert [(it.label, it.count, it.active) for it in page_of(by_topic, topic="rl").contents.topics] == [
        ("RL", 2, True),
        ("Theory", 1, False),
    ]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param("board 2", ["#2"], id="board"),
        pytest.param("#3", ["#3"], id="board-as-written"),
        pytest.param("LOVELACE", ["#1"], id="person on stage"),
        pytest.param("kirchhoff gus", ["#3"], id="beginnings of an author's names, without accents"),
        pytest.param("on", ["#1", "#2", "#3"], id="word of all titles"),
        pytest.param("nothing", [], id="nobody"),
        pytest.param("?!", ["#1", "#2", "#3"], id="no word"),
        pytest.param("\x00", ["#1", "#2", "#3"], id="nul"),
    ],
)
def test_posters_are_searched_by_title_person_and_board(by_topic: Event, asked: str, shown: list[str]) -> None:
    first, _, third = Event.objects.filter(session=by_topic).order_by("board")
    make_appearance(first, make_person(first.conference, "Ada Lovelace"))
    assert third.paper is not None
    Authorship.objects.create(paper=third.paper, person=make_person(first.conference, "Gústav Kirchhoff"))

    assert [board for _, some in boards(page_of(by_topic, q=asked)) for board in some] == shown


def test_hidden_authors_are_not_found(by_topic: Event) -> None:
    third = Event.objects.get(board="#3")
    assert third.paper is not None
    Authorship.objects.create(paper=third.paper, person=make_person(third.conference, "Nobody Knows"))
    third.paper.is_public = False
    third.paper.save()

    assert boards(page_of(by_topic, q="nobody")) == []


def test_search_and_topic_are_cleared_together(by_topic: Event) -> None:
    page = page_of(by_topic, q="on", topic="rl", sort="topic", page="1")

    assert (page.contents.question, page.contents.chosen, page.contents.clear_url) == ("on", True, "?sort=topic")


def test_talks_come_first_and_by_time() -> None:
    session = poster_session("#2")
    for title, start, end in [("Late", "10:15", "10:30"), ("Early", "10:00", "10:15")]:
        make_event(session.conference, kind="talk", title=title, session=session, start=start, end=end)

    page = page_of(session)

    assert (titles(page.talks), boards(page)) == (["Early", "Late"], [("", ["#2"])])
