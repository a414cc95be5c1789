"""Programmes as plain values: one that has some of everything, and random ones."""

from __future__ import annotations

import dataclasses
import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from events.core.parsing.cells import key_of
from events.programme.data.place import AmenityData, AreaData, PlanData, RoomData, ServiceData, VenueData, ZoneData
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
    TopicData,
    TrackData,
)
from tests.factories import THURSDAY, at
from tests.venue.drawn import drawing

KINDS = ("invited-talk", "session", "talk", "poster", "social", "break", "service")
LINKS = ("paper", "code", "slides", "poster", "video", "website", "source")
ZONES = ("Asia/Singapore", "Europe/Vienna", "America/St_Johns", "Asia/Kolkata", "UTC", "Pacific/Auckland", "Etc/GMT+3")
# Whatever a database takes: no control characters, and no half characters.
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), min_size=1, max_size=40).filter(
    lambda it: bool(it.strip()) and not any(sign in it for sign in "\u2028\u2029\ufffe\uffff")
)
PROSE = st.one_of(
    st.just(""), st.text(st.one_of(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), st.just("\n")), max_size=80)
)
URL = st.sampled_from(["https://a.example/x?y=1&z=2", "http://b.example/ä", "https://zügli.example/", "https://c.example/#[1]"])
GUID = st.uuids(version=4).map(str)


def guid(number: int) -> str:
    return str(uuid.UUID(int=number, version=4))


def whole(**parts: Any) -> ScheduleData:
    """One of everything: a poster in a session, a social without a room, a desk, one to be announced, one cancelled."""
    ada, song, paper, session = guid(1), guid(2), guid(3), guid(4)
    link = LinkData(kind="code", url="https://code.example/", title="The code")
    values: dict[str, Any] = {
        "conference": ConferenceData(
            slug="demo", name="Demo", title="The Demo Conference", timezone="Asia/Singapore", start=THURSDAY, end=THURSDAY
        ),
        "days": (DayData(key="2025-04-24", date=THURSDAY, title="Main"),),
        "types": (
            EventTypeData(key="posters", name="Poster session", kind="session"),
            EventTypeData(key="poster", name="Poster", kind="poster", position=1),
            EventTypeData(key="mixer", name="Affinity <3", plural="Affinities", kind="social", default_minutes=90),
            EventTypeData(key="desk", name="Opening hours", kind="service"),
        ),
        "tracks": (TrackData(key="theory", name="Theory & more", colour="#0B6E75"),),
        "topics": (TopicData(key="bandits", area="Learning", subarea="Bandits"),),
        "venues": (VenueData(key="expo", name="EXPO", latitude=1.3),),
        "zones": (ZoneData(key="hall", venue="expo", name="Halls"),),
        "rooms": (RoomData(key="hall-1", zone="hall", name="Hall 1", capacity=300), RoomData(key="empty", zone="", name="Empty")),
        "services": (ServiceData(key="registration", name="Registration", zone="hall", place="by the gate"),),
        "plans": (
            PlanData(
                key="level-2", venue="expo", name="Level 2", width=1000, height=500, position=1,
                drawing=drawing('<g fill="#fff"><path d="M0 0h9v9z"/></g><text>Hall</text>', 'viewBox="0 0 1000 500"'),
                areas=(
                    AreaData(room="hall-1", points="40 40 200 120"),
                    AreaData(zone="hall", label="Foyer <3", points="0,0 30,0 30,30"),
                    AreaData(service="registration", points="300 300 40 40"),
                    AreaData(label="Stairs", points="500 0 10 10"),
                ),
            ),
        ),
        "people": (
            PersonData(key=ada, guid=ada, name="Ada Lovelace", affiliation="Analytical", bio="First."),
            PersonData(key=song, guid=song, name="Song Han"),
        ),
        "papers": (
            PaperData(
                key=paper, guid=paper, title="On engines", tldr="They turn.", abstract="We show $y < 1$.", topic="bandits",
                authors=(song, ada), links=(link,),
            ),
            PaperData(key=guid(9), guid=guid(9), title="Shown nowhere", abstract="Alone."),
        ),
        "events": (
            event(session, "Posters 1", type="posters", room="hall-1", track="theory"),
            event(
                guid(5), "On engines", type="poster", room="hall-1", place="By the door", board="#12", paper=paper,
                session=session, topic="bandits", position=3,
            ),
            event(
                guid(6), "Mixer", language="pt-BR", type="mixer", place="A bar", abstract="Come\n\nall.", signup_url="https://s.example/",
                signup_state="open", signup_checked_at=at("08:00"), signup_until=at("08:30"), cost="Free",
                capacity=20, official=True, at_venue=False,
                subtitle="Come as you are", description="With music.", recording_license="CC BY 4.0", do_not_record=True,
                export_number=77, export_slug="ACL-mixer", logo_url="https://logos.example/ä.png",
                access_notes="Two steps.", overflow_room="hall-1", takes_questions=True,
                people=(AppearanceData(person=ada, role="host", remote=True),), links=(link,),
            ),
            event(guid(7), "Registration", type="desk", service="registration"),
            event(guid(8), "Town hall", language="de", type="mixer", status="tentative", start=None, end=None),
            event(guid(10), "Karaoke", type="mixer", status="cancelled", room="hall-1"),
        ),
        "amenities": (
            AmenityData(key="decaf", name="Decaf", note="Ask.", room="hall-1"),
            AmenityData(key="microwave", name="Microwave", event=guid(5), position=1),
            AmenityData(key="quiet", name="Quiet", zone="hall", position=2),
            AmenityData(key="pens", name="Pens", service="registration", position=3),
            AmenityData(key="water", name="Water", position=4),
        ),
        "awards": (AwardData(key="best", name="Best", year=2025, paper=paper, event=guid(5), citation="Clear."),),
    }  # fmt: skip
    return ScheduleData(**values | parts)


def event(key: str, title: str, **fields: Any) -> EventData:
    """On Thursday from nine to ten in Singapore."""
    values = {"day": "2025-04-24", "start": at("09:00").astimezone(dt.UTC), "end": at("10:00").astimezone(dt.UTC)}
    return EventData(key=key, guid=key, title=title, **values | fields)


@st.composite
def programmes(draw: st.DrawFn) -> ScheduleData:
    """Small ones, of two days, with any texts and any zone."""
    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    first = draw(st.dates(dt.date(2024, 3, 20), dt.date(2025, 11, 10)))
    days = [DayData(key=it.isoformat(), date=it) for it in (first, first + dt.timedelta(days=1))]
    types = tuple(
        EventTypeData(key=f"type-{number}", name=name, kind=draw(st.sampled_from(KINDS)))
        for number, name in enumerate(draw(st.lists(TEXT, min_size=1, max_size=3, unique=True)))
    )
    names = st.lists(TEXT.map(lambda it: it.strip()), max_size=3, unique_by=str.casefold)
    tracks = tuple(TrackData(key=f"track-{number}", name=name) for number, name in enumerate(draw(names)))
    named = [f"{name} {number}" for number, name in enumerate(draw(names))]
    rooms = tuple(RoomData(key=key_of(name), zone="", name=name) for name in named)
    people = tuple(PersonData(key=key, guid=key, name=draw(TEXT)) for key in draw(st.lists(GUID, max_size=4, unique=True)))
    papers = tuple(
        dataclasses.replace(draw(_papers(people)), key=key, guid=key) for key in draw(st.lists(GUID, max_size=2, unique=True))
    )
    keys = draw(st.lists(GUID, min_size=1, max_size=5, unique=True))
    parts = {"type": types, "day": days, "room": rooms, "track": tracks, "paper": papers}
    return ScheduleData(
        conference=ConferenceData(slug="demo", name="Demo", timezone=zone.key, start=first, end=days[-1].date),
        days=tuple(days),
        types=types,
        tracks=tracks,
        rooms=rooms,
        people=people,
        papers=papers,
        events=tuple(draw(_events(key, keys, parts, people, zone)) for key in keys),
    )


@st.composite
def _papers(draw: st.DrawFn, people: Sequence[PersonData]) -> PaperData:
    authors = tuple(draw(st.permutations([it.key for it in people])))
    return PaperData(key="", title=draw(TEXT), tldr=draw(PROSE), abstract=draw(PROSE), authors=authors, links=draw(_links()))


def _links() -> st.SearchStrategy[tuple[LinkData, ...]]:
    made = st.builds(LinkData, kind=st.sampled_from(LINKS), url=URL, title=st.one_of(st.just(""), TEXT))
    return st.lists(made, max_size=2).map(tuple)


@st.composite
def _events(
    draw: st.DrawFn, key: str, keys: Sequence[str], parts: dict[str, Sequence[Any]], people: Sequence[PersonData], zone: ZoneInfo
) -> EventData:
    day = draw(st.sampled_from(parts["day"]))
    minutes = draw(st.integers(0, 24 * 60 - 1))
    start = dt.datetime.combine(day.date, dt.time(4), zone).astimezone(dt.UTC) + dt.timedelta(minutes=minutes)
    end = start + dt.timedelta(minutes=draw(st.integers(1, 14 * 24 * 60)))
    timed = draw(st.booleans())
    roles = st.sampled_from(["speaker", "host", "moderator", "panellist"])
    on_stage = [
        AppearanceData(person=it.key, role=draw(roles), remote=draw(st.booleans())) for it in people if draw(st.booleans())
    ]
    refs = {name: draw(st.sampled_from(["", *(it.key for it in parts[name])])) for name in ("room", "track", "paper")}
    return EventData(
        key=key,
        guid=key,
        title=draw(TEXT),
        type=draw(st.sampled_from([it.key for it in parts["type"]])),
        status=draw(st.sampled_from(["confirmed", "tentative", "cancelled"])),
        day=day.key if timed else draw(st.sampled_from(["", day.key])),
        start=start if timed else None,
        end=end if timed else None,
        place=draw(st.one_of(st.just(""), TEXT)),
        session=draw(st.sampled_from(["", *(it for it in keys if it != key)])),
        board=draw(st.sampled_from(["", "#12", "A-1"])),
        subtitle=draw(st.one_of(st.just(""), TEXT, st.sampled_from(["Board games", "Board "]))),
        language=draw(st.sampled_from(["", "de", "pt-BR", "zh-Hans"])),
        abstract=draw(PROSE),
        description=draw(PROSE),
        official=draw(st.booleans()),
        at_venue=draw(st.sampled_from([None, True, False])),
        signup_url=draw(st.one_of(st.just(""), URL)),
        stream_url=draw(st.one_of(st.just(""), URL)),
        recording_url=draw(st.one_of(st.just(""), URL)),
        recording_offset=draw(st.sampled_from([None, 0, 95])),
        recording_license=draw(st.one_of(st.just(""), TEXT)),
        do_not_record=draw(st.sampled_from([None, True, False])),
        export_number=draw(st.sampled_from([None, 1, 7, 2**31 - 1])),
        export_slug=draw(st.sampled_from(["", "demo-12-a_talk", "ACL-mixer", "x", f"demo-talk-talk-{'0' * 32}"])),
        logo_url=draw(st.one_of(st.just(""), URL)),
        capacity=draw(st.sampled_from([None, 0, 80])),
        access_notes=draw(PROSE)[:2000],
        takes_questions=draw(st.booleans()),
        people=tuple(on_stage),
        links=draw(_links()),
        **refs,
    )
