from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from events.core.time_zones import find_zone, has_other_clocks, zone_places


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
