from __future__ import annotations

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.imports.formats.registry import IMPORT_FORMATS
from tests.imports.formats.schedule_xml.xml_files import event, schedule

HINTS = Hints(slug="demo")


def test_formats_have_names_of_their_own_that_rows_can_remember() -> None:
    names = [it.name for it in IMPORT_FORMATS]

    assert len(set(names)) == len(names)
    assert all(0 < len(name) <= 60 and name == name.lower() and " " not in name for name in names)


@pytest.mark.parametrize("name", ["schedule.xml", "talks.txt", "download", ""])
def test_format_is_recognised_by_content_not_by_name(name: str) -> None:
    found, data = registry.parse_document(Document.from_upload(name, schedule(event())), HINTS)

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
def test_recognising_a_document_never_fails(content: bytes) -> None:
    document = Document("x", {"x": content})

    assert all(it.recognises(document) in {True, False} for it in IMPORT_FORMATS)


def test_folder_of_anything_does_not_crash() -> None:
    document = Document("x", {"a": b"", "b/c.yml": b"\xff", "schedule.json": b"[", "papers.csv": b"\0"})

    assert all(it.recognises(document) in {True, False} for it in IMPORT_FORMATS)


def test_format_can_be_named() -> None:
    assert (
        registry.parse_document(Document.from_upload("x", schedule(event())), HINTS, name="schedule.xml")[0].name
        == "schedule.xml"
    )


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ScheduleParseError, match=r"^“frab” is not a format: known are .*\bschedule\.xml\b"):
        registry.get_format("frab")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b" \n", "x: is empty: export it again"),
        (b"<!DOCTYPE html><html></html>", "x: is a web page and not a schedule, perhaps because the site asks to sign in"),
        (b"\x89PNG\r\n", "x: is in no format Hallway knows. It reads "),
        (
            b"a,b\n1,2\n",
            "x: has no column with dates or hours. A list of papers, people or rooms goes into the import of that list",
        ),
        ('{"schedule": {"conference": {}}}'.encode("utf-16"), "x: is written in UTF-16 or UTF-32: save it as UTF-8"),
        (b"<!DOCTYPE any>\n<schedule/>", "x, line 1: declares a document type or entities"),
        (b'<!DOCTYPE any [<!ENTITY x "' + b"y" * 50_000 + b'">]><s/>', "x: declares a document type or entities"),
    ],
)
def test_unknown_format_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(ScheduleParseError) as caught:
        registry.parse_document(Document.from_upload("x", content), HINTS)

    assert str(caught.value).startswith(problem)
