"""What is sent to the desk late, twice, after going back, or from a browser that others use: nothing that was typed is lost."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.core import limits
from events.core.limits import Limit
from events.models import Conference, Proposal, Tally
from events.proposals.decisions import publish
from events.proposals.forms import NOTHING_CHANGED_MESSAGE, FormStamp
from events.proposals.views import (
    NOT_CHANGEABLE_MESSAGE,
    PROPOSAL_FORGOTTEN_MESSAGE,
    PROPOSALS_CLOSED_MESSAGE,
    PROPOSALS_COOKIE,
    TOO_MANY_PROPOSALS_MESSAGE,
)
from tests.factories import make_event
from tests.proposals.forms_filled import (
    MISSING,
    PROPOSE,
    SOCIAL,
    about,
    make_social,
    only,
    problems,
    propose,
    shown,
    stamp,
)
from tests.proposals.proposing import chair
from tests.visitors import known_browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_the_conference")]
AFTER = dt.datetime(2025, 5, 29, 12, tzinfo=dt.UTC)
AT = "?at=2025-04-20T09:30"
HERE = {"origin": "http://testserver"}


@pytest.fixture(name="sent")
def _sent(conference: Conference) -> Proposal:
    propose(Client())
    return only()


def test_who_goes_back_and_sends_other_words_sees_both(conference: Conference) -> None:
    client, given = Client(), stamp()
    propose(client, stamp=given)

    response = propose(client, stamp=given, cost="Ten dollars", anyway="1")

    assert response.status_code == 422
    assert f'open <a href="{only().url}">what you sent</a>' in response.text
    assert 'value="Ten dollars"' in response.text
    assert only().cost == ""
    again = propose(client, stamp=str(response.context["form"].next_stamp), cost="Ten dollars", anyway="1")
    assert again.status_code == 302
    assert [it.cost for it in Proposal.objects.order_by("pk")] == ["", "Ten dollars"]


def test_word_sent_twice_with_other_words_is_not_swallowed(conference: Conference) -> None:
    given = stamp()
    first, second, third = (
        Client().post(MISSING, {"message": message, "stamp": given}) for message in ("No map.", "No map.", "Nor a lift.")
    )

    assert (first["Location"], second["Location"]) == (only().url, only().url)
    assert third.status_code == 422
    assert "Nor a lift." in third.text


def test_form_older_than_a_day_is_sent_at_once_when_asked_and_still_makes_one(conference: Conference) -> None:
    given, client = stamp(86_401), Client()

    response = propose(client, stamp=given)
    anew = response.context["form"].next_stamp

    assert response.status_code == 422
    assert anew.guid == FormStamp.parse(given).guid  # type: ignore[union-attr]
    assert propose(client, stamp=str(anew)).status_code == 302
    assert only().guid == anew.guid


@pytest.mark.parametrize("url", [PROPOSE, MISSING])
def test_who_signed_in_elsewhere_meanwhile_loses_nothing(conference: Conference, url: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get(url)
    said = SOCIAL | {"message": "A lift.", "stamp": stamp(), "csrfmiddlewaretoken": "a" * 64}

    refused = client.post(url, said, headers={"origin": "https://evil.example"})
    taken = client.post(url, said, headers=HERE)

    assert (refused.status_code, taken.status_code) == (403, 302)
    assert only().message == "A lift."


def test_form_that_arrives_after_the_desk_has_closed_is_given_back(conference: Conference) -> None:
    with time_machine.travel(AFTER, tick=False):
        answers = [Client().post(url, SOCIAL | {"stamp": stamp(), "message": "A lift."}) for url in (PROPOSE, MISSING)]

    assert [it.status_code for it in answers] == [422, 422]
    assert [PROPOSALS_CLOSED_MESSAGE in it.text for it in answers] == [True, True]
    assert ['value="Board games"' in answers[0].text, ">\nA lift.</textarea>" in answers[1].text] == [True, True]
    assert ["Send it to the chairs" in it.text for it in answers] == [False, False]
    assert Proposal.objects.count() == 0


@pytest.mark.parametrize("url", [PROPOSE, MISSING])
def test_looking_at_an_earlier_moment_does_not_open_the_desk(conference: Conference, url: str) -> None:
    with time_machine.travel(AFTER, tick=False):
        page = Client().get(url + AT)
        sent = Client().post(url + AT, SOCIAL | {"stamp": stamp(), "message": "A lift."})

    assert (page.status_code, sent.status_code) == (200, 422)
    assert "<h1>Proposals are closed</h1>" in page.text
    assert "proposal-form" not in page.text
    assert Proposal.objects.count() == 0


def test_after_the_desk_has_closed_nothing_is_changed_but_it_may_be_taken_back(sent: Proposal) -> None:
    client, url = Client(), f"{sent.url}change/"
    typed = shown(client, url) | {"title": "Chess"}
    with time_machine.travel(AFTER, tick=False):
        page, form, answer = client.get(sent.url), client.get(url + AT), client.post(url, typed | {"stamp": stamp()})

        assert ["change/" in page.text, "Withdraw" in page.text] == [False, True]
        assert (form.status_code, form["Location"]) == (302, sent.url)
        assert (answer.status_code, PROPOSALS_CLOSED_MESSAGE in answer.text, 'value="Chess"' in answer.text) == (422, True, True)
        assert (only().title, only().status) == ("Board games", "waiting")
        client.post(sent.url, {"version": "1"})
        assert only().status == "withdrawn"


def test_change_of_what_was_decided_meanwhile_is_given_back(sent: Proposal) -> None:
    client, url = Client(), f"{sent.url}change/"
    typed = shown(client, url) | {"message": "It is in Hall 2."}
    Proposal.objects.update(status="declined")

    response = client.post(url, typed)

    assert (response.status_code, NOT_CHANGEABLE_MESSAGE in response.text, "It is in Hall 2." in response.text) == (
        422,
        True,
        True,
    )
    assert "Send it to the chairs" not in response.text
    assert (only().status, only().version, only().message) == ("declined", 1, "")


def test_change_in_which_nothing_is_different_is_none(sent: Proposal) -> None:
    publish(sent, by=chair(), version=1)
    client, url = Client(), f"{sent.url}change/"

    assert problems(client.post(url, shown(client, url))) == [NOTHING_CHANGED_MESSAGE]
    assert (only().status, only().version) == ("published", 1)
    assert client.post(url, shown(client, url) | {"message": "It is off."}).status_code == 302
    assert (only().status, only().message) == ("waiting", "It is off.")


def test_mail_address_may_be_given_later_and_is_no_correction(sent: Proposal) -> None:
    client, url = Client(), f"{sent.url}change/"
    event = make_social(sent.conference)

    assert client.post(url, shown(client, url) | {"mailbox": "ada@example.org"}).status_code == 302
    assert only().mailbox == "ada@example.org"
    correction = client.post(MISSING, shown(client, about(event)) | {"mailbox": "ada@example.org"})
    assert problems(correction) == [NOTHING_CHANGED_MESSAGE]


def test_note_in_which_nothing_is_different_is_none(conference: Conference) -> None:
    Client().post(MISSING, {"message": "No map.", "stamp": stamp()})
    client, url = Client(), f"{only().url}change/"

    assert problems(client.post(url, shown(client, url))) == [NOTHING_CHANGED_MESSAGE]


def test_form_from_a_days_schedule_begins_with_that_day(conference: Conference) -> None:
    make_event(conference)
    page = Client().get(MISSING, {"where": "/demo/schedule/2025-04-24/"})

    assert 'href="/demo/socials/propose/?date=2025-04-24"' in page.text
    assert '<option value="2025-04-24" selected>' in Client().get(f"{PROPOSE}?date=2025-04-24").text
    assert "?date" not in Client().get(MISSING, {"where": "/demo/talks/"}).text


@pytest.mark.parametrize("date", ["1999-01-01", "x", '"><script>', "9" * 400, "\x00"])
def test_day_that_is_none_of_the_conference_chooses_none(conference: Conference, date: str) -> None:
    response = Client().get(PROPOSE, {"date": date})

    assert (response.status_code, " selected>Choose the day" in response.text) == (200, False)
    assert "<script>" not in response.text


def test_one_that_floods_an_address_does_not_lock_out_those_who_have_picked_something(conference: Conference) -> None:
    Limit(limits.PROPOSALS.name, newcomers=1).allows(newcomers="127.0.0.1")
    Tally.objects.update(count=300)
    known = known_browser(make_event(conference))

    refused, taken = propose(Client()), propose(known)

    assert (refused.status_code, refused.context["problem"]) == (429, TOO_MANY_PROPOSALS_MESSAGE)  # type: ignore[attr-defined]
    assert taken.status_code == 302


def test_browser_that_others_use_forgets_it_and_the_address_still_works(conference: Conference) -> None:
    client = Client()
    propose(client)
    propose(client, title="Karaoke")
    games, karaoke = Proposal.objects.order_by("pk")
    assert "Remove it from this browser" in client.get(games.url).text

    response: Any = client.post(games.url, {"forget": "1"}, follow=True)

    assert response.redirect_chain == [("/demo/socials/", 302)]
    assert PROPOSAL_FORGOTTEN_MESSAGE in response.text
    assert [it.title for it in client.get(PROPOSE).context["my_proposals"]] == ["Karaoke"]
    assert "Remove it from this browser" not in client.get(games.url).text
    client.post(karaoke.url, {"forget": "1"})
    assert client.cookies[PROPOSALS_COOKIE].value == ""
    assert {it.status for it in Proposal.objects.all()} == {"waiting"}


def test_who_was_told_no_is_led_to_propose_another_while_there_is_somebody_to_propose_it_to(sent: Proposal) -> None:
    lead = 'href="/demo/socials/propose/"'

    assert lead not in Client().get(sent.url).text
    Proposal.objects.update(status="declined")
    assert lead in Client().get(sent.url).text
    with time_machine.travel(AFTER, tick=False):
        assert lead not in Client().get(sent.url).text
