"""Every page that is made for everybody shows each visitor their own picks."""

from __future__ import annotations

import pytest

from events.models import Award, Event, Service, Topic
from tests.factories import make_agenda, make_appearance, make_conference, make_event, make_paper, make_person
from tests.search.searching import reindex
from tests.visitors import browser, presses

pytestmark = pytest.mark.django_db


class Programme:
    """Of each thing that pages show two, the first of which is picked."""

    def __init__(self) -> None:
        conference = make_conference(slug="demo")
        self.ada = make_person(conference, "Ada")
        topic = Topic.objects.create(conference=conference, area="Theory", slug="theory")
        self.paper = make_paper(conference, self.ada, title="Adam", topic=topic)
        self.session = make_event(conference, title="Session", start="08:00", end="12:00")
        desk = Service.objects.create(conference=conference, name="Desk")
        self.pairs = {
            "talk": [self.talk(f"Talk {number}", start=hour) for number, hour in enumerate(["08:00", "09:00"])],
            "poster": [make_event(conference, kind="poster", session=self.session, paper=self.paper, start="08:00", end="12:00",
                                  title=f"Poster {number}") for number in range(2)],
            "social": [make_event(conference, kind="social", title="Party", start="19:00", end="22:00") for _ in range(2)],
            "service": [make_event(conference, kind="service", service=desk, start="08:00", end="09:00") for _ in range(2)],
        }  # fmt: skip
        self.token = make_agenda(conference, *(first for first, _ in self.pairs.values()))[1]
        reindex(conference)

    def talk(self, title: str, start: str) -> Event:
        talk = make_event(self.session.conference, kind="invited-talk", title=title, start=start, end="10:00", paper=self.paper)
        make_appearance(talk, self.ada)
        Award.objects.create(conference=talk.conference, name=title, year=2025, event=talk)
        return talk


PAGES = {
    "overview": ("", ["talk"]),
    "day": ("schedule/2025-04-24/", ["talk", "social", "service"]),
    "grid": ("schedule/2025-04-24/?view=grid", ["talk", "social", "service"]),
    "talks": ("talks/", ["talk"]),
    "socials": ("socials/", ["social"]),
    "services": ("services/", ["service"]),
    "awards": ("awards/", ["talk"]),
    "topic": ("topics/theory/", ["talk", "poster"]),
    "search": ("search/?q=talk", ["talk"]),
    "part of the day": ("schedule/2025-04-24/?part=schedule", ["talk", "social", "service"]),
    "part of the search": ("search/?q=talk&part=results", ["talk"]),
}


def shown(programme: Programme, address: str) -> dict[str, list[bool | None]]:
    pressed = presses(browser(token=programme.token).get(address).text)
    return {kind: [pressed.get(str(it.guid)) for it in pair] for kind, pair in programme.pairs.items()}


@pytest.mark.parametrize(("path", "kinds"), PAGES.values(), ids=PAGES)
def test_list_presses_what_is_picked_and_nothing_else(path: str, kinds: list[str]) -> None:
    found = shown(Programme(), f"/demo/{path}{'&' if '?' in path else '?'}at=2025-04-24T07:30")

    assert {kind: found[kind] for kind in kinds} == {kind: [True, False] for kind in kinds}


@pytest.mark.parametrize(("name", "kinds"), [("session", ["poster"]), ("paper", ["talk", "poster"]), ("ada", ["talk"])])
def test_thing_presses_what_is_picked_and_nothing_else(name: str, kinds: list[str]) -> None:
    programme = Programme()

    found = shown(programme, getattr(programme, name).get_absolute_url())

    assert {kind: found[kind] for kind in kinds} == {kind: [True, False] for kind in kinds}
