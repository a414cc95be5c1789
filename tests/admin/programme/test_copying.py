"""A new edition takes over types and place of an earlier one, and nothing of its events and attendees."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.core.time_zones import find_zone
from events.models import (
    Agenda,
    Amenity,
    Bookmark,
    Conference,
    Event,
    EventType,
    FloorPlan,
    InfoPage,
    Leg,
    PagePicture,
    Person,
    PlanArea,
    Room,
    Route,
    Service,
    StartingPoint,
    Venue,
    Walk,
    Zone,
)
from events.programme.models.beginning import make_usual_types
from events.venue.copying import copy_edition, missing_parts
from tests.admin.pages import messages_of, open_form, save, url
from tests.factories import make_agenda, make_conference, make_event, make_person, make_room, make_type, make_walk, make_zone

pytestmark = pytest.mark.django_db

COUNTED: tuple[Any, ...] = (
    *(
        EventType,
        Venue,
        Zone,
        Room,
        Walk,
        Service,
        Amenity,
        FloorPlan,
        PlanArea,
        StartingPoint,
        Route,
        Leg,
        InfoPage,
        PagePicture,
    ),
    *(InfoPage, PagePicture, Event, Person, Agenda, Bookmark),
)


def furnished(**fields: Any) -> Conference:
    """One of everything that is copied, and events and attendees, which are not."""
    conference = make_conference(slug="iclr-2025", **fields)
    hall, foyer = make_zone(conference), make_zone(conference, "Foyer")
    room = make_room(conference, "Hall 1", hall, capacity=300, source="pretalx", source_key="17")
    make_walk(conference, hall, foyer, 4)
    desk = Service.objects.create(conference=conference, name="Registration", icon="id-card", zone=foyer)
    Amenity.objects.create(conference=conference, name="Decaf", service=desk)
    plan = FloorPlan.objects.create(conference=conference, venue=hall.venue, name="Level 1", drawing="<svg/>")
    PlanArea.objects.create(plan=plan, room=room, points="40 40 200 120")
    station = StartingPoint.objects.create(conference=conference, name="Station", slug="station")
    route = Route.objects.create(conference=conference, start=station, zone=hall, title="On foot")
    Leg.objects.create(route=route, instruction="Take the lift.", photo="legs/lift.webp", photo_alt="The lift.")
    page = InfoPage.objects.create(conference=conference, title="Wi-Fi", slug="wi-fi", is_public=True)
    PagePicture.objects.create(page=page, name="map", photo="pages/map.webp", alt="A map.")
    event = make_event(conference, room=room, type=make_type(conference, "talk", name="Oral", slug="oral"))
    Amenity.objects.create(conference=conference, name="Interpreter", event=event)
    make_person(conference)
    make_agenda(conference, event)
    return conference


def counts() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in COUNTED}


def test_place_and_types_come_and_attendees_do_not(db: None) -> None:
    source, target = furnished(), make_conference()
    before = counts()
    announced = missing_parts(source, target)
    assert counts() == before

    made = copy_edition(source, target)

    new = {name: number - before[name] for name, number in counts().items() if number != before[name]}
    assert new == {
        **dict.fromkeys(("Venue", "Room", "Walk", "Service", "Amenity", "FloorPlan", "PlanArea"), 1),
        **dict.fromkeys(("StartingPoint", "Route", "Leg", "InfoPage", "PagePicture"), 1),
        **dict.fromkeys(("EventType", "Zone"), 2),
    }
    assert [str(part) for part in made] == [str(part) for part in announced]
    assert "2 zones" in map(str, made)


def test_copies_refer_to_copies_and_come_from_no_file(db: None) -> None:
    source, target = furnished(), make_conference()

    copy_edition(source, target)

    room, area = target.rooms.get(), PlanArea.objects.get(plan__conference=target)
    assert (room.zone.conference, room.zone.venue.conference, room.capacity) == (target, target, 300)
    assert (room.source, room.source_key, source.rooms.get().source_key) == ("", "", "17")
    assert (area.room, target.walks.get().destination.name, target.services.get().zone) == (
        room,
        "Foyer",
        target.zones.get(name="Foyer"),
    )
    leg = Leg.objects.get(route__conference=target)
    assert (leg.photo.name, target.amenities.get().service) == ("legs/lift.webp", target.services.get())


def test_second_time_copies_nothing_and_what_is_there_stays(db: None) -> None:
    source, target = furnished(), make_conference()
    copy_edition(source, target)
    target.rooms.update(capacity=10)
    before = counts()

    announced, again = missing_parts(source, target), copy_edition(source, target)

    assert (announced, again, counts(), target.rooms.get().capacity) == ([], [], before, 10)


def test_usual_types_give_way_unless_somebody_used_or_changed_them(db: None) -> None:
    source, target = furnished(), make_conference()
    make_usual_types(target)
    make_event(target, type=target.types.get(slug="social"))
    target.types.filter(slug="break").update(name="Pause")

    copy_edition(source, target)

    assert sorted(target.types.values_list("slug", flat=True)) == ["break", "oral", "session", "social"]


def test_second_edition_adds_what_the_first_did_not_have(db: None) -> None:
    first, second, target = make_conference(), furnished(), make_conference()
    make_usual_types(first)
    first.types.exclude(slug__in=["break", "talk"]).delete()
    make_zone(first)
    make_usual_types(target)
    copy_edition(first, target)

    announced, copied = missing_parts(second, target), copy_edition(second, target)

    assert sorted(target.types.values_list("slug", flat=True)) == ["break", "oral", "session", "talk"]
    assert (list(map(str, announced)), target.zones.count()) == (list(map(str, copied)), 2)
    assert str(copied[1]) == "1 zone"


def test_failure_copies_nothing(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = furnished(), make_conference()
    before = counts()
    monkeypatch.setattr(Leg, "save", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        copy_edition(source, target)

    assert counts() == before


def test_page_says_what_comes_and_copies_it(organiser: Client) -> None:
    source, target = furnished(name="ICLR 2025"), make_conference(name="ICLR 2026", slug="iclr-2026")

    page = organiser.get(url("copy", "conference", target.pk))
    done = organiser.post(url("copy", "conference", target.pk), {"source": source.pk})

    assert "<strong>2</strong> zones" in page.text
    assert "Copy from ICLR 2025" in page.text
    assert messages_of(done)[0].startswith("Copied from ICLR 2025: 2 event types, 1 venue, 2 zones, 1 room,")
    assert target.rooms.count() == 1


def test_edition_is_chosen_where_there_are_several(organiser: Client) -> None:
    target = make_conference()
    furnished(), make_conference()

    address = url("copy", "conference", target.pk)
    page, itself = organiser.get(address), organiser.post(address, {"source": target.pk})

    assert (page.context["source"], page.status_code) == (None, 200)
    assert (itself.status_code, list(itself.context["form"].errors)) == (422, ["source"])


def test_new_conference_leads_to_the_page(organiser: Client) -> None:
    source = furnished()
    typed = {"name": "ICLR 2026", "start": "2026-04-23", "end": "2026-04-27", "city": "Rio de Janeiro", "timezone": "Sao Paulo"}

    done = save(organiser, url("add", "conference"), open_form(organiser, url("add", "conference")), **typed, copy_from=source.pk)

    target = Conference.objects.get(slug="iclr-2026")
    assert (done["Location"], target.timezone) == (
        f"{url('copy', 'conference', target.pk)}?source={source.pk}",
        find_zone("Sao Paulo"),
    )
