"""The way from where an agenda's holder starts, in the words of its calendar."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.calendars import feeds
from events.calendars.description import MAX_DESCRIPTION_OCTETS
from events.calendars.ical import octets
from events.models import Agenda, Conference, Event, Leg, Route, Service, StartingPoint, Zone
from tests.calendars.reading import read, values
from tests.factories import at, make_agenda, make_conference, make_event, make_room, make_walk, make_zone

pytestmark = pytest.mark.django_db

PAGE = "https://hallway.example/iclr-2025/venue/directions/"


@pytest.fixture(autouse=True)
def _site(settings: Any) -> None:
    settings.SITE_URL = "https://hallway.example"


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="iclr-2025")


@pytest.fixture
def hall(conference: Conference) -> Zone:
    return make_zone(conference, "Hall 1")


@pytest.fixture
def event(conference: Conference, hall: Zone) -> Event:
    return make_event(conference, start="09:00", end="10:00", room=make_room(conference, "Hall 1", hall))


def make_route(zone: Zone, *legs: tuple[str, int | None], **facts: bool | None) -> Route:
    start, _ = StartingPoint.objects.get_or_create(conference=zone.conference, slug="hotel", defaults={"name": "Dorsett, City"})
    route = Route.objects.create(conference=zone.conference, start=start, zone=zone, title="Way")
    for position, (instruction, minutes) in enumerate(legs):
        Leg.objects.create(route=route, position=position, instruction=instruction, minutes=minutes, **facts)
    return route


def begun(*events: Event, start: str = "hotel") -> tuple[Agenda, str]:
    agenda, _ = make_agenda(events[0].conference, *events)
    agenda.set_start(StartingPoint.objects.by_slug(agenda.conference, start))
    return Agenda.objects.select_related("conference").get(pk=agenda.pk), reverse("events:feed", args=[agenda.feed_token])


def lines(address: str) -> list[str]:
    """What the one entry of this calendar says, below when and where."""
    body = Client().get(address).content
    assert len(read(body)) == 1
    (text,) = values(body, "DESCRIPTION")
    return text.removeprefix(":").replace("\\,", ",").replace("\\;", ";").split("\\n")[1:]


def test_entry_tells_the_way_from_the_start_leg_by_leg(hall: Zone, event: Event) -> None:
    make_route(hall, ("Take Exit A; go up,\nthen left.", 3), ("Follow the walkway.", 4), covered=True, step_free=True)
    _, feed = begun(event)

    assert lines(feed)[:5] == [
        "Directions from Dorsett, City: 7 min, covered, step-free",
        "1. Take Exit A; go up, then left.",
        "2. Follow the walkway.",
        f"{PAGE}?from=hotel",
        "Session",
    ]


def test_entry_tells_how_one_goes_on_and_the_nearer_taxi(conference: Conference, hall: Zone, event: Event) -> None:
    gate, far = make_zone(conference, "Gate"), make_zone(conference, "Hall 6")
    make_route(gate, ("Go.", 3))
    make_walk(conference, gate, hall, minutes=4)
    make_walk(conference, hall, far, minutes=9)
    Service.objects.create(conference=conference, name="Far stand", icon="taxi", zone=far)
    Service.objects.create(conference=conference, name="Stand", icon="car-taxi-front", zone=gate, place="By the gate")
    _, feed = begun(event)

    assert lines(feed)[:5] == [
        "Directions from Dorsett, City: 7 min",
        "1. Go.",
        "2. Walk on to Hall 1, 4 min.",
        f"{PAGE}?from=hotel",
        "Taxi: Stand, By the gate, 4 min on foot",
    ]


def test_entry_says_where_the_known_way_ends(conference: Conference, event: Event) -> None:
    make_route(make_zone(conference, "Gate"), ("Go.", None))
    _, feed = begun(event)

    assert lines(feed)[:3] == [
        "Directions from Dorsett, City to Gate: time not known",
        "1. Go.",
        "2. From there, follow the signs to Hall 1.",
    ]


def test_entry_without_a_way_from_the_start_names_the_page_alone(conference: Conference, hall: Zone, event: Event) -> None:
    StartingPoint.objects.create(conference=conference, slug="hotel", name="Dorsett")
    Service.objects.create(conference=conference, name="Stand", icon="taxi", zone=hall)
    _, feed = begun(event)

    assert lines(feed)[:3] == [f"Directions: {PAGE}", "Taxi: Stand", "Session"]


def test_entry_of_who_said_no_start_is_as_it_was(hall: Zone, event: Event, django_assert_num_queries: Any) -> None:
    make_route(hall, ("Go.", 3))
    Service.objects.create(conference=event.conference, name="Stand", icon="taxi", zone=hall)
    _, feed = begun(event, start="")

    assert lines(feed)[:2] == [f"Directions: {PAGE}", "Session"]


def test_way_to_a_place_elsewhere_stays_its_address(conference: Conference, hall: Zone) -> None:
    bar = make_zone(conference, "Bar", off_site=True)
    bar.venue.address = "12 Bar Street"
    bar.venue.save()
    make_route(hall, ("Go.", 3))
    make_route(bar, ("Drink.", 3))
    _, feed = begun(make_event(conference, start="20:00", end="22:00", room=make_room(conference, "Bar", bar)))

    assert lines(feed)[:2] == ["Getting there: 12 Bar Street", "Session"]


def test_file_to_import_tells_the_same_way(hall: Zone, event: Event) -> None:
    make_route(hall, ("Go.", 3))
    agenda, token = make_agenda(event.conference, event)
    agenda.set_start(StartingPoint.objects.get())
    client = Client()
    client.cookies[VISITOR_COOKIE] = token

    body = client.get("/iclr-2025/agenda.ics").content

    assert values(body, "DESCRIPTION") == values(feeds.agenda_feed(Agenda.objects.get(), at("08:00")).body, "DESCRIPTION")
    assert "Directions from Dorsett" in values(body, "DESCRIPTION")[0]


def test_way_is_cut_before_the_description_is_too_long(conference: Conference, hall: Zone) -> None:
    legs = [(f"{number} " + "é" * 90, 1) for number in range(20)]
    make_route(hall, *legs)
    session = make_event(conference, start="09:00", end="12:00", room=make_room(conference, "Hall 1", hall), abstract="x" * 5000)
    for number in range(30):
        make_event(conference, kind="talk", title=f"{number} " + "é" * 70, start="09:00", end="10:00", session=session)
    _, feed = begun(session)

    text = lines(feed)

    assert octets("\n".join(text)) <= MAX_DESCRIPTION_OCTETS
    assert (text[0].startswith("Directions from Dorsett"), f"{PAGE}?from=hotel" in text) == (True, True)
    assert [it[:2] for it in text[1:5]] == ["1.", "2.", "3.", "…"]
    assert max(len(line) for line in Client().get(feed).content.split(b"\r\n")) <= 75


def change_the_start(agenda: Agenda, route: Route) -> None:
    other = StartingPoint.objects.create(conference=agenda.conference, slug="mrt", name="MRT")
    agenda.set_start(other)


def forget_the_start(agenda: Agenda, route: Route) -> None:
    agenda.set_start(None)


def move_the_route(agenda: Agenda, route: Route) -> None:
    route.zone = make_zone(agenda.conference, "Hall 9")
    route.revise()


def rename_the_start(agenda: Agenda, route: Route) -> None:
    route.start.name = "Other"
    route.start.revise()


def open_a_stand(agenda: Agenda, route: Route) -> None:
    Service(conference=agenda.conference, name="Stand", icon="taxi", zone=route.zone).revise()


@pytest.mark.parametrize("edit", [change_the_start, forget_the_start, move_the_route, rename_the_start, open_a_stand])
def test_feed_is_new_when_the_way_is_another(hall: Zone, event: Event, edit: Any) -> None:
    route = make_route(hall, ("Go.", 3))
    agenda, feed = begun(event)
    first = Client().get(feed)

    edit(agenda, route)
    again = Client().get(feed, headers={"if-none-match": first["ETag"]})

    assert (again.status_code, again.content != first.content) == (200, True)


def test_feed_with_a_way_is_told_by_its_tag_alone(hall: Zone, event: Event) -> None:
    make_route(hall, ("Go.", 3))
    _, feed = begun(event)

    first = Client().get(feed)

    assert "Last-Modified" not in first
    assert Client().get(feed, headers={"if-none-match": first["ETag"]}).status_code == 304
    dated = Client().get(feed, headers={"if-modified-since": "Wed, 01 Jan 2031 00:00:00 GMT"})
    assert (dated.status_code, dated.content) == (200, first.content)


def test_ways_cost_the_same_queries_for_one_event_and_three(hall: Zone, django_assert_num_queries: Any) -> None:
    make_route(hall, ("Go.", 3))
    Service.objects.create(conference=hall.conference, name="Stand", icon="taxi", zone=hall)
    room = make_room(hall.conference, "Hall 1", hall)
    for count in (1, 3):
        picks = [make_event(hall.conference, start="09:00", end="10:00", room=room) for _ in range(count)]
        _, feed = begun(*picks)
        # The first visit is recorded; test_fetch_log.py counts what that costs.
        Client().get(feed)
        with django_assert_num_queries(9):
            Client().get(feed)
