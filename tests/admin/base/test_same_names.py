"""A second row of a name is saved, and the first one is named."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from events.models import Amenity, Track
from tests.admin.pages import messages_of, open_form, save, url
from tests.factories import make_conference, make_person, make_room, make_type, make_zone

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("model", "name", "typed"),
    [
        ("room", "Hall A", "hall  a"),
        ("room", "Hall A", "Hall\u200bA"),
        ("room", "HallA", "Hall\u200bA"),
        ("person", "Ada Lovelace", "Ada Lovelace"),
        ("eventtype", "Session", "session"),
        ("track", "Ethics", "ethics"),
        ("amenity", "Water", "water"),
    ],
)
def test_second_row_of_a_name_is_saved_with_a_link_to_the_first(organiser: Client, model: str, name: str, typed: str) -> None:
    conference, other = make_conference(), make_conference()
    makers: dict[str, Any] = {
        "room": make_room,
        "person": make_person,
        "eventtype": lambda it, name: make_type(it, name=name),
        "track": lambda it, name: Track.objects.create(conference=it, name=name, slug="first"),
        "amenity": lambda it, name: Amenity.objects.create(conference=it, name=name),
    }
    make_row = makers[model]
    first = make_row(conference, name)
    make_row(other, name)
    zones = {"zone": make_zone(conference, "East").pk} if model == "room" else {}
    kinds = {"kind": "session"} if model == "eventtype" else {}
    address = url("add", model)
    form = open_form(organiser, f"{address}?conference={conference.pk}")

    fresh = save(organiser, address, form, name=f"{name} 2", **zones, **kinds)
    same = save(organiser, address, form, name=typed, **zones, **kinds)

    assert [it for it in messages_of(fresh) if "second" in it] == []
    said = next(it for it in messages_of(same) if "second" in it)
    assert f'“{typed}”: <a href="{url("change", model, first.pk)}">{name}</a>' in said
    assert type(first).objects.filter(conference=conference, name=typed).exists()


def test_amenity_of_a_name_in_another_zone_is_no_second_one(organiser: Client) -> None:
    conference = make_conference()
    Amenity.objects.create(conference=conference, name="Water", zone=make_zone(conference, "West"))
    form = open_form(organiser, f"{url('add', 'amenity')}?conference={conference.pk}")

    saved = save(organiser, url("add", "amenity"), form, name="Water", zone=make_zone(conference, "East").pk)

    assert [it for it in messages_of(saved) if "second" in it] == []
    assert Amenity.objects.count() == 2


def test_second_room_of_a_name_in_the_list_of_a_zone_is_named(organiser: Client) -> None:
    conference = make_conference()
    first = make_room(conference, "Hall A")
    address = url("change", "zone", make_zone(conference, "East").pk)
    row = {"rooms-TOTAL_FORMS": "1", "rooms-0-name": "Hall A", "rooms-0-position": "1"}

    saved = save(organiser, address, open_form(organiser, address), **row)
    again = save(organiser, address, open_form(organiser, address), description="Behind the foyer.")

    assert [url("change", "room", first.pk) in it for it in messages_of(saved)] == [True, False]
    assert len(messages_of(again)) == 1
