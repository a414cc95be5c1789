from __future__ import annotations

import datetime as dt

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Hints
from events.imports.formats.times import find_time_zone

NOBODY = Hints(slug="demo")
VIENNA = Hints(slug="demo", timezone="Europe/Vienna")


def moments(*texts: str) -> list[dt.datetime]:
    return [dt.datetime.fromisoformat(text) for text in texts]


def test_zone_of_the_file_counts_most() -> None:
    zone, warning = find_time_zone("Asia/Singapore", VIENNA, moments=moments("2025-04-24T09:00+02:00"), file="a.xml")

    assert (zone.key, warning) == ("Asia/Singapore", "")


def test_zone_of_the_hints_counts_where_the_file_has_none() -> None:
    zone, warning = find_time_zone(" ", VIENNA, city="Singapore", file="a.xml")

    assert (zone.key, warning) == ("Europe/Vienna", "")


def test_zone_of_the_hints_counts_where_the_files_is_unknown() -> None:
    zone, warning = find_time_zone("Mars/Olympus", VIENNA, file="a.xml")

    assert (zone.key, warning) == ("Europe/Vienna", "“Mars/Olympus” is not a time zone; Europe/Vienna is used")


@pytest.mark.parametrize("name", ["Mars/Olympus", "../../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000, "Europe", "+08:00"])
def test_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(
        ScheduleParseError,
        match=r"^a\.xml: “.{1,60}” is not a time zone: say which one the venue is in, such as Europe/Brussels$",
    ):
        find_time_zone(name, NOBODY, file="a.xml")


@pytest.mark.parametrize(
    ("times", "city", "found"),
    [
        pytest.param(["2025-03-07T09:30+05:30", "2025-07-01T09:30+05:30"], "", "Asia/Kolkata", id="an offset of one country"),
        pytest.param(["2025-02-01T09:30+05:45"], "", "Asia/Kathmandu", id="another"),
        pytest.param(["2025-02-01T09:30+01:00", "2025-07-01T09:30+02:00"], "Brussels", "Europe/Brussels", id="a city that fits"),
        pytest.param(["2025-02-01T09:30-05:00"], "New York", "America/New_York", id="a city of two words"),
    ],
)
def test_zone_is_inferred_where_it_is_obvious(times: list[str], city: str, found: str) -> None:
    zone, warning = find_time_zone("", NOBODY, moments=moments(*times), city=city, file="a.xml")

    assert (zone.key, warning) == (found, f"names no time zone; {found} fits its times and is used")


@pytest.mark.parametrize(
    ("times", "city", "example"),
    [
        pytest.param([], "", "Europe/Brussels", id="nothing said"),
        pytest.param([], "Singapore", "Asia/Singapore", id="a city alone is a guess"),
        pytest.param(["2025-02-01T09:30+01:00", "2025-02-01T10:30"], "", "Europe/Brussels", id="one time without an offset"),
        pytest.param(["2025-02-01T09:30+01:17"], "", "Europe/Brussels", id="an offset that no zone has"),
        pytest.param(["2025-02-01T09:30+00:00"], "Vienna", "Europe/Vienna", id="a city that does not fit"),
        pytest.param(["2025-02-01T09:30+05:30", "2025-02-01T09:30+05:45"], "", "Europe/Brussels", id="two offsets"),
    ],
)
def test_zone_that_is_not_obvious_is_asked_for(times: list[str], city: str, example: str) -> None:
    with pytest.raises(ScheduleParseError, match=f"^a.xml: names no time zone: .* such as {example}$"):
        find_time_zone("", NOBODY, moments=moments(*times), city=city, file="a.xml")


@pytest.mark.parametrize(
    ("times", "found"),
    [
        pytest.param(["2025-02-01T09:30+01:00", "2025-07-01T09:30+01:00"], "Etc/GMT-1", id="ahead of UTC"),
        pytest.param(["2025-02-01T09:30-05:00"], "Etc/GMT+5", id="behind UTC"),
        pytest.param(["2025-02-01T09:30+00:00"], "UTC", id="UTC"),
    ],
)
def test_one_offset_on_every_time_is_a_zone_of_its_own(times: list[str], found: str) -> None:
    zone, warning = find_time_zone("", NOBODY, moments=moments(*times), file="a.xml")

    assert zone.key == found
    assert all(at.utcoffset() == at.astimezone(zone).utcoffset() for at in moments(*times))
    assert warning.startswith(f"names no time zone, but all its times are at UTC{times[0][-6:]}: {found} is used")


def test_country_with_one_zone_is_a_zone() -> None:
    zone, _ = find_time_zone("", NOBODY, moments=moments("2025-02-01T09:30+01:00"), city="Norway", file="a.xml")

    assert zone.key == "Europe/Oslo"
