from __future__ import annotations

import pytest

from events.core.time_zones import find_zone, zone_places


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


def test_places_name_city_and_country() -> None:
    assert zone_places()["America/New_York"] == "New York, United States"
    assert len(zone_places()) > 400
