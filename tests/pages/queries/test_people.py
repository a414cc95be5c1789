from __future__ import annotations

from typing import Any

import pytest

from events.models import Award, Conference, Person
from events.pages.queries.people import name_letter_choices, person_page, person_rows, public_people
from tests.factories import make_appearance, make_conference, make_event, make_paper, make_person
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


def speaker(conference: Conference, name: str, **fields: Any) -> Person:
    person = make_person(conference, name)
    make_appearance(make_event(conference, **fields), person)
    return person


def test_people_are_those_whom_something_public_names() -> None:
    conference = make_conference()
    speaker(conference, "Ada Speaker")
    speaker(conference, "Bo Unpublished", status="draft")
    make_paper(conference, make_person(conference, "Cy Author"))
    make_paper(conference, make_person(conference, "Di Hidden"), is_public=False)
    make_person(conference, "Ed Nobody")
    speaker(make_conference(), "Flo Elsewhere")

    assert [person.name for person in public_people(conference)] == ["Cy Author", "Ada Speaker"]


def test_people_say_in_how_many_public_events_and_papers_they_are() -> None:
    conference = make_conference()
    person = speaker(conference, "Ada Lovelace")
    talk = make_event(conference)
    make_appearance(talk, person)
    make_appearance(talk, person, role="host")
    make_appearance(make_event(conference, status="draft"), person)
    make_paper(conference, person)
    make_paper(conference, person, is_public=False)

    assert [(it.events, it.papers) for it in person_rows(public_people(conference))] == [(2, 1)]


@pytest.fixture
def alphabet() -> Conference:
    conference = make_conference()
    for name in ["Ada Lovelace", "Émile Ångström", "Bo adams", "Søren Ørsted", "Лев Толстой", "张伟", "Nino აბაშიძე"]:
        speaker(conference, name)
    return conference


def test_letters_are_those_there_are(alphabet: Conference) -> None:
    choices = name_letter_choices(alphabet, query())

    assert {(it.label, it.value, it.count) for it in choices} == {
        ("A", "a", 2),
        ("L", "l", 1),
        ("Ø", "ø", 1),
        ("Т", "т", 1),
        ("张", "张", 1),
        ("ა", "ა", 1),
    }
    assert len(choices) == 6


@pytest.mark.parametrize(
    ("letter", "names"),
    [
        pytest.param("a", ["Bo adams", "Émile Ångström"], id="small"),
        pytest.param("A", ["Bo adams", "Émile Ångström"], id="capital"),
        pytest.param("Å", ["Bo adams", "Émile Ångström"], id="with-an-accent"),
        pytest.param("Ø", ["Søren Ørsted"], id="danish"),
        pytest.param("ø", ["Søren Ørsted"], id="danish-small"),
        pytest.param("т", ["Лев Толстой"], id="cyrillic-small"),
        pytest.param("Т", ["Лев Толстой"], id="cyrillic"),
        pytest.param("张", ["张伟"], id="chinese"),
        pytest.param("ა", ["Nino აბაშიძე"], id="georgian"),
        pytest.param("%", [], id="percent"),
        pytest.param("b", [], id="nobody"),
    ],
)
def test_people_of_a_letter(alphabet: Conference, letter: str, names: list[str]) -> None:
    assert [person.name for person in public_people(alphabet, letter)] == names


def test_every_letter_finds_as_many_people_as_it_says(alphabet: Conference) -> None:
    found = {it.value: public_people(alphabet, it.value).count() for it in name_letter_choices(alphabet, query())}

    assert found == {it.value: it.count for it in name_letter_choices(alphabet, query())}


def test_chosen_letter_can_be_given_back(alphabet: Conference) -> None:
    choices = {it.value: (it.active, it.url) for it in name_letter_choices(alphabet, query(letter="A", page="2", at="x"))}

    assert choices["a"] == (True, "?at=x")
    assert choices["l"] == (False, "?at=x&letter=l")


def test_person_page_has_appearances_and_what_they_wrote() -> None:
    conference = make_conference()
    durk = speaker(conference, "Durk Kingma", title="Keynote", start="09:00", end="10:00")
    paper = make_paper(conference, durk, make_person(conference, "Jimmy Ba"), title="Adam")
    make_event(conference, kind="poster", title="Poster", paper=paper, start="14:00", end="15:00")
    make_appearance(make_event(conference, title="Draft", status="draft"), durk)
    make_paper(conference, durk, title="Secret", is_public=False)
    make_event(conference, kind="poster", title="Of a secret", paper=make_paper(conference, durk, is_public=False))
    make_event(conference, title="Somebody else's")

    page = person_page(durk, clock())

    assert titles(page.cards) == ["Keynote", "Poster"]
    assert [(row.title, [it.name for it in row.authors]) for row in page.papers] == [("Adam", ["Durk Kingma", "Jimmy Ba"])]


def test_person_who_speaks_and_wrote_stands_once_at_each_event() -> None:
    conference = make_conference()
    durk = make_person(conference)
    oral = make_event(conference, title="Oral", paper=make_paper(conference, durk))
    make_appearance(oral, durk)
    make_appearance(oral, durk, role="host")

    page = person_page(durk, clock())

    assert titles(page.cards) == ["Oral"]


def test_person_page_has_awards_of_their_public_papers_and_talks() -> None:
    conference = make_conference()
    durk = make_person(conference)
    paper, secret = make_paper(conference, durk), make_paper(conference, durk, is_public=False)
    talk = make_event(conference, paper=paper)
    make_appearance(talk, durk)
    for name, owners in [
        ("Both", {"paper": paper, "event": talk}),
        ("Talk", {"event": talk}),
        ("Secret", {"paper": secret}),
        ("Secret talk", {"paper": secret, "event": talk}),
        ("Another's", {"paper": make_paper(conference)}),
    ]:
        Award.objects.create(conference=conference, name=name, year=2025, **owners)

    assert [it.name for it in person_page(durk, clock()).awards] == ["Both", "Talk"]
