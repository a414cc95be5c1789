"""Small programmes as ScheduleData, and the stored rows as plain values."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Any

from django.apps import apps

from events.models import Event
from events.programme.data.place import (
    AmenityData,
    LegData,
    RoomData,
    RouteData,
    ServiceData,
    StartingPointData,
    VenueData,
    WalkData,
    ZoneData,
)
from events.programme.data.schedule import (
    AppearanceData,
    AwardData,
    ConferenceData,
    DayData,
    EventData,
    EventTypeData,
    LinkData,
    PaperData,
    PersonData,
    ScheduleData,
    TrackData,
)
from tests.factories import THURSDAY, at

CONFERENCE = ConferenceData(
    slug="demo", name="Demo", timezone="Asia/Singapore", start=THURSDAY, end=THURSDAY + dt.timedelta(days=1)
)
ON = LegData(instruction="On")


def event(key: str = "keynote", **fields: Any) -> EventData:
    values = {"title": key.capitalize(), "type": "talk", "day": "thu", "start": at("09:00"), "end": at("10:00")}
    return EventData(key=key, **values | fields)


def programme(*events: EventData, **parts: Any) -> ScheduleData:
    """A day, a type, a room, and these events."""
    values: dict[str, Any] = {
        "conference": CONFERENCE,
        "days": (DayData(key="thu", date=THURSDAY),),
        "types": (EventTypeData(key="talk", name="Talk", kind="talk"),),
        "venues": (VenueData(key="expo", name="Expo"),),
        "zones": (ZoneData(key="hall", venue="expo", name="Halls"),),
        "rooms": (RoomData(key="hall-1", zone="hall", name="Hall 1"), RoomData(key="hall-2", zone="hall", name="Hall 2")),
        "events": events,
    }
    return ScheduleData(**values | parts)


def whole_programme() -> ScheduleData:
    """Some of everything that refers to something else."""
    return programme(
        event("session", type="session", people=(AppearanceData(person="ada", role="moderator", remote=True),)),
        event(
            "oral",
            room="hall-1",
            track="theory",
            session="session",
            paper="adam",
            people=(AppearanceData(person="durk"), AppearanceData(person="ada")),
            links=(LinkData(kind="slides", url="https://example.org/slides"),),
        ),
        event("desk", type="service", service="desk"),
        types=(
            EventTypeData(key="talk", name="Talk", kind="talk"),
            EventTypeData(key="session", name="Session", kind="session"),
            EventTypeData(key="service", name="Hours", kind="service"),
        ),
        zones=(ZoneData(key="hall", venue="expo", name="Halls"), ZoneData(key="exit", venue="expo", name="Exit A")),
        tracks=(TrackData(key="theory", name="Theory"),),
        walks=(WalkData(key="w", origin="hall", destination="exit", minutes=5),),
        services=(ServiceData(key="desk", name="Desk", zone="exit"),),
        starting_points=(StartingPointData(key="mrt", name="MRT", kind="station"),),
        routes=(RouteData(key="r", start="mrt", zone="hall", title="On foot", legs=(LegData(instruction="Up", minutes=2), ON)),),
        people=(PersonData(key="ada", name="Ada Lovelace"), PersonData(key="durk", name="Durk Kingma")),
        papers=(
            PaperData(
                key="adam", title="Adam", authors=("durk", "ada"), links=(LinkData(kind="code", url="https://example.org/code"),)
            ),
        ),
        amenities=(
            AmenityData(key="decaf", name="Decaf", event="session"),
            AmenityData(key="pens", name="Pens", service="desk", position=1),
            AmenityData(key="quiet", name="Quiet corner", zone="exit", position=2),
            AmenityData(key="loop", name="Hearing loop", room="hall-1", position=3),
            AmenityData(key="water", name="Water", position=4),
        ),
        awards=(AwardData(key="tot", name="Test of time", year=2025, paper="adam", event="oral"),),
    )


def with_events(data: ScheduleData, *events: EventData) -> ScheduleData:
    return dataclasses.replace(data, events=events)


def changed(data: ScheduleData, key: str, **fields: Any) -> ScheduleData:
    """The same programme with one event changed."""
    return with_events(data, *(dataclasses.replace(it, **fields) if it.key == key else it for it in data.events))


def row(key: str = "keynote", source: str = "file") -> Event:
    return Event.objects.get(source=source, source_key=key)


def everything() -> dict[str, list[dict[str, Any]]]:
    """Every row of the app, history and changes included."""
    return {it.__name__: list(it._default_manager.order_by("pk").values()) for it in apps.get_app_config("events").get_models()}
