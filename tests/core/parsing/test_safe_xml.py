from __future__ import annotations

import pytest

from events.core.parsing import safe_xml
from events.core.parsing.errors import COMMAND_REMEDY, ScheduleParseError, limits_of_command
from events.core.parsing.safe_xml import MAX_XML_DEPTH, LineElement, load_xml, root_tag

SPLIT = f"split it, or {COMMAND_REMEDY}"


def refusal(content: bytes) -> str:
    with pytest.raises(ScheduleParseError) as caught:
        load_xml(content, file="a.xml", limits={"event": 2})
    return str(caught.value)


def test_elements_know_their_lines() -> None:
    root = load_xml(b"<a>\n<b/>\n\n<b\nc='d'/></a>", file="a.xml")

    assert isinstance(root, LineElement)
    assert [(it.tag, it.line) for it in root.iter() if isinstance(it, LineElement)] == [("a", 1), ("b", 2), ("b", 4)]


def test_as_deep_as_allowed_is_read() -> None:
    assert load_xml(b"<a>" * MAX_XML_DEPTH + b"</a>" * MAX_XML_DEPTH, file="a.xml").tag == "a"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(
            b"<a>\n" * (MAX_XML_DEPTH + 1),
            "a.xml, line 61: nests elements 60 deep and more: export it again",
            id="deep",
        ),
        pytest.param(
            b"<a>\n<event/><event/>\n<event/></a>",
            f"a.xml, line 3: holds more than 2 elements <event>: {SPLIT}",
            id="many events",
        ),
        pytest.param(
            b"<a>" + b"<b/>" * 10 + b"</a>",
            f"a.xml, line 1: holds more than 10 elements: {SPLIT}",
            id="many elements",
        ),
        pytest.param(
            b"<a " + b" ".join(b'b%d=""' % it for it in range(11)) + b"/>",
            f"a.xml: holds more than 10 attributes: {SPLIT}",
            id="many attributes",
        ),
        pytest.param(
            b"<a>" + b"x" * 999 + b"</a>",
            f"a.xml: is larger than 0 MB: upload the programme without its media, or {COMMAND_REMEDY}",
            id="large",
        ),
        pytest.param(
            b"<a><b></a>", "a.xml, line 1: is not well-formed XML at character 9 (mismatched tag): export it again", id="bad"
        ),
        pytest.param(
            b"just words", "a.xml, line 1: is not well-formed XML at character 1 (syntax error): export it again", id="words"
        ),
        pytest.param(
            b'<?xml version="1.0" encoding="big5"?><a>\xa4</a>',
            "a.xml, line 1: cannot be read in the encoding it names: save it as UTF-8",
            id="an encoding of several bytes",
        ),
    ],
)
def test_large_or_malformed_xml_is_refused(monkeypatch: pytest.MonkeyPatch, content: bytes, problem: str) -> None:
    if "elements:" in problem or "attributes" in problem:
        monkeypatch.setattr(safe_xml, "MAX_XML_NODES", 10)
    if "larger" in problem:
        monkeypatch.setattr("events.core.parsing.errors.MAX_TEXT_BYTES", 999)

    assert refusal(content) == problem


def test_command_takes_eight_times_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_xml, "MAX_XML_NODES", 10)
    with limits_of_command():
        assert len(load_xml(b"<a>" + b"<b/>" * 79 + b"</a>", file="a.xml")) == 79
        assert refusal(b"<a>" + b"<b/>" * 80 + b"</a>") == "a.xml, line 1: holds more than 80 elements: split it"
    assert refusal(b"<a>" + b"<b/>" * 80 + b"</a>") != ""


@pytest.mark.parametrize(
    ("content", "tag"),
    [
        (b"<schedule/>", "schedule"),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <html> -->\n<schedule x='y'>", "schedule"),
        ("<schedule/>".encode("utf-16"), "schedule"),
        ("<schedule/>".encode("utf-16-le"), "schedule"),
        ("<schedule/>".encode("utf-16-be"), "schedule"),
        (b"<x:schedule xmlns:x='y'/>", "schedule"),
        (b"<!DOCTYPE html><body>", "html"),
        (b"<!doctype HTML>", "HTML"),
        (b"<!DOCTYPE schedule [" + b"<!ENTITY a 'b'>" * 9999, "schedule"),
        (b"BEGIN:VCALENDAR", ""),
        (b"", ""),
        (bytes(range(256)) * 99, ""),
    ],
)
def test_root_tag_is_read_from_the_top(content: bytes, tag: str) -> None:
    assert root_tag(content) == tag
