from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.html import strip_tags

from events.models import Amenity, Conference, Service
from events.pages.queries.venue import venue_page
from events.search.queries.page import SEARCH_KINDS
from events.venue.queries.amenities import amenities, amenities_of
from tests.factories import THURSDAY, at, make_conference, make_event, make_room, make_zone
from tests.pages.queries.reading import clock
from tests.search.queries.asking import ask, result_titles
from tests.search.searching import reindex

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def make_amenity(conference: Conference, name: str = "Decaf", **fields: Any) -> Amenity:
    return Amenity.objects.create(conference=conference, name=name, **fields)


def names(rows: Any) -> list[str]:
    return [row.amenity.name for row in rows]


def test_comforts_say_where_and_when_they_are(conference: Conference) -> None:
    hall = make_zone(conference, "Hall 2")
    foyer = make_room(conference, "Foyer", hall)
    desk = Service.objects.create(conference=conference, name="Desk", place="By the gate")
    tea = make_event(conference, kind="break", title="Tea", start="10:00", end="10:30")
    later = make_event(conference, kind="break", title="Supper")
    places: list[dict[str, Any]] = [{"event": tea}, {"event": later}, {"service": desk}, {"room": foyer}, {"zone": hall}, {}]
    rows = [make_amenity(conference, position=number, **place) for number, place in enumerate(places)]

    told = [(it.where, it.url, it.start, it.day, it.page) for it in amenities(conference, clock())]

    pages = [f"/demo/services/#amenity-{row.pk}" for row in rows]
    assert told == [
        ("Tea", tea.get_absolute_url(), at("10:00"), THURSDAY, tea.get_absolute_url()),
        ("Supper", later.get_absolute_url(), None, THURSDAY, later.get_absolute_url()),
        ("Desk, By the gate", f"/demo/services/#service-{desk.pk}", None, None, pages[2]),
        ("Foyer, Hall 2, Singapore EXPO", f"/demo/venue/#room-{foyer.pk}", None, None, pages[3]),
        ("Hall 2", f"/demo/venue/#zone-{hall.pk}", None, None, pages[4]),
        ("", "", None, None, pages[5]),
    ]


def test_comforts_of_a_draft_or_of_another_conference_are_not_shown(conference: Conference) -> None:
    session = make_event(conference, status="draft", announce=False)
    make_amenity(conference, event=session)
    make_amenity(conference, event=make_event(conference, session=session))
    make_amenity(make_conference())

    assert amenities(conference, clock()) == []
    session.status = "confirmed"
    session.revise()
    assert names(amenities(conference, clock())) == ["Decaf", "Decaf"]


def test_comforts_of_a_conference_that_is_a_draft_are_nobody_s() -> None:
    conference = make_conference(status="draft")
    make_amenity(conference)

    assert amenities(conference, clock()) == []


@pytest.mark.parametrize(
    ("kind", "shown"), [("break", ["Own", "Room", "Zone"]), ("talk", ["Own", "Room"])], ids=["break", "anything-else"]
)
def test_event_has_its_own_comforts_and_a_break_those_around(conference: Conference, kind: str, shown: list[str]) -> None:
    hall = make_zone(conference, "Hall 2")
    event = make_event(conference, kind=kind, room=make_room(conference, "Foyer", hall))
    other = make_event(conference, room=make_room(conference, "Elsewhere"))
    for name, place in {"Own": {"event": event}, "Room": {"room": event.room}, "Zone": {"zone": hall}}.items():
        make_amenity(conference, name, **place)
    make_amenity(conference, "Another", event=other)
    make_amenity(conference, "Far", zone=make_zone(conference, "Elsewhere"))
    make_amenity(conference, "Everywhere")

    assert names(amenities_of(event, clock())) == shown
    text = Client().get(event.get_absolute_url()).text.partition("<dt>Amenities</dt>")[2].partition("</dd>")[0]
    assert strip_tags(text.replace("<li>", " ")).split() == shown


def test_hours_have_the_comforts_of_their_service(conference: Conference) -> None:
    desk = Service.objects.create(conference=conference, name="Desk")
    make_amenity(conference, service=desk)

    assert names(amenities_of(make_event(conference, kind="service", service=desk), clock())) == ["Decaf"]


def test_zone_of_the_venue_has_its_comforts_and_those_of_its_rooms(conference: Conference) -> None:
    hall, other = make_zone(conference, "Hall 2", position=1), make_zone(conference, "Hall 3", position=2)
    make_amenity(conference, "A", zone=hall)
    make_amenity(conference, "B", room=make_room(conference, "Foyer", hall))
    make_amenity(conference, "C", zone=other)
    make_amenity(conference, "D")

    (venue,) = venue_page(conference, clock()).venues

    assert [[it.name for it in zone.amenities] for zone in venue.zones] == [["A", "B"], ["C"]]


def test_comfort_is_found_by_its_name_its_note_and_its_place(conference: Conference) -> None:
    tea = make_event(conference, kind="break", title="Tea", start="10:00", end="10:30")
    make_amenity(conference, note="Ask at the samovar.", event=tea)
    make_amenity(conference, "Quiet room", zone=make_zone(conference, "Garnet"))
    reindex()

    assert [result_titles(conference, words) for words in ("décaf", "samovar", "quiet", "garnet")] == [
        ["Decaf"], ["Decaf"], ["Quiet room"], ["Quiet room"],
    ]  # fmt: skip


def test_search_narrows_to_comforts_and_their_days(conference: Conference) -> None:
    tea = make_event(conference, kind="break", title="Tea and decaf", start="10:00", end="10:30")
    decaf = make_amenity(conference, event=tea)
    make_amenity(conference, "Decaf again")
    reindex()

    page = ask(conference, "decaf", kind="amenity")

    assert sorted("".join(part.text for part in result.title) for result in page.results) == ["Decaf", "Decaf again"]
    assert {(it.label, it.count) for it in page.kinds} == {(SEARCH_KINDS["break"], 1), (SEARCH_KINDS["amenity"], 2)}
    (result,) = ask(conference, "decaf", kind="amenity", day=THURSDAY.isoformat()).results
    note = "".join(part.text for part in result.note)
    assert (result.label, result.url, note) == ("Amenity", tea.get_absolute_url(), "Tea and decaf")
    assert decaf.place == tea


def test_index_follows_what_is_hidden_since(conference: Conference) -> None:
    tea = make_event(conference, kind="break", title="Tea", start="10:00", end="10:30")
    make_amenity(conference, event=tea)
    reindex()
    tea.status = "draft"
    tea.revise()

    # The index is behind, and the rows say what may be shown.
    assert ask(conference, "decaf").results == []
    reindex()
    assert result_titles(conference, "decaf") == []


@pytest.mark.parametrize(
    ("places", "problem"),
    [
        pytest.param([], {}, id="everywhere"),
        pytest.param(["zone"], {}, id="one"),
        pytest.param(["room", "zone"], {"zone": ["An amenity is at one place: keep the room or this zone."]}, id="two"),
    ],
)
def test_comfort_is_at_one_place(conference: Conference, places: list[str], problem: dict[str, list[str]]) -> None:
    known = {"zone": make_zone(conference, "Hall 1"), "room": make_room(conference, "Hall 1")}
    amenity = Amenity(conference=conference, name="Decaf", **{name: known[name] for name in places})

    said: dict[str, list[str]] = {}
    try:
        amenity.full_clean()
    except ValidationError as error:
        said = error.message_dict

    assert said == problem


def test_services_page_lists_comforts_also_without_a_service(conference: Conference) -> None:
    make_amenity(conference, note="Ask.", event=make_event(conference, title="Tea", start="10:00", end="10:30"))
    make_amenity(conference, "Water", position=1)

    text = Client().get("/demo/services/").text

    said = " ".join(strip_tags(text.partition(">Amenities</h2>")[2].partition("</section>")[0]).split())
    assert said == "Decaf Ask. Tea, Thu 24 Apr, 10:00 Water Everywhere at the venue"
    assert "No service is listed yet" not in text


def test_links_of_comforts_carry_the_moment_one_looks_at(conference: Conference) -> None:
    zone = make_zone(conference, "Hall 1")
    amenity = make_amenity(conference, zone=zone)

    (row,) = amenities(conference, clock("09:30", pinned=True))

    assert (row.url, row.page) == (
        f"/demo/venue/?at=2025-04-24T09:30#zone-{zone.pk}",
        f"/demo/services/?at=2025-04-24T09:30#amenity-{amenity.pk}",
    )
