"""Malformed files of another Hallway: what is refused, and what is skipped."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from tests.exports.programmes import guid, whole
from tests.exports.reading import as_json, as_xml, from_json, from_xml

Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> bytes:
    """Our schedule.json with a change in its own part."""
    found = json.loads(as_json(whole()))
    change(found["generator"]["hallway"])
    return json.dumps(found).encode()


@pytest.mark.parametrize(("content", "name"), [(as_json(whole()), "hallway-json"), (as_xml(whole()), "hallway-xml")])
def test_own_file_is_known_by_its_content(content: bytes, name: str) -> None:
    assert registry.detect_format(Document.from_upload("download", content)).name == name


def test_own_file_is_also_what_everybody_else_reads() -> None:
    for name, content in {"schedule.json": as_json(whole()), "schedule.xml": as_xml(whole())}.items():
        _, data = registry.parse_document(Document.from_upload(name, content), Hints(slug="demo"), name=name)

        assert sorted(it.guid for it in data.events) == [guid(4), guid(5), guid(6), guid(7)]


def test_existing_conference_keeps_its_slug_and_name() -> None:
    data = from_json(as_json(whole()), "mine", name="Mine")

    assert (data.conference.slug, data.conference.name, data.conference.title) == ("mine", "Mine", "The Demo Conference")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        pytest.param(lambda it: it.update(version=2), "is not of version 1 of Hallway’s own format", id="newer"),
        pytest.param(lambda it: it.update(types="all"), "its types are not a list", id="no list"),
        pytest.param(lambda it: it["types"].append(3), "hallway, types, number 5: is “3”, not an object", id="no object"),
        pytest.param(lambda it: it["types"][0].update(kind=3), "hallway, types, number 1: has “3” as kind", id="wrong type"),
        pytest.param(lambda it: it["types"][0].pop("kind"), "hallway, types, number 1: has no “kind”", id="missing"),
        pytest.param(
            lambda it: it["types"][0].update(colour_="x"), "types, number 1: has the unknown field “colour_”", id="strange"
        ),
        pytest.param(
            lambda it: it["types"].append(it["types"][0]), "types: the key “posters” is there twice: delete one", id="twice"
        ),
        pytest.param(
            lambda it: it["rooms"][0].update(capacity=True),
            "hallway, rooms, number 1: has “True” as capacity",
            id="yes is no number",
        ),
        pytest.param(
            lambda it: it["events"][2].update(signup_checked_at="2025-04-24T08:00:00"),
            "hallway, events, number 3: has “2025-04-24T08:00:00” as signup_checked_at, which is neither",
            id="time without a zone",
        ),
        pytest.param(lambda it: it["conference"].update(timezone="Mars/Olympus"), "“Mars/Olympus” is not a time zone", id="zone"),
        pytest.param(
            lambda it: it["events"][2].update(people=[{"person": 1}]),
            "hallway, events, number 3: has “1” as person",
            id="inside a list",
        ),
    ],
)
def test_malformed_own_part_is_refused_with_its_location(change: Change, problem: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        from_json(changed(change))

    assert problem in str(caught.value)


def test_files_of_the_first_releases_have_our_part_in_the_schedule() -> None:
    found = json.loads(as_json(whole()))
    found["schedule"]["hallway"] = found["generator"].pop("hallway")
    for event in (it for day in found["schedule"]["conference"]["days"] for room in day["rooms"].values() for it in room):
        event["end"] = event["date"].replace("T09:", "T10:")

    assert from_json(json.dumps(found).encode()) == whole()


def test_event_missing_in_our_part_is_reported() -> None:
    data = from_json(changed(lambda it: it["events"].pop(2)))

    assert data.skipped == ("event “Mixer”: it is not in “hallway”; add it there, or remove “hallway”",)


def test_control_characters_are_left_out() -> None:
    data = from_json(changed(lambda it: it["tracks"][0].update(name="The\x00ory\x1b")))

    assert data.tracks[0].name == "Theory"


@pytest.mark.parametrize(
    ("old", "new", "skipped"),
    [
        pytest.param(
            f'guid="{guid(6)}" id',
            'guid="6" id',
            "its date, its duration or its guid is missing or malformed: export it again",
            id="guid",
        ),
        pytest.param(
            "<duration>01:00<",
            "<duration>soon<",
            "its date, its duration or its guid is missing or malformed: export it again",
            id="duration",
        ),
        pytest.param(
            f'guid="{guid(6)}" id', f'guid="{guid(4)}" id', f"the guid {guid(4)} is there twice: delete one", id="twice"
        ),
        pytest.param("<title>Mixer<", "<title><", "it has no title", id="title"),
    ],
)
def test_malformed_xml_event_is_skipped_and_reported(old: str, new: str, skipped: str) -> None:
    content = as_xml(whole()).decode()
    assert old in content

    data = from_xml(content.replace(old, new, 1).encode())

    assert data.skipped
    assert {it.partition(": ")[2] for it in data.skipped} == {skipped}


def test_xml_without_a_conference_is_refused() -> None:
    content = b"<schedule><generator name='Hallway'/></schedule>"

    with pytest.raises(ScheduleParseError, match="has no “conference”"):
        from_xml(content)


def test_address_that_no_browser_may_open_is_left_out() -> None:
    content = as_xml(whole()).replace(b"https://code.example/", b"javascript:alert(1)")

    data = from_xml(content)

    assert [link for event in data.events for link in event.links] == []
    assert data.warnings
