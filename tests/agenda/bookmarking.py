"""A talk, the address its bookmark is set at, and picks that are in its way."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from events.models import Event
from tests.factories import make_agenda, make_conference, make_event, make_room, make_walk, make_zone


def make_talk() -> Event:
    return make_event(make_conference(slug="demo"), kind="talk", title="Adam", start="10:00", end="11:00")


def url_of(event: Event) -> str:
    return reverse("events:bookmark-set", args=[event.conference.slug, event.guid])


def post(client: Client, event: Event, on: str = "1", **values: str) -> Any:
    return client.post(url_of(event), {"on": on, **values})


def make_conflicts(talk: Event) -> str:
    """The token of somebody who holds a clash, a workshop around it, and a talk five minutes away."""
    conference = talk.conference
    hall, garnet = make_zone(conference, "Hall 1"), make_zone(conference, "Garnet")
    make_walk(conference, hall, garnet, 5)
    talk.room, garnet_212 = make_room(conference, "Hall 1", hall), make_room(conference, "Garnet 212", garnet)
    talk.revise()
    bookmarks = [
        make_event(conference, title="Workshop", start="09:00", end="17:00"),
        make_event(conference, kind="talk", title="Same time", start="10:30", end="11:30"),
        make_event(conference, kind="talk", title="Next", start="11:00", end="12:00", room=garnet_212),
        make_event(conference, kind="break", title="Coffee", start="10:00", end="11:00"),
        make_event(conference, kind="talk", title="TBA"),
    ]
    return make_agenda(conference, *bookmarks)[1]


CONFLICTS = [
    ("Same time", "clash", "Clash: 30 min overlap"),
    ("Workshop", "partial", "You would miss 60 of 480 min"),
    ("Next", "tight", "5 min walk: you arrive 11:05, 5 min late"),
]
CONFLICT_MESSAGES = [
    "It clashes with Same time: 30 min overlap.",
    "You would miss 60 of 480 min of Workshop.",
    "Next is 5 min away on foot: you arrive 11:05, 5 min late.",
]
