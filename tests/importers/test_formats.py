from __future__ import annotations

import pytest

from events.importers import formats
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.formats import FORMATS
from events.importers.hints import Hints
from tests.importers.xml_files import event, schedule

HINTS = Hints(slug="demo")


def test_formats_have_names_of_their_own_that_rows_can_remember() -> None:
    names = [it.name for it in FORMATS]

    assert len(set(names)) == len(names)
    assert all(0 < len(name) <= 60 and name == name.lower() and " " not in name for name in names)


@pytest.mark.parametrize("name", ["schedule.xml", "talks.txt", "download", ""])
def test_format_is_told_by_content_not_by_name(name: str) -> None:
    found, data = formats.parse(Document.of(name, schedule(event())), HINTS)

    assert (found.name, len(data.events)) == ("schedule.xml", 1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 9999,
        b"[" * 9999,
        b"<" * 9999,
        b"{",
        b"BEGIN:",
        b"\xff\xfe",
        b"PK",
        b"a,b\n1,2\n",
        bytes(range(256)),
        b"null",
        b"[]",
        b"{}",
    ],
)
def test_asking_what_it_is_never_fails(content: bytes) -> None:
    document = Document("x", {"x": content})

    assert all(it.recognises(document) in {True, False} for it in FORMATS)


def test_folder_of_anything_is_no_crash() -> None:
    document = Document("x", {"a": b"", "b/c.yml": b"\xff", "schedule.json": b"[", "papers.csv": b"\0"})

    assert all(it.recognises(document) in {True, False} for it in FORMATS)


def test_format_can_be_named() -> None:
    assert formats.parse(Document.of("x", schedule(event())), HINTS, name="schedule.xml")[0].name == "schedule.xml"


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ScheduleParseError, match=r"^“frab” is no format: known are .*\bschedule\.xml\b"):
        formats.named("frab")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b" \n", "x: is empty: export it again"),
        (b"<!DOCTYPE html><html></html>", "x: is a web page and no schedule, perhaps because one must sign in first"),
        (b"a,b\n1,2\n", "x: is in no format Hallway knows. It reads "),
    ],
)
def test_what_is_none_of_them_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        formats.parse(Document.of("x", content), HINTS)

    assert str(caught.value).startswith(problem)
