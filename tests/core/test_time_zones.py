from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from events.core.time_zones import find_zone, former_zones, has_other_clocks, zone_choices, zone_places
from events.web.request import zone_names


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Europe/Oslo", "Europe/Oslo"),
        ("europe/oslo", "Europe/Oslo"),
        ("Oslo", "Europe/Oslo"),
        ("  oslo,  norway ", "Europe/Oslo"),
        ("Norway", "Europe/Oslo"),
        ("New York", "America/New_York"),
        ("Singapore", "Asia/Singapore"),
        ("UTC", "UTC"),
        ("Australia", ""),
        ("Nowhere", ""),
        ("", ""),
    ],
)
def test_zone_is_found_by_name_city_and_country(text: str, zone: str) -> None:
    assert find_zone(text) == zone


@pytest.mark.parametrize(
    ("city", "country", "zone", "differs"),
    [
        pytest.param("Tokyo", "Portugal", "Europe/Lisbon", True, id="another"),
        pytest.param("Toronto", "Canada", "America/New_York", False, id="another-name-of-the-same-hours"),
        pytest.param("Trondheim", "", "Europe/Oslo", False, id="unknown"),
        pytest.param("", "", "Europe/Oslo", False, id="none"),
    ],
)
def test_clocks_of_a_place_differ_if_its_zone_is_known_and_another(city: str, country: str, zone: str, differs: bool) -> None:
    assert has_other_clocks(city, country, ZoneInfo(zone), dt.date(2026, 12, 3)) is differs


def test_places_name_city_and_country() -> None:
    assert zone_places()["America/New_York"] == "New York, United States"
    assert len(zone_places()) > 400


def test_choices_begin_with_the_city_and_have_the_offset_of_the_day() -> None:
    winter, summer = zone_choices(dt.date(2026, 1, 15)), zone_choices(dt.date(2026, 7, 15))

    zones = ["Europe/Berlin", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "America/New_York", "UTC"]
    assert [winter[zone].label for zone in zones] == [
        "Berlin, Germany (UTC+1)",
        "Kolkata, India (UTC+5:30)",
        "Buenos Aires, Argentina (UTC−3)",
        "New York, United States (UTC−5)",
        "UTC",
    ]
    assert summer["Europe/Berlin"].label == "Berlin, Germany (UTC+2)"
    labels = [choice.label.casefold() for choice in winter.values()]
    assert labels == sorted(labels)


def test_every_zone_that_is_accepted_is_a_choice_under_its_present_name() -> None:
    choices, former = zone_choices(dt.date(2026, 1, 15)), former_zones()

    assert former["Asia/Calcutta"] == "Asia/Kolkata"
    assert choices["Asia/Kolkata"].former == "Asia/Calcutta"
    assert {former.get(name, name) for name in zone_names()} == choices.keys()
    assert former.keys() & choices.keys() == set()
