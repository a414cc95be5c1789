from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from events.models import Appearance, Question
from events.queries.shown_names import is_refused, may_show, name_problem
from tests.factories import make_agenda, make_appearance, make_conference, make_event, make_paper, make_person
from tests.questions import make_panel

pytestmark = pytest.mark.django_db

CLOSE = "is too close to the name of somebody in a programme here, or of who runs it: choose another one."


@pytest.mark.parametrize("role", ["speaker", "host", "moderator", "panellist", "author"])
def test_name_of_anybody_in_a_published_programme_is_refused(role: str) -> None:
    person = make_person(make_conference(), "Yoshua Bengio")
    if role == "author":
        make_paper(person.conference, person)
    else:
        make_appearance(make_event(person.conference), person, role=role)

    assert name_problem("Y0shua Bengio") == f"“Y0shua Bengio” {CLOSE}"
    assert name_problem("Yoshua") == ""


@pytest.mark.parametrize("where", ["draft event", "hidden paper", "draft conference", "nowhere"])
def test_refusal_tells_of_nobody_who_is_not_public(where: str) -> None:
    conference = make_conference(status="draft" if where == "draft conference" else "published")
    person = make_person(conference, "Yoshua Bengio")
    if where == "hidden paper":
        make_paper(conference, person, is_public=False)
    elif where != "nowhere":
        make_appearance(make_event(conference, status="draft" if where == "draft event" else "confirmed"), person)

    assert name_problem("Yoshua Bengio") == ""


def test_names_of_who_runs_the_site_are_refused() -> None:
    User.objects.create_user("gracehopper", first_name="Grace", last_name="Hopper", is_staff=True)
    User.objects.create_user("somebody@example.org", first_name="Mary", last_name="Jackson")

    assert [bool(name_problem(it)) for it in ["Grace Hopper", "G. Hopper", "GraceHopper", "Mary Jackson"]] == [True] * 3 + [False]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Session Moderator", "speaks for the conference"),
        ("ICLR News", "speaks for the conference"),
        ("Amber Heron 42", "looks like a name that is given here"),
        ("Yоshua B", "mixes letters of different scripts"),
    ],
)
def test_what_is_nobodys_name_is_refused_in_words(name: str, why: str) -> None:
    make_conference(name="ICLR 2025", slug="iclr-2025")

    assert name_problem(name).startswith(f"“{name}” {why}")


def test_event_protects_its_people_more_closely_and_those_of_what_is_in_it() -> None:
    panel = make_panel()
    talk = make_event(panel.conference, kind="talk", session=panel)
    paper_talk = make_event(panel.conference, kind="talk", session=panel)
    paper_talk.paper = make_paper(panel.conference, make_person(panel.conference, "Fei-Fei Li"))
    paper_talk.save()
    make_appearance(panel, make_person(panel.conference, "Yoshua Bengio"))
    make_appearance(talk, make_person(panel.conference, "Ada Lovelace"))
    make_appearance(make_event(panel.conference), make_person(panel.conference, "Grace Hopper"))

    shown = {name: may_show(name, panel, None) for name in ["Yoshua", "Ada", "Fei Fei Li", "Feifei", "Grace", "Mary Jackson"]}

    assert shown == {"Yoshua": False, "Ada": False, "Fei Fei Li": False, "Feifei": True, "Grace": True, "Mary Jackson": True}


def test_event_protects_nobody_who_is_not_public() -> None:
    panel = make_panel()
    make_appearance(make_event(panel.conference, session=panel, status="draft"), make_person(panel.conference, "Ada Lovelace"))
    panel.paper = make_paper(panel.conference, make_person(panel.conference, "Grace Hopper"), is_public=False)
    panel.save()

    assert [may_show(name, panel, None) for name in ["Ada Lovelace", "Grace Hopper"]] == [True, True]


def test_somebody_who_joins_the_stage_later_is_protected_from_then_on() -> None:
    panel = make_panel()
    before = may_show("Ada Lovelace", panel, None)

    Appearance.objects.create(event=panel, person=make_person(panel.conference, "Ada Lovelace"))

    assert (before, may_show("Ada Lovelace", panel, None)) == (True, False)


def test_name_that_somebody_asks_under_is_theirs() -> None:
    panel = make_panel()
    (mine, _), (other, _) = make_agenda(panel.conference), make_agenda(panel.conference)
    Question.objects.create(event=panel, agenda=mine, text="Why?", name="Mary Jackson")

    assert [may_show("Mary Jacks0n", panel, it) for it in (mine, other, None)] == [True, False, False]


def test_name_that_became_somebodys_in_the_programme_is_refused_where_it_is_chosen() -> None:
    panel = make_panel()
    before = is_refused("Grace Hopper", panel, None)

    make_appearance(make_event(panel.conference), make_person(panel.conference, "Grace Hopper"))

    assert (before, may_show("Grace Hopper", panel, None), is_refused("Grace Hopper", panel, None)) == (False, True, True)


def test_draft_conference_keeps_its_name_to_itself() -> None:
    make_conference(name="Secret Summit", slug="secret", status="draft")

    assert name_problem("Secret Summit") == ""
