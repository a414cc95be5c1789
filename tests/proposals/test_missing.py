"""Something missing or wrong: on a social in its own form, on any other page in words."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Conference, Event, Proposal
from events.proposals.diff import comparable_values, values_of
from tests.factories import at, make_conference, make_event, make_paper
from tests.proposals.forms_filled import MISSING, about, labels, make_social, only, problems, shown, stamp
from tests.visitors import browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_the_conference")]
SAME = "Nothing is changed yet: change what is wrong, or write a message to the chairs."


def test_correction_begins_with_what_the_social_says(conference: Conference) -> None:
    event = make_social(conference)
    client = browser(zone="Europe/Vienna")

    said = shown(client, about(event))

    expected = {
        "title": "Runners",
        "date": "2025-04-24",
        "start": "18:00",
        "end": "20:00",
        "place": "Hall 1",
        "host": "Grace Hopper",
        "audience": "Everybody",
        "about": "Once around\nthe marina.",
        "access_notes": "No steps.",
        "signup_url": "https://example.org/run",
        "signup_until": "2025-04-24T12:00",
        "cost": "Free",
        "capacity": "20",
    }
    assert {name: said[name] for name in expected} == expected
    assert said["where"] == event.get_absolute_url()


def correct(client: Client, event: Event, **changes: Any) -> Any:
    return client.post(MISSING, shown(client, about(event)) | changes)


def test_correction_keeps_the_difference_and_nothing_else(conference: Conference) -> None:
    event = make_social(conference, start=at("18:00:30"))

    response = correct(Client(), event, cost="5 dollars")

    proposal = only()
    assert response["Location"] == proposal.url
    assert (proposal.event, proposal.page, proposal.kind) == (event, event.get_absolute_url(), "social")
    base = comparable_values(values_of(event))
    assert proposal.base == base
    now = comparable_values({name: getattr(proposal, name) for name in base})
    assert {name: value for name, value in now.items() if value != base[name]} == {"cost": "5 dollars"}
    event.refresh_from_db()
    assert event.cost == "Free"


def test_correction_may_be_a_word_alone(conference: Conference) -> None:
    event = make_social(conference)

    assert problems(correct(Client(), event)) == [SAME]
    assert correct(Client(), event, message="It is called off.").status_code == 302

    assert only().message == "It is called off."


def test_correction_of_what_was_changed_meanwhile_shows_both(conference: Conference) -> None:
    event, client = make_social(conference), Client()
    said = shown(client, about(event)) | {"cost": "5 dollars"}
    event.title, event.cost = "Slow runners", "3 dollars"
    event.revise()

    response = client.post(MISSING, said)

    assert response.status_code == 422
    assert response.context["stale"] is True
    assert response.context["form"].overwritten_rows == [("Name", "Slow runners"), ("Cost", "3 dollars")]
    assert 'value="5 dollars"' in response.text
    assert Proposal.objects.count() == 0
    assert client.post(MISSING, said | {"seen": response.context["seen"]}).status_code == 302
    assert (only().title, only().cost) == ("Runners", "5 dollars")


def test_event_that_is_no_social_gets_a_word(conference: Conference) -> None:
    talk = make_event(conference, kind="talk", title="Open science")
    client = Client()

    page = client.get(about(talk))
    client.post(MISSING, {"where": talk.get_absolute_url(), "message": "The room is wrong.", "stamp": stamp()})

    assert "About: Open science" in page.text
    note = only()
    assert (note.kind, note.event, note.page, note.message) == ("note", talk, talk.get_absolute_url(), "The room is wrong.")
    assert note.title == ""


def test_word_on_a_page_says_which_page(conference: Conference) -> None:
    expected = labels(conference)

    found = {path: Client().get(MISSING, {"where": path}).context["about"].label for path in expected}

    assert found == expected


def not_pages(conference: Conference) -> list[str]:
    other = make_event(make_conference(slug="other"), kind="social")
    draft = make_event(conference, kind="social", status="draft", announce=False)
    hidden = make_paper(conference, is_public=False)
    return [
        *[
            "",
            "x",
            "//evil.example/demo/",
            "https://evil.example/demo/socials/",
            "/demo",
            "/demo/nothing/",
            "/demo/\x00",
            "/demo/é",
        ],
        *[
            "/demo/agenda/",
            "/demo/shared/" + "a" * 32 + "/",
            "/demo/agenda/take/7GK2M-X4PQZ/",
            "/organise/",
            "/demo/" + "x" * 600,
        ],
        *[other.get_absolute_url(), f"/demo/events/{other.guid}/", draft.get_absolute_url(), hidden.get_absolute_url()],
        *["/demo/people/" + "0" * 8 + "-0000-4000-8000-" + "0" * 12 + "/", "/demo/schedule/2025-02-30/", "/demo/topics/none/"],
        *["/demo/socials/?next=https://evil.example", "javascript:alert(1)"],
    ]


def test_what_is_no_public_page_of_the_conference_is_forgotten(conference: Conference) -> None:
    paths = not_pages(conference)

    for path in paths:
        Client().post(MISSING, {"where": path, "message": "Wrong.", "stamp": stamp()})

    assert set(Proposal.objects.values_list("page", "event", "kind")) == {("", None, "note")}
    assert Proposal.objects.count() == len(paths)


def test_word_is_needed(conference: Conference) -> None:
    response = Client().post(MISSING, {"message": " ", "stamp": stamp()})

    assert problems(response) == ["Describe what is missing or wrong."]


def test_correction_may_leave_open_what_is_open(conference: Conference) -> None:
    event = make_event(conference, kind="social", title="Afterparty")
    Event.objects.update(day=None)

    response = correct(Client(), event, cost="Free")

    assert response.status_code == 302
    assert (only().date, only().host, only().cost) == (None, "", "Free")
