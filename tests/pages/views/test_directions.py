"""Where a visitor starts and what ways have to be: chosen once, used on every event's page."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils.html import strip_tags

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Conference, Event, Leg, Route, Service, StartingPoint, Venue, Zone
from events.web.request import START_COOKIE, WALKING_COOKIE
from tests.factories import forms_url, make_agenda, make_conference, make_event, make_room, make_walk, make_zone
from tests.visitors import browser, context

pytestmark = pytest.mark.django_db

START, WALKING, DIRECTIONS = "/demo/venue/directions/start/", "/demo/agenda/walking/", "/demo/venue/directions/"
ASKED = "Where are you coming from?"
FROM_HOTEL = "From HOTEL: 7 min, not covered all the way, step-free"
FROM_MRT = "From MRT: 3 min, covered, step-free"
NOT_DRY = "No fully covered route to Hall 1 is known from HOTEL"


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    hall = make_zone(conference, "Hall 1")
    for slug, minutes in (("hotel", 7), ("mrt", 3)):
        start = StartingPoint.objects.create(conference=conference, name=slug.upper(), slug=slug)
        route = Route.objects.create(conference=conference, start=start, zone=hall, title=f"From {slug}")
        Leg.objects.create(route=route, instruction="Up", minutes=minutes, covered=slug == "mrt", step_free=True)
    return conference


@pytest.fixture
def event(conference: Conference) -> Event:
    return make_event(conference, room=make_room(conference, "Hall 1"))


def way(event: Event, client: Client | None = None) -> str:
    """What stands under "Getting there" before the maps."""
    text = (client or Client()).get(event.get_absolute_url()).text
    section = text.partition('id="getting-there">Getting there</h2>')[2].partition("</section>")[0]
    return " ".join(strip_tags(section).split())


def cookies(**values: str) -> Client:
    client = Client()
    client.cookies.load(values)
    return client


def test_event_page_asks_where_one_starts_and_comes_back(event: Event) -> None:
    assert way(event).startswith(ASKED)
    back = f"{event.get_absolute_url()}#getting-there"
    assert f'href="{DIRECTIONS}?next={quote(back, safe="")}"' in Client().get(event.get_absolute_url()).text

    client = Client()
    page = client.get(DIRECTIONS, {"next": back})
    response = client.post(START, {"start": "mrt", "next": page.context["back"]})

    assert response.url == back
    assert FROM_MRT in way(event, client)


@pytest.mark.parametrize(
    ("remembered", "said"),
    [
        pytest.param({START_COOKIE: "mrt"}, [FROM_MRT], id="a-start"),
        pytest.param({START_COOKIE: "hotel"}, [FROM_HOTEL], id="another"),
        pytest.param({START_COOKIE: "hotel", WALKING_COOKIE: "dry"}, [NOT_DRY, FROM_HOTEL], id="rain"),
        pytest.param({START_COOKIE: "mrt", WALKING_COOKIE: "dry.step-free"}, [FROM_MRT], id="both"),
        pytest.param({START_COOKIE: "moon"}, [ASKED], id="no-such-start"),
        pytest.param({START_COOKIE: "x" * 61}, [ASKED], id="no-slug"),
        pytest.param({WALKING_COOKIE: "dry"}, [ASKED], id="rain-alone"),
    ],
)
def test_event_page_shows_the_way_from_what_the_browser_remembers(
    event: Event, remembered: dict[str, str], said: list[str]
) -> None:
    shown = way(event, cookies(**remembered))

    assert [it for it in (ASKED, NOT_DRY, FROM_HOTEL, FROM_MRT) if it in shown] == said


def test_nobody_gets_the_way_of_somebody_else(event: Event) -> None:
    shown = [way(event, cookies(**{START_COOKIE: start})) for start in ("mrt", "hotel", "mrt")] + [way(event)]

    assert [re.findall("From (HOTEL|MRT)", it)[:1] for it in shown] == [["MRT"], ["HOTEL"], ["MRT"], []]


def test_way_on_the_event_page_goes_on_to_its_hall(conference: Conference) -> None:
    garnet = make_zone(conference, "Garnet")
    make_walk(conference, Zone.objects.get(name="Hall 1"), garnet, minutes=4, covered=False)
    event = make_event(conference, room=make_room(conference, "Garnet 212", garnet))

    shown = way(event, cookies(**{START_COOKIE: "mrt"}))

    assert "From MRT: 7 min, not covered all the way" in shown
    assert "2. Walk on to Garnet. Not covered" in shown


def test_page_with_a_way_is_told_apart_by_its_tag_and_varies_by_cookie(event: Event) -> None:
    pages = [cookies(**it).get(event.get_absolute_url()) for it in ({}, {START_COOKIE: "mrt"}, {START_COOKIE: "hotel"})]

    assert len({page["ETag"] for page in pages}) == 3
    assert ["Cookie" in page["Vary"] for page in pages] == [True] * 3
    again = cookies(**{START_COOKIE: "mrt"}).get(event.get_absolute_url(), headers={"if-none-match": pages[1]["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_way_is_compressed_like_the_rest(event: Event) -> None:
    page = cookies(**{START_COOKIE: "mrt"}).get(event.get_absolute_url(), headers={"accept-encoding": "gzip"})

    assert (page["Content-Encoding"], page.content[:2]) == ("gzip", b"\x1f\x8b")


def test_start_goes_with_the_agenda_to_another_device(conference: Conference, event: Event) -> None:
    agenda, token = make_agenda(conference, event)
    browser(token=token).post(START, {"start": "mrt"})

    agenda.refresh_from_db()
    assert agenda.start == StartingPoint.objects.get(slug="mrt")
    assert FROM_MRT in way(event, browser(token=token))
    assert context(DIRECTIONS, token=token)["remembered"] is True
    # What this device remembers counts more.
    assert FROM_HOTEL in way(event, browser(token=token, start="hotel"))


def test_start_is_counted_as_a_change_of_the_agenda_only_if_it_is_another(conference: Conference, event: Event) -> None:
    agenda, token = make_agenda(conference, event)
    revisions = []
    for start in ("mrt", "mrt", "", ""):
        browser(token=token).post(START, {"start": start})
        agenda.refresh_from_db()
        revisions.append((agenda.revision, agenda.start_id is None))

    first = revisions[0][0]
    assert revisions == [(first, False), (first, False), (first + 1, True), (first + 1, True)]


def test_start_that_was_chosen_before_the_first_bookmark_comes_along(conference: Conference, event: Event) -> None:
    client = Client()
    client.post(START, {"start": "hotel"})
    assert Agenda.objects.count() == 0

    client.post(f"{forms_url(event)}bookmark/", {"on": "1"})

    assert [it.start and it.start.slug for it in Agenda.objects.all()] == ["hotel"]


@pytest.mark.parametrize("start", ["moon", "x" * 61, "\x00"], ids=["unknown", "long", "nul"])
def test_first_bookmark_does_not_mind_a_start_that_is_none(event: Event, start: str) -> None:
    client = cookies(**{START_COOKIE: start})

    response = client.post(f"{forms_url(event)}bookmark/", {"on": "1"})

    assert (response.status_code, [it.start for it in Agenda.objects.all()]) == (302, [None])


def test_rain_is_said_on_the_event_page_and_comes_back_to_it(event: Event) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies.load({START_COOKIE: "hotel"})

    sent = {"dry": "1", "next": event.get_absolute_url()}
    response = client.post(WALKING, sent, headers={"origin": "http://testserver"})

    assert (response.url, response.cookies[WALKING_COOKIE].value) == (event.get_absolute_url(), "dry")
    assert VISITOR_COOKIE not in response.cookies
    assert NOT_DRY in way(event, client)


def test_old_browser_is_led_to_the_page_with_the_switches(conference: Conference) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post(WALKING, {"dry": "1"}, follow=True)

    assert [url for url, _ in response.redirect_chain] == [WALKING, START]
    assert WALKING_COOKIE not in client.cookies
    assert 'name="csrfmiddlewaretoken"' in response.text


def test_old_browser_chooses_its_start_on_a_page_with_a_token(conference: Conference) -> None:
    client = Client(enforce_csrf_checks=True)
    assert "csrfmiddlewaretoken" not in client.get(DIRECTIONS).text

    page = client.post(f"{START}?from=mrt", {"start": "mrt"}, follow=True)
    sent = {"start": "mrt", "csrfmiddlewaretoken": page.context["csrf_token"]}
    client.post(START, sent)

    assert page.context["start"].slug == "mrt"
    assert client.cookies[START_COOKIE].value == "mrt"


@pytest.mark.parametrize(
    ("remembered", "query", "shown"),
    [
        pytest.param("", "", ["From hotel", "From mrt"], id="no-wishes"),
        pytest.param("dry", "", ["From mrt"], id="remembered"),
        pytest.param("dry", "?dry=", ["From hotel", "From mrt"], id="not-for-this-address"),
        pytest.param("dry", "?dry=0&step_free=0", ["From hotel", "From mrt"], id="show-them-anyway"),
        pytest.param("", "?dry=1", ["From mrt"], id="in-the-address"),
        pytest.param("step-free", "?dry=1", ["From mrt"], id="both-ways"),
    ],
)
def test_directions_go_by_the_wishes_that_are_remembered(
    conference: Conference, remembered: str, query: str, shown: list[str]
) -> None:
    page = cookies(**{WALKING_COOKIE: remembered} if remembered else {}).get(f"{DIRECTIONS}{query}").context

    assert [block.route.title for block in page["routes"]] == shown


def test_hidden_ways_are_a_tap_away_and_lead_back(conference: Conference, event: Event) -> None:
    address = f"{DIRECTIONS}?from=hotel&next={event.get_absolute_url()}&at=2025-04-24T09:30"
    client = cookies(**{WALKING_COOKIE: "dry.step-free"})

    page = client.get(address).context
    anyway = client.get(page["anyway_url"]).context

    assert ([*page["routes"]], page["no_route"]) == ([], "No covered and step-free route is known from HOTEL")
    assert [block.route.title for block in anyway["routes"]] == ["From hotel"]
    assert (anyway["back"], anyway["clock"].pinned) == (event.get_absolute_url(), True)


def test_wishes_that_no_way_at_all_meets_are_told_before_a_start_is_chosen(conference: Conference) -> None:
    Leg.objects.update(step_free=False)

    text = strip_tags(cookies(**{WALKING_COOKIE: "step-free"}).get(DIRECTIONS).text)

    assert "No step-free route is known" in text


def test_steps_of_many_starts_are_folded_and_those_of_one_are_not(conference: Conference) -> None:
    folded = [Client().get(address).text.count("Step by step") for address in (DIRECTIONS, f"{DIRECTIONS}?from=mrt")]

    assert folded == [2, 0]


def test_start_that_is_gone_leaves_the_one_of_the_agenda(conference: Conference, event: Event) -> None:
    agenda, token = make_agenda(conference, event)
    agenda.set_start(StartingPoint.objects.get(slug="mrt"))
    client = browser(token=token, start="hotel")
    StartingPoint.objects.get(slug="hotel").delete()

    page = client.get(DIRECTIONS).context

    assert (page["start"].slug, page["remembered"]) == ("mrt", True)
    assert FROM_MRT in way(event, client)


def test_start_of_an_agenda_that_is_deleted_is_asked_for_again(conference: Conference, event: Event) -> None:
    agenda, token = make_agenda(conference, event)
    agenda.set_start(StartingPoint.objects.get(slug="mrt"))
    StartingPoint.objects.all().delete()

    agenda.refresh_from_db()
    client = browser(token=token)
    assert (agenda.start, client.get(DIRECTIONS).context["start"], "From" in way(event, client)) == (None, None, False)


@pytest.mark.parametrize(("start", "query"), [("mrt", "?from=mrt"), ("moon", ""), ("", "")], ids=["one", "unknown", "none"])
def test_paper_leads_to_the_page_of_its_start(
    conference: Conference, start: str, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the code would say, as text.
    monkeypatch.setattr("events.calendars.views.qr_svg", lambda text: text)

    drawn = Client().get(Client().get(DIRECTIONS, {"from": start}).context["qr_url"])

    assert drawn.text.partition("/demo/")[2] == f"venue/directions/{query}"


def test_switch_on_the_directions_comes_back_without_the_wishes_of_the_address(conference: Conference) -> None:
    page = Client().get(f"{DIRECTIONS}?from=mrt&dry=1&at=2025-04-24T09:30").context

    assert page["here_url"] == f"{DIRECTIONS}?from=mrt&at=2025-04-24T09:30"


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_directions_lead_back_to_pages_of_ours_only(conference: Conference, url: str) -> None:
    page = Client().get(DIRECTIONS, {"next": url})

    assert (page.context["back"], url in page.text) == ("", False)


def test_directions_name_the_taxi_stands_and_the_venue_on_maps(conference: Conference) -> None:
    stand = Service.objects.create(conference=conference, name="Stand", icon="taxi", place="By the gate")
    Service.objects.create(conference=conference, name="Desk", icon="id-card")
    Venue.objects.filter(conference=conference).update(address="1 Expo Drive")

    page = Client().get(DIRECTIONS)

    assert page.context["stands"] == [stand]
    assert [[link.label for link in place.maps] for place in page.context["places"]] == [
        ["OpenStreetMap", "Apple Maps", "Google Maps"]
    ]


@pytest.mark.parametrize(("at", "warns"), [("2026-04-12T09:00", False), ("2026-04-13T09:00", True)], ids=["a-year", "longer"])
def test_route_that_was_checked_long_ago_says_so(conference: Conference, at: str, warns: bool) -> None:
    Route.objects.update(checked_on="2025-04-12")

    text = Client().get(f"{DIRECTIONS}?from=mrt&at={at}").text

    said = " ".join(strip_tags(text.partition('<p class="meta">Last checked')[2].partition("</p>")[0]).split())
    assert said == f"12 April 2025{', more than a year ago: it may be out of date' if warns else ''}"


def test_nothing_is_loaded_from_the_maps(event: Event) -> None:
    Venue.objects.filter(conference=event.conference).update(address="1 Expo Drive")
    text = Client().get(DIRECTIONS).text

    # The head names the page's own address and picture.
    body = text.partition("<body>")[2]
    foreign: list[Any] = re.findall(r"<(\w+)[^>]*https?://(?!testserver)[^>]*>", body)
    assert set(foreign) == {"a"}
    assert [tag for tag in re.findall(r"<a [^>]*(?:google|apple|openstreetmap)[^>]*>", text) if 'rel="noopener"' not in tag] == []
