from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import builder
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Hints
from events.imports.formats.kinds import KIND_NAMES
from events.models import Kind
from events.programme.data.schedule import AppearanceData, AwardData, EventData, LinkData, PaperData

SINGAPORE = ZoneInfo("Asia/Singapore")
GUID = "0a3b7b86-6d26-5b5e-8a53-b5a4dd0b2a01"


def building(zone: str = "Asia/Singapore", *, name: str = "") -> ScheduleBuilder:
    return ScheduleBuilder(Hints(slug="demo", name=name), ZoneInfo(zone), file="demo.xml")


def at(text: str, zone: str = "Asia/Singapore") -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def talk(build: ScheduleBuilder, key: str = "a", **fields: Any) -> EventData:
    values = {"title": "Talk", "type": build.type("talk"), "start": at("2025-04-24T09:00"), "end": at("2025-04-24T10:00")}
    return EventData(key=key, **values | fields)


def added(build: ScheduleBuilder, key: str = "a", **fields: Any) -> str:
    return build.event(talk(build, key, **fields), location="event “Talk”")


def test_every_kind_has_a_name() -> None:
    assert KIND_NAMES.keys() == set(Kind.values)


def test_labels_are_added_once_in_order() -> None:
    build = building()

    keys = [build.track(name) for name in ("Security", "Theory", "Security", " Theory ", "")]
    added(build)

    assert keys == ["security", "theory", "security", "theory", ""]
    assert [(it.key, it.name, it.position) for it in build.build().tracks] == [
        ("security", "Security", 0),
        ("theory", "Theory", 1),
    ]


@pytest.mark.parametrize("part", ["track", "room", "topic"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("C", "C++"),
        ("Room 1", "Room #1"),
        ("Größe", "Grosse!"),
        ("a" * 80, "a" * 79 + "b"),
        ("✨", "✨ "),
        ("AI & Law", "AI / Law"),
    ],
)
def test_labels_that_want_one_key_get_two(part: str, first: str, second: str) -> None:
    build = building()
    make = getattr(build, part)

    keys = [make(first), make(second), make(first)]

    assert keys[0] == keys[2]
    assert (keys[0] == keys[1]) == (first.strip() == second.strip())
    assert all(0 < len(key) <= 60 or part == "room" for key in keys)


def test_topics_differ_by_area_and_subarea() -> None:
    build = building()

    assert build.topic("Deep learning", "Theory") != build.topic("Deep", "learning Theory")
    assert build.topic("", "Theory") == ""


@pytest.mark.parametrize(
    ("name", "told"),
    [("", ("Talk", "Talks")), ("talk", ("Talk", "Talks")), ("Talks", ("Talk", "Talks")), ("Devroom talk", ("Devroom talk", ""))],
)
def test_type_has_the_sources_name_or_the_kinds(name: str, told: tuple[str, str]) -> None:
    build = building()

    added(build, type=build.type("talk", name))

    assert next((it.name, it.plural, it.kind) for it in build.build().types) == (*told, "talk")


def test_room_keeps_the_key_of_its_source_and_its_first_words() -> None:
    build = building()

    keys = [build.room("Hall A", key="r1", capacity=80), build.room("Hall A", key="r2"), build.room("Hall B")]
    added(build)

    assert keys == ["r1", "r1", "hall-b"]
    assert [(it.name, it.capacity, it.zone) for it in build.build().rooms] == [("Hall A", 80, ""), ("Hall B", None, "")]


def test_person_is_known_by_key_else_by_name() -> None:
    build = building()

    keys = [build.person("Ada Example", key="7"), build.person("Ada Example"), build.person("ada  example"), build.person(" ")]

    assert keys == ["7", "ada-example", "ada-example", ""]


@pytest.mark.parametrize(
    ("start", "day"),
    [("2025-04-24T23:59", "2025-04-24"), ("2025-04-25T03:59", "2025-04-24"), ("2025-04-25T04:00", "2025-04-25")],
)
def test_event_without_a_day_belongs_to_the_evening(start: str, day: str) -> None:
    build = building()

    added(build, start=at(start), end=at(start) + dt.timedelta(hours=1))

    assert build.build().events[0].day == day


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"title": " "}, "it has no title", id="no title"),
        pytest.param(
            {"end": at("2025-04-24T08:00")}, "it ends before it starts (2025-04-24 09:00 to 2025-04-24 08:00)", id="B45 backwards"
        ),
        pytest.param({"end": at("2025-06-01T08:00")}, "it lasts 37 days; no event may last more than 14", id="too long"),
        pytest.param(
            {"start": at("1899-12-31T09:00"), "end": at("1899-12-31T10:00")},
            "its year is 1899; years from 1900 to 2199 are accepted",
            id="before 1900",
        ),
        pytest.param(
            {"start": dt.datetime.max.replace(tzinfo=dt.timezone(-dt.timedelta(hours=14))), "end": None},
            "its year is 9999; years from 1900 to 2199 are accepted",
            id="B25 the end of time",
        ),
    ],
)
def test_malformed_event_is_skipped_with_its_reason(fields: dict[str, Any], reason: str) -> None:
    build = building()
    added(build, "good")

    assert added(build, **fields) == ""

    assert build.build().skipped == (f"event “Talk”: {reason}",)
    assert [it.key for it in build.build().events] == ["good"]


@pytest.mark.parametrize(
    ("end", "minutes", "warning"),
    [
        (at("2025-04-24T09:00"), 5, "event “Talk”: has no length; 5 minutes are assumed"),
        (None, 60, "event “Talk”: has neither an end nor a length; 60 minutes are assumed"),
    ],
    ids=["B20 no length", "no end"],
)
def test_event_of_unknown_length_gets_one(end: dt.datetime | None, minutes: int, warning: str) -> None:
    build = building()

    added(build, end=end)

    found = build.build().events[0]
    assert found.start is not None
    assert found.end == found.start + dt.timedelta(minutes=minutes)
    assert build.build().warnings == (warning,)


def test_event_to_be_announced_has_no_end() -> None:
    build = building()

    added(build, start=None, end=at("2025-04-24T10:00"), day=build.day(dt.date(2025, 4, 24)))

    assert (build.build().events[0].start, build.build().events[0].end) == (None, None)


def test_length_is_that_of_the_night_the_clocks_change() -> None:
    build = building("Europe/Vienna")

    added(build, start=at("2025-10-26T02:30", "Europe/Vienna"), end=at("2025-10-26T02:15", "Europe/Vienna").replace(fold=1))

    found = build.build().events[0]
    assert found.start == dt.datetime(2025, 10, 26, 0, 30, tzinfo=dt.UTC)
    assert found.end == dt.datetime(2025, 10, 26, 1, 15, tzinfo=dt.UTC)


def test_key_that_comes_again_is_numbered() -> None:
    build = building()

    assert [added(build), added(build), added(build, "a#2"), added(build)] == ["a", "a#2", "a#2#2", "a#3"]


def test_key_fits_the_database_and_stays_unique() -> None:
    build = building()

    keys = {added(build, "k" * 300), added(build, "k" * 301), added(build, "nul\0")}

    assert len(keys) == 3
    assert all(len(key) <= 200 and key.isprintable() for key in keys)


@pytest.mark.parametrize(("guid", "kept"), [(GUID, GUID), (GUID.upper(), GUID), ("7", ""), ("", "")])
def test_guid_is_kept_if_it_is_one(guid: str, kept: str) -> None:
    build = building()

    added(build, guid=guid)
    added(build, "b", guid=guid)

    assert [it.guid for it in build.build().events] == [kept, ""]


def test_texts_and_addresses_are_cleaned() -> None:
    build = building()

    added(build, title="A\n \tB", abstract="one\r\ntwo\x07", signup_url="javascript:x", stream_url="https://example.org/x")

    found = build.build().events[0]
    assert (found.title, found.abstract, found.signup_url, found.stream_url) == ("A B", "one\ntwo", "", "https://example.org/x")
    assert build.build().warnings == (
        "“one\\u000d\\u000atwo\\u0007”: the character U+0007 is left out",
        "event “Talk”: “javascript:x” is not an http(s) address; it is left out",
    )


def test_people_and_links_are_added_to_an_event() -> None:
    build = building()
    key = added(build)

    build.add_details(
        key, people=(AppearanceData(person="ada"),), links=build.link("https://example.org", title="Site", location="x")
    )

    assert build.build().events[0].people == (AppearanceData(person="ada"),)
    assert build.build().events[0].links == (LinkData(kind="website", url="https://example.org", title="Site"),)


def test_papers_and_awards_are_added_once() -> None:
    build = building()
    build.paper(PaperData(key="p", title="First"))
    build.paper(PaperData(key="p", title="Second"))
    build.award(AwardData(key="w", name="Best paper", year=2025, paper="p"))
    build.day(dt.date(2025, 4, 24))

    data = build.build()

    assert [it.title for it in data.papers] == ["First"]
    assert [it.name for it in data.awards] == ["Best paper"]


@pytest.mark.parametrize(
    ("start", "end", "dates"),
    [
        (None, None, ("2025-04-24", "2025-04-26")),
        (dt.date(2025, 4, 23), None, ("2025-04-23", "2025-04-26")),
        (dt.date(2025, 4, 23), dt.date(2025, 4, 25), ("2025-04-23", "2025-04-25")),
        (dt.date(2025, 4, 25), dt.date(2025, 4, 24), ("2025-04-25", "2025-04-25")),
    ],
    ids=["neither", "start", "both", "backwards"],
)
def test_dates_of_the_conference_are_its_own_or_its_days(
    start: dt.date | None, end: dt.date | None, dates: tuple[str, str]
) -> None:
    build = building()
    added(build)
    build.day(dt.date(2025, 4, 26))

    told = build.build(start=start, end=end).conference

    assert (told.start.isoformat(), told.end.isoformat()) == dates


@pytest.mark.parametrize(("known", "said", "name"), [("ICLR", "x", "ICLR"), ("", "x", "x"), ("", "", "demo")])
def test_name_of_the_conference_is_the_best_known(known: str, said: str, name: str) -> None:
    build = building(name=known)
    added(build)

    assert build.build(name=said).conference.name == name


def test_programme_of_nothing_is_refused_with_the_first_reason() -> None:
    build = building()
    added(build, title="")

    with pytest.raises(
        ScheduleParseError, match=r"^demo\.xml: has no event that can be imported \(event “Talk”: it has no title\)$"
    ):
        build.build()


def test_programme_without_a_day_is_refused() -> None:
    build = building()
    build.paper(PaperData(key="p", title="Paper"))

    with pytest.raises(ScheduleParseError, match=r"^demo\.xml: names no day at all: give its events dates$"):
        build.build()


def test_too_many_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "MAX_IMPORT_EVENTS", 2)
    build = building()
    added(build)
    added(build)

    with pytest.raises(ScheduleParseError, match=r"^demo\.xml: has more than 2 events: split it, or import it"):
        added(build)


def test_warnings_are_shown_once_and_limited() -> None:
    build = building()
    added(build)
    for number in range(700):
        build.warn(f"warning {number // 2 * 2}")
        build.warn(f"other {number}")

    told = build.build().warnings

    assert len(told) == len(set(told)) == 501
    assert told[-1] == "… and 550 more warnings"
