"""How many queries each page takes: as many for three of its main thing as for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.models import (
    Announcement,
    Award,
    Conference,
    Event,
    Fact,
    Leg,
    Link,
    PastEdition,
    Route,
    Service,
    StartingPoint,
    Topic,
    Track,
)
from tests.caches import clear_caches
from tests.factories import (
    at,
    forms_url,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_walk,
    make_zone,
)
from tests.venue.drawn import make_plan
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db

AT = "?at=2025-04-24T09:30"


class World:
    """A conference of one size: of everything that any page lists there are ``size``, each with all that belongs to it."""

    def __init__(self, size: int) -> None:
        self.conference: Conference = make_conference(slug="demo", series="ICLR")
        self.size = size
        self.session = make_event(self.conference, title="Oral 1A", start="09:00", end="12:00")
        self.events = [self.rich_event(number) for number in range(size)]
        self.other_pick = self.rich_event(99)
        for number in range(size):
            self.surroundings(number)
        self.agenda, self.token = make_agenda(self.conference, *self.events, self.other_pick, self.session)
        self.event, self.paper = self.events[0], self.events[0].paper
        self.person = self.event.appearances.all()[0].person
        for event in self.events:
            event.title, event.start = f"{event.title}, renamed", at("09:05")
            event.revise()

    def rich_event(self, number: int) -> Event:
        """An invited talk in a session, with people, a paper, an award, links, a room, a track and a topic."""
        conference = self.conference
        room = make_room(conference, f"Hall {number}")
        author = make_person(conference, f"Author {number}")
        paper = make_paper(conference, author, topic=Topic.objects.create(conference=conference, area=f"Area {number}"))
        event = make_event(
            conference,
            kind="invited-talk",
            title=f"Talk {number}",
            start="09:00",
            end="10:00",
            room=room,
            track=Track.objects.create(conference=conference, name=f"Track {number}"),
            topic=paper.topic,
            paper=paper,
            session=self.session,
        )
        for person in range(self.size):
            make_appearance(event, make_person(conference, f"Speaker {number} {person}"))
        Award.objects.create(conference=conference, name="Best", year=2025, paper=paper, event=event)
        Link.objects.create(event=event, url="https://example.org/slides")
        Link.objects.create(paper=paper, url="https://example.org/code")
        make_event(conference, kind="poster", start="14:00", end="16:00", room=room, paper=paper, board=f"#{number}")
        return event

    def surroundings(self, number: int) -> None:
        conference = self.conference
        zone = make_zone(conference, f"Hall {number}")
        make_walk(conference, zone, make_zone(conference, f"Exit {number}"))
        make_event(conference, kind="social", start="19:00", end="22:00", signup_state="full", place="A bar")
        make_event(conference, kind="talk", start="09:30", end="11:00", room=zone.rooms.get())
        service = Service.objects.create(conference=conference, name=f"Desk {number}", zone=zone, room=zone.rooms.get())
        make_event(conference, kind="service", start="08:00", end="09:00", service=service)
        make_plan(conference, f"Level {number}", *self.conference.rooms.all(), zone, service, "Stairs")
        start = StartingPoint.objects.create(conference=conference, name=f"Hotel {number}", slug=f"hotel-{number}")
        route = Route.objects.create(conference=conference, start=start, zone=zone, title=f"Way {number}")
        for _ in range(self.size):
            Leg.objects.create(route=route, instruction="On", minutes=2)
        Announcement.objects.create(conference=conference, title=f"News {number}", starts_at=at("07:00"))
        Fact.objects.create(conference=conference, label="Participants", value=f"{number}")
        PastEdition.objects.create(conference=conference, year=2000 + number, place="Vienna")
        make_conference(series="ICLR")


# The address, and the queries for somebody without an agenda and for somebody with one.
PAGES: dict[str, tuple[Callable[[World], str], int, int]] = {
    "conference-list": (lambda _: "/", 2, 2),
    "conference-detail": (lambda _: "/demo/", 19, 23),
    "about": (lambda _: "/demo/about/", 7, 10),
    "changes": (lambda _: "/demo/changes/", 7, 10),
    "colours": (lambda _: "/demo/colours.css", 3, 3),
    "schedule": (lambda _: "/demo/schedule/", 2, 2),
    "day": (lambda _: "/demo/schedule/2025-04-24/", 16, 23),
    "day-grid": (lambda _: f"/demo/schedule/2025-04-24/{AT}&view=grid", 13, 21),
    "day-filtered": (lambda _: "/demo/schedule/2025-04-24/?type=invited-talk&track=track-0", 17, 24),
    "event": (lambda it: it.event.get_absolute_url(), 18, 24),
    "session": (lambda it: it.session.get_absolute_url(), 15, 20),
    "confirm": (lambda it: f"{forms_url(it.event)}bookmark/", 8, 13),
    "crowd": (lambda it: f"{forms_url(it.event)}crowd/{AT}", 5, 12),
    "crowd-list": (lambda _: f"/demo/crowd/{AT}", 1, 1),
    "talks": (lambda _: "/demo/talks/", 9, 13),
    "socials": (lambda _: "/demo/socials/", 12, 16),
    "people": (lambda _: "/demo/people/", 8, 11),
    "people-letter": (lambda _: "/demo/people/?letter=a", 5, 8),
    "person": (lambda it: it.person.get_absolute_url(), 11, 14),
    "papers": (lambda _: "/demo/papers/", 12, 15),
    "papers-filtered": (lambda _: "/demo/papers/?award=1&topic=area-0&q=a", 12, 15),
    "paper": (lambda it: it.paper.get_absolute_url() if it.paper else "", 12, 15),
    "awards": (lambda _: "/demo/awards/", 12, 15),
    "topics": (lambda _: "/demo/topics/", 6, 9),
    "topic": (lambda _: "/demo/topics/area-0/", 17, 27),
    "session-by-topic": (lambda it: f"{it.session.get_absolute_url()}?sort=topic", 15, 20),
    "people-letters": (lambda _: "/demo/people/?letter=lo", 5, 8),
    "venue": (lambda _: f"/demo/venue/{AT}", 20, 28),
    "directions": (lambda _: "/demo/venue/directions/", 9, 13),
    "services": (lambda _: f"/demo/services/{AT}", 9, 17),
    "agenda": (lambda _: "/demo/agenda/", 9, 21),
    "schedule-xml": (lambda _: "/demo/schedule.xml", 23, 23),
    "schedule-json": (lambda _: "/demo/schedule.json?type=invited-talk&track=track-0", 23, 23),
    "schedule-csv": (lambda _: "/demo/schedule.csv?day=2025-04-24", 22, 22),
    "papers-csv": (lambda _: "/demo/papers.csv?award=1&topic=area-0", 18, 18),
    "time-zone": (lambda _: "/demo/time-zone/", 3, 6),
    "healthz": (lambda _: "/healthz", 0, 0),
    "robots": (lambda _: "/robots.txt", 0, 0),
    "speculation-rules": (lambda _: "/speculation.json", 0, 0),
}


@pytest.mark.parametrize("size", [1, 3])
def test_page_takes_as_many_queries_for_three_as_for_one(size: int) -> None:
    world = World(size)
    visitors = [browser(), browser(token=world.token)]

    found = {name: tuple(queries(client, address(world)) for client in visitors) for name, (address, *_) in PAGES.items()}

    assert found == {name: (without, with_agenda) for name, (_, without, with_agenda) in PAGES.items()}


def queries(client: Client, url: str) -> int:
    """How many this page takes when nothing is cached."""
    clear_caches()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(url).status_code in {200, 302}, url
    return len(captured)


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("headers", "queries"), [({}, 12), (HTMX, 14)], ids=["form", "htmx"])
def test_bookmark_takes_as_many_queries_for_three_picks_as_for_one(
    size: int, headers: dict[str, str], queries: int, django_assert_num_queries: Any
) -> None:
    world = World(size)
    talk = make_event(world.conference, kind="talk", start="09:30", end="10:30")
    url = reverse("events:bookmark-set", args=["demo", talk.guid])

    with django_assert_num_queries(queries):
        response = browser(token=world.token).post(url, {"on": "1"}, headers=headers)

    assert response.status_code == (200 if headers else 302)
