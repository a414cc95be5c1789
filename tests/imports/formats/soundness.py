"""Properties of every ScheduleData, whatever its format."""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Iterator
from typing import Any

from events.programme.data.schedule import ScheduleData

PARTS = ("days", "types", "tracks", "topics", "rooms", "people", "papers", "events")
REFERENCES = {
    "type": "types", "day": "days", "room": "rooms", "track": "tracks", "topic": "topics", "session": "events", "paper": "papers",
}  # fmt: skip
LONGEST = {
    "title": 500,
    "name": 200,
    "affiliation": 300,
    "tldr": 1000,
    "abstract": 100_000,
    "bio": 100_000,
    "board": 20,
    "place": 200,
}
LINK_KINDS = {"paper", "code", "slides", "poster", "video", "website", "source"}


def assert_sound(schedule: ScheduleData) -> None:
    """Keys are one row's and short, references lead somewhere, times are possible, texts can be stored."""
    keys = {part: [row.key for row in getattr(schedule, part)] for part in PARTS}
    for part, found in keys.items():
        assert len(found) == len(set(found)), part
        assert all(0 < len(key) <= 200 for key in found), part
    for event in schedule.events:
        for name, part in REFERENCES.items():
            assert getattr(event, name) in {"", *keys[part]}, name
        assert event.type
        _assert_possible(event)
        _assert_people(keys, [it.person for it in event.people], [(it.person, it.role) for it in event.people])
    for paper in schedule.papers:
        assert paper.topic in {"", *keys["topics"]}
        _assert_people(keys, list(paper.authors), list(paper.authors))
    assert schedule.conference.start <= schedule.conference.end
    for name, text in _texts(schedule):
        assert len(text) <= LONGEST.get(name, 100_000), name
        assert all(unicodedata.category(it) not in {"Cc", "Cs"} or it in "\n\r\t" for it in text), (name, text[:80])


def _assert_possible(event: Any) -> None:
    if event.start is None:
        assert event.end is None
        return
    assert event.start.utcoffset() is not None
    assert event.start < event.end
    assert event.day


def _assert_people(keys: dict[str, list[str]], people: list[str], once: list[Any]) -> None:
    assert set(people) <= set(keys["people"])
    assert len(once) == len(set(once))


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, tuple):
        for it in value:
            yield from _texts(it, name)
    elif dataclasses.is_dataclass(value):
        if type(value).__name__ == "LinkData":
            assert value.kind in LINK_KINDS
            assert value.url.startswith(("http://", "https://"))
        for field in dataclasses.fields(value):
            yield from _texts(getattr(value, field.name), field.name)
