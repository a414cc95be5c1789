"""A small conference and one visitor, as the tests of addresses need them."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from tests.factories import make_agenda, make_appearance, make_conference, make_event, make_person

CALENDARS = ["feed", "download", "schedule", "event", "day", "person"]


class World:
    """A conference with one talk, and a visitor who has picked it."""

    def __init__(self) -> None:
        self.conference = make_conference(slug="iclr-2025")
        self.event = make_event(self.conference, title="Erde & Mond / für alle", start="09:00", end="10:00", place="Hall 1")
        self.person = make_person(self.conference)
        make_appearance(self.event, self.person)
        self.event.revise()
        self.agenda, self.token = make_agenda(self.conference, self.event)

    @property
    def feed(self) -> str:
        return reverse("events:feed", args=[self.agenda.feed_token])

    @property
    def urls(self) -> dict[str, str]:
        return {
            "feed": self.feed,
            "download": "/iclr-2025/agenda.ics",
            "schedule": "/iclr-2025/schedule.ics",
            "event": f"/iclr-2025/events/{self.event.guid}.ics",
            "day": "/iclr-2025/schedule/2025-04-24.ics",
            "person": f"/iclr-2025/people/{self.person.guid}.ics",
        }

    def visitor(self, **options: Any) -> Client:
        client = Client(**options)
        client.cookies[VISITOR_COOKIE] = self.token
        return client
