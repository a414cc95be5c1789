"""A room that a proposal wants and something else has: told before and after, and no reason to refuse."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Event, Room
from tests.admin.pages import messages_of
from tests.admin.proposals.deciding import decide, page_of, state
from tests.factories import make_conference, make_event, make_room
from tests.proposals.proposing import make_correction, make_proposal

pytestmark = pytest.mark.django_db
TAKEN = "Garnet is taken then: “Open science” (19:30–22:00)."


@pytest.fixture
def garnet(db: None) -> Room:
    return make_room(make_conference(), "Garnet")


def held_by(garnet: Room, **fields: Any) -> Event:
    usual: dict[str, Any] = {"kind": "session", "title": "Open science", "start": "19:30", "end": "22:00", "room": garnet}
    return make_event(garnet.conference, **usual | fields)


def test_taken_room_is_shown_before_and_after(chair: Client, garnet: Room) -> None:
    session = held_by(garnet)
    held_by(garnet, kind="talk", title="Its first talk", session=session, end="20:00")
    proposal = make_proposal(garnet.conference, place="Garnet")

    page = page_of(chair, proposal)
    response = decide(chair, proposal, "publish")

    assert (page.context["taken"], TAKEN in page.text) == (TAKEN, True)
    assert messages_of(response) == ["Published as “Board games”. No other proposals are waiting.", TAKEN]


def test_room_that_a_chair_chooses_is_checked_after(chair: Client, garnet: Room) -> None:
    held_by(garnet)
    proposal = make_proposal(garnet.conference, place="The bar")

    page = page_of(chair, proposal)
    response = decide(chair, proposal, "publish", room=garnet.pk, place="")

    assert (page.context["taken"], messages_of(response)[1:], state(proposal)[0]) == ("", [TAKEN], "published")


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"start": "21:00"}, id="what begins when it ends"),
        pytest.param({"status": "cancelled"}, id="what is cancelled"),
        pytest.param({"kind": "break"}, id="a break"),
        pytest.param({"room": None}, id="what is elsewhere"),
        pytest.param({"start": None, "end": None}, id="what has no hour"),
    ],
)
def test_free_room_gives_no_warning(chair: Client, garnet: Room, fields: dict[str, Any]) -> None:
    held_by(garnet, **fields)

    assert page_of(chair, make_proposal(garnet.conference, place="Garnet")).context["taken"] == ""


def test_what_has_the_room_is_not_named_while_it_is_hidden(chair: Client, garnet: Room) -> None:
    held_by(garnet, status="draft", title="Canary")

    page = page_of(chair, make_proposal(garnet.conference, place="Garnet"))

    assert page.context["taken"] == "Garnet is taken then: an event that is hidden now (19:30–22:00)."
    assert "Canary" not in page.text


def test_change_of_words_says_nothing_of_the_room(chair: Client, garnet: Room) -> None:
    held_by(garnet)
    social = make_event(garnet.conference, kind="social", title="Runners", start="19:00", end="21:00", room=garnet)

    assert page_of(chair, make_correction(social, title="Night runners")).context["taken"] == ""
