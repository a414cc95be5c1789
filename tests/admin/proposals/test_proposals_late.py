"""Decisions that came too late, or were none: nothing is done, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from django.test import Client

from events.models import Event, Letter
from tests.admin.pages import url
from tests.admin.proposals.deciding import decide, form_of, lines, page_of, state
from tests.factories import make_appearance, make_conference, make_event, make_person, make_room
from tests.proposals.proposing import make_correction, make_proposal, sender_changes

pytestmark = pytest.mark.django_db
PUBLISH = {"decision": "publish"}


def test_second_chair_sees_who_decided_and_when(organiser: Client, chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")
    opened = form_of(page_of(organiser, proposal), "decline") | {"answer": "No."}
    decide(chair, proposal, "publish")

    response = organiser.post(url("change", "proposal", proposal.pk), opened)

    proposal.refresh_from_db()
    assert proposal.decided_at is not None
    at_venue = proposal.conference.moment_text(proposal.decided_at)
    assert (response.status_code, response.context["notice"]) == (
        409,
        f"Published by Barbara, {at_venue}. Your decision was not saved.",
    )
    assert (state(proposal)[0], len(lines(proposal)), Letter.objects.count(), response.context["forms"]) == (
        "published",
        1,
        1,
        {},
    )


@pytest.mark.parametrize("second", ["publish", "ask"])
def test_question_of_another_chair_is_not_overruled(organiser: Client, chair: Client, second: str) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")
    opened = form_of(page_of(organiser, proposal), second) | {"answer": "How many?"}
    decide(chair, proposal, "ask", answer="Which of the two bars?")

    response = organiser.post(url("change", "proposal", proposal.pk), opened)

    assert (response.status_code, response.context["notice"]) == (
        409,
        "Barbara asked back meanwhile: “Which of the two bars?” Your decision was not saved: please look again.",
    )
    assert (state(proposal), Event.objects.count(), Letter.objects.count()) == (("asked", "Which of the two bars?"), 0, 1)
    assert "How many?</textarea>" in response.text
    # On the page as it is now it can be decided.
    assert decide(organiser, proposal, "publish").status_code == 302


def test_change_that_its_sender_withdrew_is_no_old_publication(organiser: Client, chair: Client) -> None:
    proposal = make_proposal(make_conference())
    decide(chair, proposal, "publish")
    proposal.refresh_from_db()
    assert proposal.revise(proposal.version, cost="1,000 dollars")
    opened = form_of(page_of(organiser, proposal), "publish")
    assert proposal.withdraw(proposal.version)

    response = organiser.post(url("change", "proposal", proposal.pk), opened)

    at_venue = proposal.conference.moment_text(proposal.updated_at)
    assert (response.status_code, response.context["notice"]) == (
        409,
        f"The sender withdrew this change, {at_venue}. Your decision was not saved.",
    )
    assert ("1,000 dollars" in response.text, response.context["forms"], state(proposal)[0]) == (False, {}, "published")


def test_proposal_that_its_sender_withdrew_was_not_withdrawn_by_a_chair(organiser: Client, chair: Client) -> None:
    proposal = make_proposal(make_conference())
    decide(chair, proposal, "ask", answer="Which of the two bars?")
    proposal.refresh_from_db()
    opened = form_of(page_of(organiser, proposal), "publish")
    assert proposal.withdraw(proposal.version)

    notice = organiser.post(url("change", "proposal", proposal.pk), opened).context["notice"]

    at_venue = proposal.conference.moment_text(proposal.updated_at)
    assert notice == f"Withdrawn by the sender, {at_venue}. Your decision was not saved."


def test_what_the_sender_changed_since_is_not_published_but_shown(chair: Client) -> None:
    proposal = make_proposal(make_conference())
    opened = form_of(page_of(chair, proposal), "publish")
    sender_changes(proposal, title="Something else", cost="1,000 dollars")

    response = chair.post(url("change", "proposal", proposal.pk), opened)

    assert (response.status_code, "look again" in response.context["notice"], Event.objects.count()) == (409, True, 0)
    assert ("1,000 dollars" in response.text, response.context["forms"]["publish"].initial["title"]) == (True, "Something else")
    assert (state(proposal)[0], lines(proposal)) == ("waiting", [])


def test_words_that_came_too_late_stay_typed(chair: Client) -> None:
    proposal = make_proposal(make_conference())
    opened = form_of(page_of(chair, proposal), "ask") | {"answer": "Which of the two bars?"}
    sender_changes(proposal, place="The other bar")

    response = chair.post(url("change", "proposal", proposal.pk), opened)

    assert (response.status_code, "Which of the two bars?</textarea>" in response.text) == (409, True)


def test_form_that_came_too_late_can_be_copied(chair: Client) -> None:
    conference = make_conference()
    room = make_room(conference, "Garnet")
    event = make_event(conference, kind="social", title="Runners", start="18:00", end="20:00")
    correction = make_correction(event, title="Night runners")
    opened = form_of(page_of(chair, correction), "publish") | {
        "title": "Runners by night",
        "room": room.pk,
        "start_1": "18:30",
        "cost": "",
        "reason": "They asked.",
        "hosts": "<b>Ada</b>",
    }
    sender_changes(correction, cost="5 dollars")

    response = chair.post(url("change", "proposal", correction.pk), opened)

    assert dict(response.context["typed"]) == {
        "Title": "Runners by night",
        "Room": "Garnet",
        "Starts": "18:30",
        "Cost": "empty",
        "Reason for attendees": "They asked.",
        "Host": "<b>Ada</b>",
    }
    assert ("Runners by night" in response.text, "<b>Ada</b>" in response.text, state(correction)[0]) == (True, False, "waiting")


@pytest.mark.parametrize("changed", ["title", "hosts"])
def test_change_of_a_social_that_was_edited_meanwhile_is_shown_again(organiser: Client, chair: Client, changed: str) -> None:
    event = make_event(make_conference(), kind="social", title="Runners")
    correction = make_correction(event, cost="5 dollars")
    opened = form_of(page_of(chair, correction), "publish")
    if changed == "title":
        event.title = "Walkers"
        event.revise()
    else:
        make_appearance(event, make_person(event.conference), role="host")

    response = chair.post(url("change", "proposal", correction.pk), opened)

    event.refresh_from_db()
    words = {"title": "Title: Runners → Walkers", "hosts": "Somebody changed its hosts"}[changed]
    assert (response.status_code, words in response.context["notice"]) == (409, True)
    assert (event.cost, state(correction)[0]) == ("", "waiting")


def test_published_twice_it_is_one_event_and_one_letter(chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")
    opened = form_of(page_of(chair, proposal), "publish")

    codes = [chair.post(url("change", "proposal", proposal.pk), opened).status_code for _ in range(3)]

    assert (codes, Event.objects.count(), Letter.objects.count(), len(lines(proposal))) == ([302, 409, 409], 1, 1, 1)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"decision": "delete"}, id="a decision there is not"),
        pytest.param({"decision": "done", "version": "1"}, id="one for notes"),
    ],
)
def test_no_decision_is_no_decision(chair: Client, sent: dict[str, str]) -> None:
    proposal = make_proposal(make_conference())

    response = chair.post(url("change", "proposal", proposal.pk), sent)

    assert (response.status_code, state(proposal), lines(proposal)) == (200, ("waiting", ""), [])
    assert response.context["notice"] == "Nothing was changed: please choose what to do with the proposal."


def test_button_without_a_version_publishes_nothing(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    response = chair.post(url("change", "proposal", proposal.pk), PUBLISH | {"title": "Mine"})

    assert (state(proposal), Event.objects.count()) == (("waiting", ""), 0)
    assert "the page was out of date" in response.context["notice"]


@pytest.mark.parametrize("version", ["", "0", "-1", "2", "x", "1%00", "99999999999999999999"])
def test_version_that_was_never_shown_publishes_nothing(chair: Client, version: str) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, "publish", version=version)

    assert (response.status_code, state(proposal), Event.objects.count()) == (409, ("waiting", ""), 0)
