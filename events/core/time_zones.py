"""Time zones by city and country, from the tables of the tz database."""

from __future__ import annotations

import datetime as dt
import importlib.resources
import zoneinfo
from functools import cache, lru_cache
from typing import NamedTuple


@cache
def zone_places() -> dict[str, str]:
    """City and country of each zone, in order of the zones: {"Europe/Oslo": "Oslo, Norway"}."""
    countries = dict(_rows("iso3166.tab"))
    names = {zone: countries.get(code, code) for code, _, zone, *_ in _rows("zone.tab")}
    return {zone: ", ".join(dict.fromkeys([zone_city(zone), names[zone]])) for zone in sorted(names)}


@cache
def former_zones() -> dict[str, str]:
    """The present name of each former one, which browsers may report: {"Asia/Calcutta": "Asia/Kolkata"}."""
    places = zone_places()
    links = (line.split() for line in _lines("tzdata.zi") if line.startswith("L "))
    return {former: zone for _, zone, former in links if zone in places and former not in places}


class ZoneChoice(NamedTuple):
    label: str
    former: str


@lru_cache(maxsize=16)
def zone_choices(on: dt.date) -> dict[str, ZoneChoice]:
    """Labels that begin with the city, in their order, with the offset that day: {"Europe/Oslo": "Oslo, Norway (UTC+1)"}."""
    noon = dt.datetime.combine(on, dt.time(12), dt.UTC)
    labels = {zone: f"{place} ({offset_text(noon, zoneinfo.ZoneInfo(zone))})" for zone, place in zone_places().items()}
    # Browsers against fingerprinting report it.
    labels["UTC"] = "UTC"
    former: dict[str, list[str]] = {}
    for name, zone in former_zones().items():
        former.setdefault(zone, []).append(name)
    by_label = sorted(labels, key=lambda zone: labels[zone].casefold())
    return {zone: ZoneChoice(labels[zone], " ".join(former.get(zone, ()))) for zone in by_label}


def offset_text(at: dt.datetime, zone: dt.tzinfo) -> str:
    """As "UTC+8"."""
    offset = at.astimezone(zone).utcoffset() or dt.timedelta()
    hours, minutes = divmod(abs(int(offset.total_seconds())) // 60, 60)
    sign = "−" if offset < dt.timedelta() else "+"
    return f"UTC{sign}{hours}{f':{minutes:02}' if minutes else ''}"


def zone_city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ")


def find_zone(text: str) -> str:
    """Return the zone that a person means by its name, a city, or a country with one zone only; "" if unclear.

    >>> find_zone("asia/singapore"), find_zone("Oslo"), find_zone("Oslo, Norway"), find_zone("Norway"), find_zone("Germany")
    ('Asia/Singapore', 'Europe/Oslo', 'Europe/Oslo', 'Europe/Oslo', '')
    """
    wanted = " ".join(text.split()).casefold()
    found = _zones_by_name().get(wanted, frozenset())
    if len(found) == 1:
        return next(iter(found))
    return _zones_by_folded_key().get(wanted.replace(" ", "_"), "")


def zone_of_place(city: str, country: str) -> str:
    """Return the zone of a city, or of a country with one zone only; "" if unclear."""
    return next(filter(None, map(find_zone, (f"{city}, {country}", city, country))), "")


@lru_cache(maxsize=256)
def has_other_clocks(city: str, country: str, zone: dt.tzinfo, on: dt.date) -> bool:
    """Whether the clocks of a place show another time that day than those of ``zone``. False if its zone is unclear.

    >>> has_other_clocks("Tokyo", "", zoneinfo.ZoneInfo("Europe/Lisbon"), dt.date(2026, 12, 3))
    True
    """
    there, noon = zone_of_place(city, country), dt.datetime.combine(on, dt.time(12))
    return bool(there) and zoneinfo.ZoneInfo(there).utcoffset(noon) != zone.utcoffset(noon)


def moment_text(at: dt.datetime, zone: dt.tzinfo, place: str) -> str:
    """The one form of a moment on organisers' pages.

    >>> moment_text(dt.datetime(2026, 11, 22, 12, 35, tzinfo=dt.UTC), zoneinfo.ZoneInfo("Asia/Singapore"), "Singapore")
    '22 Nov 2026 20:35, Singapore'
    """
    local = at.astimezone(zone)
    return f"{local.day} {local:%b %Y %H:%M}, {place}"


@cache
def _zones_by_name() -> dict[str, frozenset[str]]:
    by_name: dict[str, frozenset[str]] = {}
    for zone, place in zone_places().items():
        city, _, country = place.partition(", ")
        for name in {city.casefold(), country.casefold(), place.casefold()} - {""}:
            by_name[name] = by_name.get(name, frozenset()) | {zone}
    return by_name


@cache
def _zones_by_folded_key() -> dict[str, str]:
    return {zone.casefold(): zone for zone in sorted(zoneinfo.available_timezones())}


def _rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in _lines(name)]


def _lines(name: str) -> list[str]:
    text = (importlib.resources.files("tzdata") / "zoneinfo" / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]
