from __future__ import annotations

import pytest
from django.http import QueryDict

from events.models import Award, Conference, Topic
from events.pages.queries.people import AwardGroup, award_groups, paper_filters, paper_page, paper_rows
from events.programme.queries.papers import public_papers
from tests.factories import THURSDAY, at, make_conference, make_event, make_paper, make_person, make_room
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def award(conference: Conference, name: str = "Outstanding paper", year: int = 2025, **fields: object) -> Award:
    return Award.objects.create(conference=conference, name=name, year=year, **fields)


def listed(conference: Conference, asked: QueryDict | None = None) -> list[str]:
    return [paper.title for paper in public_papers(conference, asked or query())]


def shown_awards(groups: list[AwardGroup]) -> list[tuple[str, int, list[tuple[str, str | None, str | None]]]]:
    return [
        (it.name, it.year, [(e.level, e.paper and e.paper.title, e.talk and e.talk.title) for e in it.entries]) for it in groups
    ]


class World:
    """Three papers, two topics, one winner; and a paper nobody may know of."""

    def __init__(self) -> None:
        self.conference = make_conference(slug="demo")
        rl = Topic.objects.create(conference=self.conference, area="RL")
        theory = Topic.objects.create(conference=self.conference, area="Theory", subarea="Optimisation")
        self.adam = make_paper(self.conference, make_person(self.conference, "Durk Kingma"), title="Adam", topic=theory)
        make_paper(self.conference, make_person(self.conference, "Ada Müller"), title="Bandits", topic=rl)
        make_paper(self.conference, title="Convergence", topic=theory)
        self.secret = make_paper(
            self.conference, make_person(self.conference, "Nobody Knows"), title="Secret", topic=rl, is_public=False
        )
        award(self.conference, paper=self.adam)
        award(self.conference, paper=self.secret)


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param(query(), ["Adam", "Bandits", "Convergence"], id="all"),
        pytest.param(query(topic="rl"), ["Bandits"], id="topic"),
        pytest.param(query(topic=["rl", "theory-optimisation"]), ["Adam", "Bandits", "Convergence"], id="topics"),
        pytest.param(query(award="1"), ["Adam"], id="winners"),
        pytest.param(query(award="1", topic="rl"), [], id="winners-of-a-topic"),
        pytest.param(query(topic="nobody-knows"), [], id="unknown-topic"),
        pytest.param(query(q="ADAM"), ["Adam"], id="title"),
        pytest.param(query(q="kingma durk"), ["Adam"], id="author"),
        pytest.param(query(q="müller"), ["Bandits"], id="author with an accent"),
        pytest.param(query(q="muller"), ["Bandits"], id="author without it"),
        pytest.param(query(q="kingma bandits"), [], id="no paper with both"),
        pytest.param(query(q="nobody"), [], id="author of a hidden paper"),
        pytest.param(query(q="\x00"), ["Adam", "Bandits", "Convergence"], id="nul in the search"),
        pytest.param(query(topic="\x00"), ["Adam", "Bandits", "Convergence"], id="nul"),
    ],
)
def test_papers_are_listed_by_title_under_the_filters(world: World, asked: QueryDict, shown: list[str]) -> None:
    assert listed(world.conference, asked) == shown


def test_paper_with_two_awards_is_listed_once(world: World) -> None:
    award(world.conference, "Test of time", paper=world.adam)

    assert listed(world.conference, query(award="1")) == ["Adam"]


def test_paper_filters_count_public_papers(world: World) -> None:
    filters = paper_filters(world.conference, query(topic="rl", view="x", page="2"))

    assert [(it.label, it.value, it.count, it.active) for it in filters.topics] == [
        ("RL", "rl", 1, True),
        ("Theory › Optimisation", "theory-optimisation", 2, False),
    ]
    assert filters.award is not None
    assert (filters.award.count, filters.award.active, filters.award.url) == (1, False, "?topic=rl&view=x&award=1")
    assert (filters.clear_url, filters.any) == ("?view=x", True)


def test_paper_filters_offer_no_winners_where_nobody_won() -> None:
    conference = make_conference()
    make_paper(conference)

    assert paper_filters(conference, query()).award is None
    assert paper_filters(conference, query(award="1")).award is not None


def test_paper_row_knows_all_its_slots_in_order() -> None:
    conference = make_conference(slug="demo")
    paper = make_paper(conference, title="Adam", tldr="One sentence.")
    poster = make_event(conference, kind="poster", paper=paper, board="#7", start="14:00", end="16:00")
    oral = make_event(conference, kind="talk", paper=paper, start="10:00", end="10:15", room=make_room(conference, "Hall 1"))
    make_event(conference, kind="session", paper=paper, title="TBA")
    make_event(conference, kind="talk", paper=paper, status="draft")

    (row,) = paper_rows(public_papers(conference, query()), clock("09:30", pinned=True))

    assert [(it.type_name, it.line, it.start, it.day, it.plate and it.plate.name, it.board) for it in row.slots] == [
        ("Talk", "session", at("10:00"), THURSDAY, "Hall 1", ""),
        ("Poster", "poster", at("14:00"), THURSDAY, None, "#7"),
        ("Session", "session", None, THURSDAY, None, ""),
    ]
    assert row.slots[0].url == f"{oral.get_absolute_url()}?at=2025-04-24T09:30"
    assert row.slots[1].url == f"{poster.get_absolute_url()}?at=2025-04-24T09:30"
    assert (row.title, row.tldr, row.url) == ("Adam", "One sentence.", f"/demo/papers/{paper.guid}/?at=2025-04-24T09:30")


def test_paper_row_leads_to_its_only_event_and_bookmarks_what_is_ahead() -> None:
    conference = make_conference(slug="demo")
    paper = make_paper(conference, title="Adam")
    oral = make_event(conference, kind="talk", paper=paper, start="09:00", end="09:15")

    (row,) = paper_rows(public_papers(conference, query()), clock("09:30", pinned=True))
    assert (row.url, [it.is_ahead for it in row.slots]) == (f"{oral.get_absolute_url()}?at=2025-04-24T09:30", [False])

    make_event(conference, kind="poster", paper=paper, start="14:00", end="16:00")
    make_event(conference, kind="poster", paper=paper, start="15:00", end="16:00", status="cancelled")
    (row,) = paper_rows(public_papers(conference, query()), clock("09:30"))
    assert (row.url, [it.is_ahead for it in row.slots]) == (f"/demo/papers/{paper.guid}/", [False, True, False])


def test_paper_row_shows_five_authors_and_counts_the_rest() -> None:
    conference = make_conference()
    make_paper(conference, *(make_person(conference, f"Author {number}") for number in range(7)))

    (row,) = paper_rows(public_papers(conference, query()), clock())

    assert [it.name for it in row.authors] == [f"Author {number}" for number in range(5)]
    assert row.authors_more == 2


def test_paper_row_shows_its_awards(world: World) -> None:
    award(world.conference, "Test of time", level="runner-up", paper=world.adam)

    row = paper_rows(public_papers(world.conference, query()), clock())[0]

    assert row.awards == ["Outstanding paper, winner", "Test of time, runner-up"]


def test_paper_page_has_all_authors_and_every_slot_as_a_card() -> None:
    conference = make_conference()
    paper = make_paper(conference, *(make_person(conference, f"Author {number}") for number in range(7)))
    make_event(conference, kind="talk", title="Oral", paper=paper, start="10:00", end="10:15")
    make_event(conference, kind="poster", title="Poster", paper=paper, start="14:00", end="16:00")
    make_event(conference, title="Draft", paper=paper, status="draft")

    page = paper_page(paper, clock())

    assert [it.name for it in page.authors] == [f"Author {number}" for number in range(7)]
    assert titles(page.slots) == ["Oral", "Poster"]


def test_awards_are_grouped_by_name_and_year_in_the_organisers_order() -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", title="Adam, ten years on")
    adam, other, gan = (make_paper(conference, title=title) for title in ("Adam", "Other", "GAN"))
    award(conference, "Outstanding paper", paper=other, level="runner-up", position=3, citation="Sound.")
    award(conference, "Test of time", paper=adam, event=talk, position=1)
    award(conference, "Outstanding paper", paper=gan, position=2)
    award(conference, "Outstanding paper", year=2024, paper=gan, position=4)

    groups = award_groups(conference, clock())

    assert shown_awards(groups) == [
        ("Test of time", 2025, [("Winner", "Adam", "Adam, ten years on")]),
        ("Outstanding paper", 2025, [("Winner", "GAN", None), ("Runner-up", "Other", None)]),
        ("Outstanding paper", 2024, [("Winner", "GAN", None)]),
    ]
    assert groups[1].entries[1].citation == "Sound."


def test_award_is_hidden_with_its_paper_also_when_its_talk_is_public(world: World) -> None:
    Award.objects.all().delete()
    award(world.conference, paper=world.secret, event=make_event(world.conference, kind="talk"))

    assert award_groups(world.conference, clock()) == []


def test_award_of_a_talk_is_hidden_with_the_talk(world: World) -> None:
    Award.objects.all().delete()
    award(world.conference, "Best talk", event=make_event(world.conference, status="draft"))

    assert award_groups(world.conference, clock()) == []


def test_award_whose_talk_is_a_draft_shows_its_paper(world: World) -> None:
    Award.objects.all().delete()
    award(world.conference, paper=world.adam, event=make_event(world.conference, status="draft"))

    assert shown_awards(award_groups(world.conference, clock())) == [("Outstanding paper", 2025, [("Winner", "Adam", None)])]
