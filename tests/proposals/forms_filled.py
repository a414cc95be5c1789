"""Forms of the desk, filled in and sent as people do it."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client

from events.models import Conference, Event, Proposal
from events.proposals.forms import FormStamp
from tests.factories import at, make_appearance, make_event, make_paper, make_person, make_room

BEFORE = dt.datetime(2025, 4, 20, 9, tzinfo=dt.UTC)
PROPOSE, MISSING = "/demo/socials/propose/", "/demo/missing/"
SOCIAL = {"title": "Board games", "date": "2025-04-24", "start": "19:00", "end": "21:00", "place": "Marina", "host": "Ada"}


def stamp(age: float = 60) -> str:
    """Of a form that was opened so many seconds ago."""
    fresh = FormStamp.new()
    return str(FormStamp(uuid4(), fresh.at - age))


def propose(client: Client, **said: Any) -> HttpResponse:
    return client.post(PROPOSE, SOCIAL | {"stamp": stamp()} | said)


def shown(client: Client, url: str) -> dict[str, Any]:
    """What a browser would send of the form at this address if nobody typed anything, half a minute after it was opened."""
    context = client.get(url).context
    form = context["form"]
    values = {field.name: widget_value(field) for field in form if field.name not in {"stamp", "seen", "homepage"}}
    about = {"where": context["about"].path} if context.get("about") else {}
    return values | {"stamp": stamp(), "seen": context["seen"]} | about


def widget_value(field: Any) -> str:
    value = field.field.widget.format_value(field.value())
    return str((value[0] if isinstance(value, list) and value else value) or "")


def problems(response: Any) -> list[str]:
    assert response.status_code == 422, response.status_code
    return [sentence for _, sentence in response.context["form"].error_lines]


def only() -> Proposal:
    return Proposal.objects.get()


def make_social(conference: Conference, **fields: Any) -> Event:
    """One that says something in every field there is."""
    values = {
        "title": "Runners",
        "start": "18:00",
        "end": "20:00",
        "room": make_room(conference, "Hall 1"),
        "abstract": "Once around\nthe marina.",
        "audience": "Everybody",
        "access_notes": "No steps.",
        "signup_url": "https://example.org/run",
        "signup_until": at("12:00"),
        "cost": "Free",
        "capacity": 20,
    }
    event = make_event(conference, kind="social", **values | fields)
    make_appearance(event, make_person(conference, "Grace Hopper"), role="host")
    return event


def about(event: Any) -> str:
    return f"{MISSING}?where={event.get_absolute_url()}"


def labels(conference: Conference) -> dict[str, str]:
    person, paper = make_person(conference, "Ada Lovelace"), make_paper(conference, title="Gradients")
    make_appearance(make_event(conference), person)
    return {
        "/demo/": "the overview",
        "/demo/socials/": "the list of socials",
        "/demo/talks/": "the list of invited talks",
        "/demo/venue/directions/": "the directions",
        "/demo/schedule/2025-04-24/": "the schedule of Thursday 24 April",
        person.get_absolute_url(): "Ada Lovelace",
        paper.get_absolute_url(): "Gradients",
    }
