"""What a misspelled question finds, what comes first, and what is offered beside the results."""

from __future__ import annotations

import pytest

from events.models import Amenity, Award, Conference, Service, Topic
from tests.factories import make_conference, make_event, make_paper, make_person, make_room, make_zone
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


@pytest.fixture
def programme() -> Conference:
    conference = make_conference()
    topic = Topic.objects.create(conference=conference, area="Deep Learning", subarea="Large Language Models", slug="llm")
    kolter = make_person(conference, "Zico Kolter")
    make_paper(conference, kolter, title="Diffusion Models with Reinforcement Learning", topic=topic, abstract="Large language.")
    for given in ("Yoshua", "Samy"):
        make_paper(conference, make_person(conference, f"{given} Bengio"), title=f"Towards {given}", abstract="Yields more.")
    make_paper(conference, *(make_person(conference, f"{it} Kang") for it in ("Bo", "Li")), title="Kanban for labs")
    make_paper(conference, title="KAN: Kolmogorov–Arnold Networks")
    make_paper(conference, make_person(conference, "Jean-Baptiste Alayrac"), title="Fast C++ kernels")
    make_paper(conference, make_person(conference, "Anna C. Young"), title="Adam")
    Award.objects.create(conference=conference, name="Test of time", year=2025, paper=conference.papers.get(title="Adam"))
    hall = make_room(conference, "Hall 1", make_zone(conference, "West"))
    make_event(conference, kind="break", title="Coffee break 1", start="10:00", end="10:30", room=make_room(conference, "Hall 2"))
    make_event(conference, kind="talk", title="Opening", start="09:00", end="10:00", room=hall)
    make_event(conference, kind="poster", title="Ladders", start="14:00", end="16:00", board="139")
    make_event(
        conference, kind="poster", title="Snakes", start="14:00", end="16:00", board="Board 140", abstract="Of 139 boards."
    )
    reindex(conference)
    return conference


@pytest.mark.parametrize(
    ("question", "corrected", "first"),
    [
        ("koltr", "Kolter", "Zico Kolter"),
        ("zico kotler", "Zico Kolter", "Zico Kolter"),
        ("difusion", "Diffusion", "Diffusion Models with Reinforcement Learning"),
        ("difussion model", "Diffusion model", "Diffusion Models with Reinforcement Learning"),
        ("reinforcement lerning", "Reinforcement Learning", "Diffusion Models with Reinforcement Learning"),
        ("jaen-baptiste", "Jean Baptiste", "Jean-Baptiste Alayrac"),
        ("kolmogorov arnlod", "Kolmogorov Arnold", "KAN: Kolmogorov–Arnold Networks"),
    ],
)
def test_results_are_for_the_nearest_spelling_if_nothing_has_the_question(
    programme: Conference, question: str, corrected: str, first: str
) -> None:
    page = ask(programme, question)

    assert page.corrected.casefold() == corrected.casefold()
    assert "".join(part.text for part in page.results[0].title) == first
    assert any(part.is_match for part in page.results[0].title)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("bengio y", "Yoshua Bengio"),
        ("y. bengio", "Yoshua Bengio"),
        ("KAN", "KAN: Kolmogorov–Arnold Networks"),
        ("board 139", "Ladders"),
        ("board 140", "Snakes"),
        ("hall 1", "Hall 1"),
        ("c++", "Fast C++ kernels"),
        ("test of time", "Adam"),
    ],
)
def test_what_is_meant_comes_first(programme: Conference, question: str, first: str) -> None:
    page = ask(programme, question)

    assert "".join(part.text for part in page.results[0].title) == first
    assert page.corrected == ""


def test_letter_with_signs_and_initials_find_no_more_than_is_meant(programme: Conference) -> None:
    assert result_titles(programme, "c++") == ["Fast C++ kernels"]
    assert sorted(result_titles(programme, "bengio y")) == ["Towards Yoshua", "Yoshua Bengio"]
    assert result_titles(programme, "hall 1")[-1] == "Coffee break 1"


def test_several_near_spellings_are_offered() -> None:
    conference = make_conference()
    for name in ("Ada Koltar", "Bo Koltir", "Cy Koltir"):
        make_paper(conference, make_person(conference, name), title=f"By {name[:2]}")
    reindex(conference)

    page = ask(conference, "koltor")

    assert page.corrected == "Koltir"
    assert [(it.label, it.url) for it in page.other_spellings] == [("koltar", "?q=koltar")]


def test_spelling_with_many_results_is_offered_beside_few_and_not_forced() -> None:
    conference = make_conference()
    make_paper(conference, title="A lerning curve")
    for number in range(6):
        make_paper(conference, title=f"Learning {number}")
    reindex(conference)

    page = ask(conference, "lerning")

    assert (page.corrected, [it.label for it in page.other_spellings]) == ("", ["learning"])
    assert result_titles(conference, "lerning") == ["A lerning curve"]
    assert ask(conference, "learning").other_spellings == []


@pytest.mark.parametrize("question", ["zzzzzz", "139139", "qqqq wwww eeee rrrr", "zq", "x" * 200])
def test_what_is_near_nothing_is_not_corrected(programme: Conference, question: str) -> None:
    page = ask(programme, question)

    assert (page.count, page.corrected, page.other_spellings) == (0, "", [])


def test_corrected_question_is_filtered_and_paged_like_any_other(programme: Conference) -> None:
    page = ask(programme, "koltr", kind="paper")

    assert ["".join(it.text for it in result.title) for result in page.results] == [
        "Diffusion Models with Reinforcement Learning"
    ]
    assert [(it.label, it.count) for it in page.kinds] == [("Papers", 1), ("People", 1)]


# Topics and places


def test_topic_page_is_offered(programme: Conference) -> None:
    def offered(question: str) -> list[tuple[str, str]]:
        return [(it.label, it.url) for it in ask(programme, question).topic_pages]

    url = f"/{programme.slug}/topics/llm/"
    assert offered("large language models") == [("Deep Learning › Large Language Models", url)]
    assert offered("language mod") == offered("large language models")
    assert [offered(it) for it in ("large ladders", "la", "uage", "")] == [[], [], [], []]


@pytest.mark.parametrize("question", ["wifi", "Wi-Fi", "internet", "where is the wifi"])
def test_words_for_a_place_lead_to_the_service(question: str) -> None:
    conference = make_conference()
    Service.objects.create(conference=conference, name="Wi-Fi", description="Network: guest.")
    Service.objects.create(conference=conference, name="Registration")
    reindex(conference)

    page = ask(conference, question)

    found = [*page.places, *page.results]
    assert [("".join(it.text for it in result.title), result.label) for result in found] == [("Wi-Fi", "Service")]
    assert page.count == 1


def test_words_for_a_place_lead_to_rooms_and_amenities() -> None:
    conference = make_conference()
    Amenity.objects.create(conference=conference, name="Restrooms")
    make_event(conference, title="Sit", start="09:00", end="10:00", room=make_room(conference, "Silent room"))
    reindex(conference)

    assert ["".join(it.text for it in result.title) for result in ask(conference, "toilet").places] == ["Restrooms"]
    assert ["".join(it.text for it in result.title) for result in ask(conference, "quiet space").places] == ["Silent room"]


def test_nothing_is_claimed_of_a_place_that_is_not_there(programme: Conference) -> None:
    page = ask(programme, "toilet")

    assert (page.count, page.places, page.corrected, page.asks_for_facility) == (0, [], "", True)
