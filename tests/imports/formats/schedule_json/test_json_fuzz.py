"""A programme with any JSON value in any place gives a sound programme or a ScheduleParseError, never anything else."""

from __future__ import annotations

import contextlib
import copy
import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import (
    openreview,
    paperlists,
    pretalx,
    registry,
    sched,
    schedule_json,
    sessionize,
    virtual_site,
)
from events.imports.formats.document import Document, Hints
from events.imports.formats.indico import reader as indico
from events.imports.formats.sigchi import reader as sigchi
from tests.imports.formats.soundness import assert_sound
from tests.processor import at_most

DATA = Path(__file__).parents[3] / "data"
HINTS = Hints(slug="demo", timezone="Europe/Vienna", start=dt.date(2025, 4, 24), end=dt.date(2025, 4, 26))
PRETALX = {path.stem: json.loads(path.read_bytes()) for path in sorted((DATA / "pretalx").glob("*.json"))}
PROGRAMMES: dict[str, tuple[Any, Any]] = {
    "schedule.json 1": (schedule_json, json.loads((DATA / "schedule_json/frab.json").read_bytes())),
    "schedule.json 2": (schedule_json, json.loads((DATA / "schedule_json/v2.json").read_bytes())),
    "pretalx": (pretalx, PRETALX),
    "pretalx until 2024": (pretalx, json.loads((DATA / "pretalx_legacy/submissions.json").read_bytes())),
    "virtual site": (virtual_site, json.loads((DATA / "virtual_site/orals-posters.json").read_bytes())),
    "paperlists": (paperlists, json.loads((DATA / "paperlists/papers.json").read_bytes())),
    "sessionize": (sessionize, json.loads((DATA / "sessionize/all.json").read_bytes())),
    "sessionize grid": (sessionize, json.loads((DATA / "sessionize/grid_smart.json").read_bytes())),
    "indico": (indico, json.loads((DATA / "indico/sessions.json").read_bytes())),
    "indico contributions": (indico, json.loads((DATA / "indico/contributions.json").read_bytes())),
    "indico timetable": (indico, json.loads((DATA / "indico/timetable.json").read_bytes())),
    "sigchi": (sigchi, json.loads((DATA / "sigchi/program.json").read_bytes())),
    "sched": (sched, json.loads((DATA / "sched/export.json").read_bytes())),
    "openreview": (openreview, json.loads((DATA / "openreview/notes.json").read_bytes())),
}
MODULES = tuple(dict.fromkeys(module for module, _ in PROGRAMMES.values()))
SOME = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

TROUBLE = st.sampled_from(
    [
        *(
            None,
            True,
            False,
            0,
            -1,
            10**30,
            1.5,
            -0.0,
            1e308,
            "",
            " ",
            "0",
            "-1",
            "#",
            "\x00",
            "\ud800",
            "\u202e",
            "<b>",
            "&amp;#x27;",
        ),
        *(
            "2025-13-45",
            "9999-12-31T23:59:59-14:00",
            "0001-01-01T00:00:00+14:00",
            "2025-03-30T02:30:00",
            "24:00",
            "99:99",
            "PT",
            "P9999D",
        ),
        *("javascript:alert(1)", "http://[", "https://a b/", "//x", "../../etc/passwd", "a@b.example", "x" * 5000, "confirmed"),
        *(
            [],
            {},
            [[]],
            [None],
            [{}],
            {"": ""},
            {"en": None},
            {"en": {"en": "x"}},
            {"name": {}},
            {"id": []},
            {"results": [], "next": 1},
        ),
    ]
)
VALUES = TROUBLE | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a JSON value, from the outside in."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield from places(inner, (*path, name))


PLACES = {name: list(places(content)) for name, (_, content) in PROGRAMMES.items()}


def replaced(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(content)
    inside = changed
    for name in path[:-1]:
        if not isinstance(inside, (dict, list)) or (isinstance(inside, dict) and name not in inside):
            return changed
        if isinstance(inside, list) and not (isinstance(name, int) and name < len(inside)):
            return changed
        inside = inside[name]
    if isinstance(inside, dict) or (isinstance(inside, list) and isinstance(path[-1], int) and path[-1] < len(inside)):
        inside[path[-1]] = value
    return changed


def read(module: Any, content: bytes) -> None:
    document = Document("some.json", {"some.json": content})
    module.recognises(document)
    try:
        schedule = module.parse(document, HINTS)
    except ScheduleParseError as error:
        told = [str(error)]
    else:
        assert_sound(schedule)
        told = [*schedule.warnings, *schedule.skipped]
    # Shown on pages and in terminals.
    assert all(len(it.encode()) < 2000 for it in told)


@pytest.mark.parametrize("name", PROGRAMMES)
def test_the_small_files_are_sound(name: str) -> None:
    module, content = PROGRAMMES[name]

    assert_sound(module.parse(Document.from_upload("some.json", json.dumps(content).encode()), HINTS))


@pytest.mark.parametrize("name", PROGRAMMES)
@SOME
@given(data=st.data())
def test_any_value_in_any_place_is_read_or_refused(name: str, data: st.DataObject) -> None:
    module, content = PROGRAMMES[name]
    changes = data.draw(st.lists(st.tuples(st.sampled_from(PLACES[name]), VALUES), min_size=1, max_size=6))

    for path, value in changes:
        content = replaced(content, path, value)

    read(module, json.dumps(content).encode())


@pytest.mark.parametrize("name", PROGRAMMES)
@SOME
@given(data=st.data())
def test_truncated_or_garbled_file_is_refused_with_a_message(name: str, data: st.DataObject) -> None:
    module, value = PROGRAMMES[name]
    content = json.dumps(value).encode()
    start = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 200) | st.just(len(content)))

    read(module, content[:start] + data.draw(st.binary(max_size=20)) + content[start + length :])


@SOME
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"[" * 200_000)
@example(b'{"schedule":' * 100_000)
def test_recognising_never_fails(content: bytes) -> None:
    for module in MODULES:
        assert module.recognises(Document("x", {"x": content})) in {True, False}


HEADS = {
    "schedule.json": b'{"schedule": {"version": "1", "conference": {"title": "x", "days": [{"date": %s}]}}}',
    "pretalx": b'[{"code": "A", "title": "x", "submission_type": 1, "duration": %s}]',
    "virtual-site": b'{"results": [{"eventtype": "Oral", "virtualsite_url": "", "name": %s}]}',
    "paperlists": b'[{"title": "x", "authors": %s}]',
    "sessionize": b'{"sessions": [{"isServiceSession": false, "startsAt": %s}]}',
    "indico": b'{"results": [{"startDate": {"tz": %s}, "contributions": []}]}',
    "sigchi": b'{"timeSlots": [], "contentTypes": [], "contents": [], "people": [%s]}',
    "sched": b'[{"event_key": "1", "event_start": %s}]',
    "openreview": b'[{"id": "a", "content": {"venueid": {"value": %s}}}]',
}
BAD = {
    "200,000 lists": (b"[" * 200_000 + b"]" * 200_000, "deep|more values"),
    "NaN": (b"NaN", "NaN is not a number"),
    "infinity": (b"-Infinity", "Infinity is not a number"),
    "5,000 digits": (b"1" * 5000, "digits"),
    "a key twice": (b'{"a": 1, "a": 2}', "is there twice in one object"),
    "cut off": (b'"x', "is not JSON"),
    "Latin-1": (b'"\xe4"', "is not UTF-8"),
}


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("bad", BAD)
def test_malformed_json_is_refused_with_its_reason(name: str, bad: str) -> None:
    value, reason = BAD[bad]

    with pytest.raises(ScheduleParseError, match=reason):
        registry.parse_document(Document.from_upload("some.json", HEADS[name] % value), HINTS)


@pytest.mark.parametrize("name", PROGRAMMES)
def test_byte_order_mark_is_ignored(name: str) -> None:
    module, content = PROGRAMMES[name]
    plain = json.dumps(content).encode()

    with_mark, without = (module.parse(Document.from_upload("some.json", it), HINTS) for it in (b"\xef\xbb\xbf" + plain, plain))
    assert module.recognises(Document.from_upload("some.json", b"\xef\xbb\xbf" + plain))
    assert with_mark == without


MANY = 100_001
CROWDS: dict[str, Any] = {
    "schedule.json": {"schedule": {"conference": {"days": [{"date": "2025-06-13", "rooms": {"R": [{"title": "T"}] * MANY}}]}}},
    "pretalx": [{"code": f"A{number}", "title": "T", "submission_type": 1} for number in range(30_000)],
    "virtual-site": {"results": [{"name": "x", "eventtype": "Oral", "virtualsite_url": ""}] * MANY},
    "paperlists": [{"id": str(number), "title": "T", "author": "A"} for number in range(MANY)],
    "sessionize": {"sessions": [{"id": "1", "isServiceSession": True, "startsAt": None}] * MANY},
    "indico": {"results": [{"timezone": "UTC", "contributions": [{"id": "1", "startDate": {"tz": "UTC"}}] * MANY}]},
    "sigchi": {"timeSlots": [], "contentTypes": [], "contents": [{"id": 1}] * MANY, "people": []},
    "sched": [{"event_key": "1", "event_start": ""}] * MANY,
    "openreview": [
        {"id": str(number), "content": {"title": {"value": "T"}, "venueid": {"value": "V"}}} for number in range(30_000)
    ],
}


@pytest.mark.parametrize("name", CROWDS)
def test_more_than_any_programme_has_is_refused(name: str) -> None:
    document = Document.from_upload("some.json", json.dumps(CROWDS[name]).encode())

    with pytest.raises(ScheduleParseError, match=r"more (than|values)"):
        registry.parse_document(document, HINTS)


FLOODS: dict[str, bytes] = {
    "speakers": b'{"sessions": [{"id": "1", "isServiceSession": true, "startsAt": "", "speakers": ["a"'
    + b',"b"' * 500_000
    + b"]}]}",
    "names in a text": b'[{"event_key": "1", "event_start": "", "name": "T", "speakers": "' + b"A," * 900_000 + b'"}]',
    "chairs": b'{"timeSlots": [], "contentTypes": [], "contents": [], "people": [], "conference": {"timeZoneName": "UTC"}, '
    b'"sessions": [{"id": 1, "name": "T", "chairIds": [1' + b",2" * 900_000 + b"]}]}",
    "parts of a venue": b'[{"id": "a", "content": {"venueid": {"value": "' + b"/" * 1_500_000 + b'"}}}]',
    "columns": b"event_key,event_start" + b",a" * 1_000_000 + b"\n" + b"1,2" * 1_000_000,
    "lines of a table": b"event_key,event_start\n" + b"1,\n" * 2_000_000,
    "a cancelled title": b'[{"event_key": "1", "event_start": "", "name": "' + b"[cancelled" * 150_000 + b'"}]',
    "blank lines": b'{"title": "x", "authors": []}' + b"\n" * 5_000_000 + b"x",
    "braces": b'{"title": "x", "authors": []' + b"} \n" * 1_000_000,
    "semicolons": b'[{"id": "1", "title": "x", "author": "' + b";" * 5_000_000 + b'"}]',
    "words for links": b'[{"id": "1", "title": "x", "author": "A", "site": "' + b"slideslive " * 400_000 + b'"}]',
    "a title": b'{"results": [{"eventtype": "Oral", "virtualsite_url": "", "name": "' + b"&amp;" * 1_000_000 + b'"}]}',
    "a title of links": b'{"results": [{"eventtype": "Oral", "virtualsite_url": "", "name": "x", '
    b'"starttime": "2025-04-24T09:00:00Z", "eventmedia": [{"name": "'
    + b"slideslive " * 400_000
    + b'", "uri": "https://example.org/"}]}]}',
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_of_one_character_take_no_time(name: str) -> None:
    document = Document.from_upload("some.json", FLOODS[name])

    with at_most(5):
        for module in MODULES:
            module.recognises(document)
            with contextlib.suppress(ScheduleParseError):
                module.parse(document, HINTS)
