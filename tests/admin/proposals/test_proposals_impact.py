"""What an approved change does to those who have the social is seen first."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Event
from tests.admin.pages import counts, picked, url
from tests.admin.proposals.deciding import decide, form_of, page_of, state
from tests.factories import at, make_conference, make_event
from tests.proposals.proposing import make_correction, make_proposal

pytestmark = pytest.mark.django_db


@pytest.fixture
def runners(db: None) -> Event:
    conference = make_conference()
    event = make_event(conference, kind="social", title="Runners", start="18:00", end="20:00")
    picked(6, event, make_event(conference, start="21:00", end="22:00"))
    return event


def test_page_says_what_a_move_does_to_those_who_have_it(chair: Client, runners: Event) -> None:
    page = page_of(chair, make_correction(runners, start=at("20:30"), end=at("21:30")))

    assert counts(page) == [("6", "have it in their agenda"), ("all", "get a new clash"), ("0", "cannot get there in time")]


def test_move_that_was_shown_is_approved_with_one_button(chair: Client, runners: Event) -> None:
    correction = make_correction(runners, start=at("20:30"), end=at("21:30"))

    decide(chair, correction, "publish")

    runners.refresh_from_db()
    assert (runners.start, state(correction)[0]) == (at("20:30"), "published")


def test_move_that_a_chair_types_is_shown_first(chair: Client, runners: Event) -> None:
    correction = make_correction(runners, title="Night runners")
    address = url("change", "proposal", correction.pk)

    first = decide(chair, correction, "publish", start_1="20:30", end_1="21:30")
    runners.refresh_from_db()
    before = runners.start
    chair.post(address, form_of(first, "publish"))

    runners.refresh_from_db()
    assert (first.status_code, before, "Nothing is published yet" in first.text) == (200, at("18:00"), True)
    assert counts(first)[1] == ("all", "get a new clash")
    assert (runners.start, runners.title, state(correction)[0]) == (at("20:30"), "Night runners", "published")


def test_move_to_a_day_that_is_not_there_yet_is_shown_and_made(chair: Client, runners: Event) -> None:
    correction = make_correction(runners, title="Night runners")

    first = decide(chair, correction, "publish", date="2025-04-21")
    chair.post(url("change", "proposal", correction.pk), form_of(first, "publish"))

    runners.refresh_from_db()
    assert runners.day is not None
    assert (counts(first)[0], f"{runners.day.date}") == (("6", "have it in their agenda"), "2025-04-21")


@pytest.mark.parametrize("what", ["words only", "nobody has it", "new"])
def test_what_moves_nobody_is_not_asked_about(chair: Client, runners: Event, what: str) -> None:
    conference = runners.conference
    proposal: Any = {
        "words only": lambda: make_correction(runners, title="Night runners"),
        "nobody has it": lambda: make_correction(make_event(conference, kind="social"), start=at("20:30"), end=at("21:30")),
        "new": lambda: make_proposal(conference),
    }[what]()

    page = page_of(chair, proposal)
    decide(chair, proposal, "publish")

    assert (page.context.get("impact"), state(proposal)[0]) == (None, "published")
