"""The form of a person: in which events and papers the person is."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from events.models import Conference
from tests.admin.pages import url
from tests.factories import make_appearance, make_conference, make_event, make_paper, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def conference() -> Conference:
    return make_conference()


def named_in(page: Any) -> list[tuple[str, list[tuple[str, str]], int]]:
    return [(it.title, it.rows, it.more) for it in page.context["named_in"]]


def test_form_links_the_events_and_papers_of_a_person(organiser: Client, conference: Conference) -> None:
    ada = make_person(conference)
    paper = make_paper(conference, ada, title="Engines <b>")
    talk = make_event(conference, kind="talk", title="On engines", paper=paper, start="09:00", end="09:15")
    dinner = make_event(conference, kind="social", title="Dinner", status="draft", start="19:00", end="20:00")
    make_appearance(dinner, ada)
    make_appearance(make_event(conference), make_person(conference, "Mary"))

    page = organiser.get(url("change", "person", ada.pk))

    assert named_in(page) == [
        (
            "Events",
            [
                ("On engines (Thu 24 April 2025, 09:00–09:15)", url("change", "session", talk.pk)),
                ("Dinner (Thu 24 April 2025, 19:00–20:00), a draft", url("change", "social", dinner.pk)),
            ],
            0,
        ),
        ("Papers", [("Engines <b>", url("change", "paper", paper.pk))], 0),
    ]
    assert "Engines &lt;b&gt;</a>" in page.text


def test_form_of_somebody_who_is_in_nothing_has_no_lists(organiser: Client, conference: Conference) -> None:
    pages = [organiser.get(url("change", "person", make_person(conference).pk)), organiser.get(url("add", "person"))]

    assert [named_in(page) for page in pages] == [[], []]


@pytest.mark.parametrize("count", [1, 13])
def test_form_shows_the_first_events_in_a_fixed_number_of_queries(
    organiser: Client, conference: Conference, count: int, django_assert_max_num_queries: Any
) -> None:
    ada = make_person(conference)
    for _ in range(count):
        make_appearance(make_event(conference), ada)

    with django_assert_max_num_queries(15):
        page = organiser.get(url("change", "person", ada.pk))

    ((_, rows, more),) = named_in(page)
    assert (len(rows), more) == (min(count, 10), max(0, count - 10))


def test_social_chair_reads_no_title_of_a_draft_and_no_link_to_a_session(
    chair: Client, conference: Conference, django_user_model: Any
) -> None:
    ada = make_person(conference)
    make_paper(conference, ada, is_public=False)
    make_appearance(make_event(conference, title="Secret session", status="draft"), ada)
    make_appearance(make_event(conference, title="Known session", start="09:00", end="10:00"), ada)
    for user in django_user_model.objects.all():
        user.user_permissions.add(Permission.objects.get(codename="change_person"))

    page = chair.get(url("change", "person", ada.pk))

    assert named_in(page) == [("Events", [("Known session (Thu 24 April 2025, 09:00–10:00)", "")], 0)]
