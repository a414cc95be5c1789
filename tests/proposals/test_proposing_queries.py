"""How many queries the desk takes: as many for three of what it looks at as for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.models import Conference, Event, Proposal
from events.proposals.decisions import publish
from tests.factories import at, make_appearance, make_conference, make_event, make_person, make_room
from tests.proposals.forms_filled import MISSING, PROPOSE, SOCIAL, shown, stamp
from tests.proposals.proposing import chair

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _during_the_conference() -> Iterator[None]:
    with time_machine.travel(at("09:30"), tick=False):
        yield


class Desk:
    """A browser that sent so many, to a conference with as many socials of the same name."""

    def __init__(self, size: int) -> None:
        self.conference: Conference = make_conference(slug="demo")
        self.client = Client()
        for number in range(size):
            self.client.post(PROPOSE, SOCIAL | {"title": f"Chess {number}", "stamp": stamp(), "anyway": "1"})
            room = make_room(self.conference, f"Hall {number}")
            event = make_event(self.conference, kind="social", title="Board games", start="19:00", end="21:00", room=room)
            for host in range(size):
                make_appearance(event, make_person(self.conference, f"Host {number} {host}"), role="host")
        self.event: Event = self.conference.events.earliest("pk")
        self.proposal = Proposal.objects.earliest("pk")


PAGES: dict[str, tuple[Callable[[Desk], str], int]] = {
    "propose": (lambda _: PROPOSE, 4),
    "missing": (lambda _: f"{MISSING}?where=/demo/socials/", 4),
    "missing in an event": (lambda it: f"{MISSING}?where={it.event.get_absolute_url()}", 6),
    "proposal": (lambda it: it.proposal.url, 4),
    "change": (lambda it: f"{it.proposal.url}change/", 4),
}


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("name", PAGES)
def test_page_takes_as_many_queries_for_three_as_for_one(name: str, size: int, django_assert_num_queries: Any) -> None:
    desk = Desk(size)
    address, queries = PAGES[name]
    url = address(desk)

    with django_assert_num_queries(queries):
        assert desk.client.get(url).status_code == 200


@pytest.mark.parametrize("size", [1, 3])
def test_hints_take_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    desk = Desk(size)

    with django_assert_num_queries(6):
        response = desk.client.post(PROPOSE, SOCIAL | {"stamp": stamp()})

    assert len(response.context["hints"]) == size


@pytest.mark.parametrize("size", [1, 3])
def test_change_takes_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    desk = Desk(size)
    publish(desk.proposal, by=chair(), version=1)
    url = f"{desk.proposal.url}change/"
    said = shown(desk.client, url) | {"cost": "Free"}

    with django_assert_num_queries(8):
        assert desk.client.post(url, said).status_code == 302
