"""What chairs decide on the page of a proposal, and what they are told when they cannot."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from events.models import Event, Letter, SignUp
from tests.admin.pages import messages_of, url
from tests.admin.proposals.deciding import decide, form_of, lines, page_of, state
from tests.factories import at, make_appearance, make_conference, make_event, make_person, make_room, make_type
from tests.proposals.proposing import make_correction, make_note, make_proposal

pytestmark = pytest.mark.django_db


def test_chair_publishes_with_one_button(chair: Client) -> None:
    proposal = make_proposal(make_conference(), host="Ada Lovelace", place="The bar", capacity=20)

    response = decide(chair, proposal, "publish")

    event = Event.objects.get()
    assert (response.status_code, response["Location"]) == (302, url("changelist", "proposal"))
    assert (event.title, event.start, event.end, event.place, event.capacity) == (
        *("Board games", at("19:00"), at("21:00")),
        *("The bar", 20),
    )
    assert (state(proposal), event.people_names) == (("published", ""), ["Ada Lovelace"])
    assert messages_of(response) == [
        "Published as “Board games”. Its sign-up list is open, with 20 places. No other proposals are waiting."
    ]
    assert lines(proposal) == [("Barbara", "Published as “Board games”. Its sign-up list is open, with 20 places.")]


@pytest.mark.parametrize(
    ("sent", "ticked"),
    [
        pytest.param({}, None, id="no places"),
        pytest.param({"capacity": 1}, True, id="places"),
        pytest.param({"capacity": 1, "signup_url": "https://example.org/"}, False, id="places and a page elsewhere"),
    ],
)
def test_list_is_offered_to_who_asked_for_places(chair: Client, sent: dict[str, Any], ticked: bool | None) -> None:
    proposal = make_proposal(make_conference(), **sent)

    page = page_of(chair, proposal)
    decide(chair, proposal, "publish")

    field = page.context["forms"]["publish"].fields.get("opens_list")
    assert (field.initial if field else None) == ticked
    assert ("Open a sign-up list with 1 place</label>" in page.text) == ("capacity" in sent)
    assert list(SignUp.objects.values_list("places", flat=True)) == ([1] if ticked else [])


def test_list_has_the_places_that_the_chair_typed_and_none_without(chair: Client) -> None:
    proposal = make_proposal(make_conference(), capacity=20)

    refused = decide(chair, proposal, "publish", capacity="")
    published = decide(chair, proposal, "publish", capacity="12")

    assert dict(refused.context["forms"]["publish"].errors) == {
        "capacity": ["Write how many places the sign-up list has, or open none."]
    }
    assert (published.status_code, SignUp.objects.get().places, SignUp.objects.get().waiting_list) == (302, 12, True)


def test_list_is_not_opened_without_the_tick_or_the_permission(chair: Client) -> None:
    conference = make_conference()
    unticked, not_permitted = (make_proposal(conference, title, capacity=20) for title in ("Chess", "Go"))
    form = form_of(page_of(chair, unticked), "publish")
    del form["opens_list"]
    chair.post(url("change", "proposal", unticked.pk), form)
    Permission.objects.get(codename="add_signup").delete()

    page = page_of(chair, not_permitted)
    decide(chair, not_permitted, "publish", opens_list="on")

    assert "opens_list" not in page.context["forms"]["publish"].fields
    assert (Event.objects.count(), SignUp.objects.count()) == (2, 0)


def test_list_of_a_published_social_is_opened_once(chair: Client) -> None:
    event = make_event(make_conference(), kind="social", title="Runners", capacity=5)
    first, second = make_correction(event, cost="Free"), make_correction(event, cost="5 dollars")

    offered = page_of(chair, first).context["forms"]["publish"].fields["opens_list"]
    decide(chair, first, "publish", opens_list="on")

    assert (offered.initial, SignUp.objects.get().places) == (False, 5)
    assert "opens_list" not in page_of(chair, second).context["forms"]["publish"].fields


def test_chair_puts_right_what_is_published(chair: Client) -> None:
    conference = make_conference()
    room, kind = make_room(conference, "Garnet"), make_type(conference, "social", name="Affinity", position=9)
    proposal = make_proposal(conference, "teh party", place="garnet bar")

    typed = {"title": "The party", "date": "2025-04-23", "start_1": "22:00", "end_1": "01:30", "room": room.pk, "place": ""}
    more = {"official": "on", "at_venue": "true", "type": kind.pk, "hosts": "Ada Lovelace; Grace Hopper"}
    decide(chair, proposal, "publish", **typed, **more)

    event, day = Event.objects.get(), dt.date(2025, 4, 23)
    assert (event.title, event.type, event.room, event.place, event.is_asterisked) == ("The party", kind, room, "", True)
    assert event.day is not None
    assert (event.day.date, event.start, event.end) == (day, at("22:00", day), at("01:30", day + dt.timedelta(days=1)))
    assert event.people_names == ["Ada Lovelace", "Grace Hopper"]


def test_host_who_bears_a_name_of_the_programme_is_pointed_out(chair: Client) -> None:
    conference = make_conference()
    ada = make_person(conference, "Ada Lovelace")
    make_person(make_conference(), "Grace Hopper")
    social = make_event(conference, kind="social")
    make_appearance(social, ada, role="host")

    new = page_of(chair, make_proposal(conference, host="Ada Lovelace; Grace Hopper"))
    hers = page_of(chair, make_correction(social, title="Hers still"))

    assert (new.context["known"], "<strong>Ada Lovelace</strong>" in new.text) == (["Ada Lovelace"], True)
    assert (hers.context["known"], "Nobody has checked" in hers.text) == ([], False)


def test_mistake_of_a_chair_is_shown_and_publishes_nothing(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, "publish", title="", start_1="22:00", end_1="21:00", signup_url="javascript:alert(1)")

    errors = response.context["forms"]["publish"].errors
    assert (response.status_code, set(errors), Event.objects.count()) == (200, {"title", "end", "signup_url"}, 0)
    assert (state(proposal)[0], response.text.count("<details open>")) == ("waiting", 1)


@pytest.mark.parametrize(
    ("decision", "status", "line"),
    [("ask", "asked", "Asked back: Which hall?"), ("decline", "declined", "Declined: Which hall?")],
)
def test_decision_with_a_message_is_stored_and_shown(chair: Client, decision: str, status: str, line: str) -> None:
    proposal = make_proposal(make_conference())

    decide(chair, proposal, decision, answer="Which hall?")

    assert (state(proposal), lines(proposal)) == ((status, "Which hall?"), [("Barbara", line)])
    shown = page_of(chair, proposal).text
    assert ("Which hall?" in shown, line in shown) == (True, True)


@pytest.mark.parametrize("decision", ["ask", "decline"])
@pytest.mark.parametrize("answer", ["", "   ", "w" * 2_001, "null\x00byte"])
def test_without_words_that_can_be_read_nobody_is_asked_or_declined(chair: Client, decision: str, answer: str) -> None:
    proposal = make_proposal(make_conference())

    response = decide(chair, proposal, decision, answer=answer)

    assert (response.status_code, state(proposal), "answer" in response.context["forms"][decision].errors) == (
        *(200, ("waiting", "")),
        True,
    )


def test_note_is_dealt_with_beside_the_page_it_came_from(organiser: Client) -> None:
    conference = make_conference()
    keynote = make_event(conference, kind="invited-talk", title="Keynote", announce=True)
    note = make_note(conference, "Its hour is wrong.", event=keynote, page=keynote.get_absolute_url())

    page = page_of(organiser, note)
    decide(organiser, note, "done")

    assert (list(page.context["forms"]), page.context["public_url"]) == (["done", "ask", "decline"], keynote.get_absolute_url())
    assert (page.context["event_url"], page.context["what"]) == (url("change", "invitedtalk", keynote.pk), "Note on “Keynote”")
    assert (state(note), lines(note)) == (("done", ""), [("Grace", "Dealt with.")])


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/organise/", "/elsewhere/"])
def test_page_that_is_none_of_the_conference_is_no_link(organiser: Client, page: str) -> None:
    note = make_note(make_conference(), page=page)

    assert f'href="{page}' not in page_of(organiser, note).text.partition('id="content-main"')[2]


def test_chair_is_led_to_no_talk_from_a_note(chair: Client) -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", title="Canary", status="draft")
    note = make_note(conference, event=talk, page=talk.get_absolute_url())

    page, queue = page_of(chair, note), chair.get(url("changelist", "proposal"))

    assert ("Canary" in page.text, "Canary" in queue.text, page.context["event_url"]) == (False, False, "")


def test_sender_who_left_an_address_gets_a_letter_of_each_decision(chair: Client) -> None:
    proposal = make_proposal(make_conference(), mailbox="sender@example.org")

    decide(chair, proposal, "ask", answer="Which hall?")

    assert list(Letter.objects.values_list("to", flat=True)) == ["sender@example.org"]
    assert "sender@example.org" not in page_of(chair, proposal).text


def test_what_was_pasted_over_lines_becomes_one(chair: Client) -> None:
    proposal = make_proposal(make_conference())

    decide(chair, proposal, "publish", title="Board\r\n  games", place="The\tbar", hosts="Ada\nLovelace")

    event = Event.objects.get()
    assert (event.title, event.place, event.people_names) == ("Board games", "The bar", ["Ada Lovelace"])
