from __future__ import annotations

import datetime as dt

import pytest

from events.models import Conference, Topic
from events.pages.queries.topics import TopicFit, TopicPage, topic_areas, topic_fit, topic_page
from tests.factories import THURSDAY, make_agenda, make_conference, make_day, make_event, make_paper
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

FRIDAY = THURSDAY + dt.timedelta(days=1)


class World:
    """Bandits on two days: two posters of a session, a talk by its paper, and a draft; robots once."""

    def __init__(self) -> None:
        conference: Conference = make_conference(slug="demo")
        self.conference = conference
        self.bandits = Topic.objects.create(conference=conference, area="RL", subarea="Bandits")
        self.robots = Topic.objects.create(conference=conference, area="RL", subarea="Robots")
        self.empty = Topic.objects.create(conference=conference, area="Theory")
        paper = make_paper(conference, topic=self.bandits)
        hidden = make_paper(conference, topic=self.bandits, is_public=False)
        session = make_event(conference, title="Posters", start="10:00", end="12:00")
        for board in ("#10", "#9"):
            part = {"topic": self.bandits, "session": session, "start": "10:00", "end": "12:00"}
            make_event(conference, kind="poster", title=board, board=board, **part)
        friday = make_day(conference, FRIDAY)
        self.talk = make_event(conference, kind="talk", title="By paper", paper=paper, day=friday, start="09:00", end="10:00")
        make_event(conference, kind="talk", title="Hidden", paper=hidden, day=friday)
        make_event(conference, kind="talk", title="Draft", topic=self.bandits, status="draft")
        self.robot = make_event(conference, kind="talk", title="Robot", topic=self.robots, start="11:00", end="11:30")

    def page(self, topic: Topic, **asked: str) -> TopicPage:
        return topic_page(topic, clock(), query(**asked))


@pytest.fixture
def world() -> World:
    return World()


def shape(page: TopicPage) -> list[tuple[object, list[tuple[str, list[str]]]]]:
    return [(day, [(it.session.title if it.session else "", titles(it.cards)) for it in parts]) for day, parts in page.days]


def test_areas_count_papers_and_events_and_leave_out_what_is_empty(world: World) -> None:
    (area,) = topic_areas(world.conference, clock())

    assert (area.name, area.papers, area.events, area.url) == ("RL", 1, 4, "/demo/topics/rl-bandits/?whole=1")
    assert [(it.name, it.papers, it.events, it.url) for it in area.topics] == [
        ("Bandits", 1, 3, "/demo/topics/rl-bandits/"),
        ("Robots", 0, 1, "/demo/topics/rl-robots/"),
    ]


def test_topic_stands_by_day_and_session_and_there_by_board(world: World) -> None:
    page = world.page(world.bandits)

    assert shape(page) == [(THURSDAY, [("Posters", ["#9", "#10"])]), (FRIDAY, [("", ["By paper"])])]
    assert (page.name, page.count, page.papers, page.papers_url) == ("RL › Bandits", 3, 1, "/demo/papers/?topic=rl-bandits")


def test_area_is_all_its_topics(world: World) -> None:
    page = world.page(world.bandits, whole="1")

    assert (page.name, page.count, page.whole) == ("RL", 4, True)
    assert [(it.label, it.active) for it in page.siblings] == [("All of RL", True), ("Bandits", False), ("Robots", False)]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [("poster", ["#9", "#10"]), ("talk", ["By paper"]), ("nobody-knows", []), ("\x00", []), ("", ["#9", "#10", "By paper"])],
)
def test_topic_is_narrowed_to_kinds(world: World, asked: str, shown: list[str]) -> None:
    page = world.page(world.bandits, type=asked)

    assert [title for _, parts in page.days for it in parts for title in titles(it.cards)] == shown
    assert page.count == 3


def test_topic_without_anything_is_empty(world: World) -> None:
    page = world.page(world.empty)

    assert (page.days, page.count, page.papers) == ([], 0, 0)


def test_fit_counts_what_clashes_with_no_pick(world: World) -> None:
    talk = make_event(world.conference, kind="talk", start="11:15", end="11:45")
    agenda, _ = make_agenda(world.conference, talk, world.talk)

    found = topic_fit(world.conference, agenda, [world.bandits.pk, world.robots.pk])

    # The posters hang for longer than the talk takes; the robot is on at the same time.
    assert found == TopicFit(fits=3, total=4, bookmarked=1)
