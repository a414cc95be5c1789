"""Any uploaded file is read, or refused with a message that has file and location: there is no other outcome.

The numbers are those of the project's list of bad inputs.
"""

from __future__ import annotations

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Hints
from tests.imports.formats.bad_files import HINTS, TALK, refusal, schedule_json, taken, talk, zipped
from tests.imports.formats.schedule_xml.xml_files import GUID, event, only, schedule

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
DOCTYPE = "declares a document type or entities, which no schedule needs: take the <!DOCTYPE …> out"
COPY = "copy its table into a spreadsheet, and save that as CSV UTF-8 or .xlsx"


def with_doctype(doctype: str, body: str = "&x;") -> bytes:
    return f'<?xml version="1.0"?>\n{doctype}\n<schedule><conference><title>{body}</title></conference></schedule>'.encode()


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param(with_doctype(f'<!DOCTYPE schedule [<!ENTITY l0 "lol">\n{LAUGHS}]>', "&l9;"), 2, id="B01 billion laughs"),
        pytest.param(with_doctype(f'<!DOCTYPE schedule [<!ENTITY x "{"y" * 50_000}">]>', "&x;" * 150), 2, id="B02 blow-up"),
        pytest.param(with_doctype('<!DOCTYPE schedule [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), 2, id="B03 a file"),
        pytest.param(with_doctype('<!DOCTYPE schedule [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>'), 2, id="B04 an address"),
        pytest.param(with_doctype('\n<!DOCTYPE schedule SYSTEM "http://127.0.0.1:9/x.dtd">', ""), 3, id="B05 external DTD"),
        pytest.param(with_doctype("<!DOCTYPE schedule>", ""), 2, id="a harmless one"),
    ],
)
def test_document_types_are_refused(content: bytes, line: int) -> None:
    assert refusal("talks.xml", content) == f"talks.xml, line {line}: {DOCTYPE}"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b"<schedule>\n" + b"<a>" * 200_000, "talks.xml, line 2: nests elements 60 deep", id="B07 deep"),
        pytest.param(
            schedule(event()).replace(b"Talk", b"T\xe4lk"),
            "talks.xml, line 5: is not well-formed XML at character 9 (not well-formed (invalid token)): export it again",
            id="B09 a byte of Latin-1",
        ),
        pytest.param(
            schedule(event())[:-30],
            "talks.xml, line 5: is not well-formed XML at character 83 (unclosed token): export it again",
            id="B10 truncated",
        ),
        pytest.param(b"", "talks.xml: is empty: export it again", id="B11 empty"),
        pytest.param(b"\n \n", "talks.xml: is empty: export it again", id="B11 blank"),
        pytest.param(
            b"<!DOCTYPE html>\n<html><head><title>Log in</title></head><body><form></form></body></html>",
            "talks.xml: is a web page and not a schedule, perhaps because the site asks to sign in: download the file again",
            id="B12 a login page",
        ),
        pytest.param(
            schedule(event(), zone="../../etc/passwd"),
            "talks.xml: “../../etc/passwd” is not a time zone: say which one the venue is in, such as Europe/Brussels",
            id="B26 a path for a zone",
        ),
        pytest.param(
            schedule(event()).replace(b"Talk", b"T\0lk"),
            "talks.xml, line 5: is not well-formed XML at character 9 (not well-formed (invalid token)): export it again",
            id="B37 NUL",
        ),
        pytest.param(
            schedule(event()).replace(b"Talk", b"T&#0;lk"),
            "talks.xml, line 5: is not well-formed XML at character 9 (reference to invalid character number): export it again",
            id="B37 NUL as a reference",
        ),
        pytest.param(b"PK\x03\x04 and no more", "talks.xml: is a zip that cannot be opened: make it again", id="half a zip"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + b"\0" * 99, "talks.xml: is in no format Hallway knows. It reads", id="a picture"),
        pytest.param(b"%PDF-1.7\n%" + b"\0" * 99, f"talks.xml: is a PDF: {COPY}", id="a PDF"),
        pytest.param(
            zipped({"[Content_Types].xml": b"<a/>", "word/document.xml": b"<a/>"}),
            f"talks.xml: is a Word document: {COPY}",
            id="Word",
        ),
        pytest.param(b'<?xml version="1.0" encoding="klingon"?>\n<schedule/>', "talks.xml, line 1: ", id="an unknown encoding"),
        pytest.param(b"<schedule/>", "talks.xml: has no event that can be imported", id="nothing inside"),
        pytest.param(b"<schedule><day/></schedule>", "talks.xml: has no event that can be imported", id="an empty day"),
    ],
)
def test_xml_is_refused(content: bytes, problem: str) -> None:
    hints = Hints(slug="demo") if b"passwd" in content else HINTS

    assert refusal("talks.xml", content, hints).startswith(problem)


def test_b06_inclusions_are_not_followed() -> None:
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>'

    found = only(taken("talks.xml", schedule(event(f"<abstract>{include}</abstract>"))))

    assert found.abstract == ""


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "iso-8859-1", "windows-1252"])
def test_b08_and_b36_other_encodings_are_read(encoding: str) -> None:
    said = encoding.removesuffix("-sig")

    content = schedule(event(title="Täglich")).decode().replace('encoding="utf-8"', f'encoding="{said}"').encode(encoding)

    assert only(taken("talks.xml", content)).title == "Täglich"


SKIPPED = "line 4, event “Talk”: "


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        pytest.param({"duration": "-1:30"}, "“-1:30” is not a duration: write it as 1:30", id="B19 negative"),
        pytest.param({"duration": "26:00:00"}, "it lasts 26 days; no event may last more than 14", id="B21 26 days"),
        pytest.param({"duration": "9999:9999"}, "it lasts 423 days; no event may last more than 14", id="a year and more"),
        pytest.param({"duration": "99999999999999999999:00"}, "is not a duration: write it as 1:30", id="endless"),
        pytest.param({"duration": "NaN"}, "“NaN” is not a duration: write it as 1:30", id="no number"),
        pytest.param({"duration": ""}, "“” is not a duration: write it as 1:30", id="no duration"),
        pytest.param({"date": "9999-12-31T23:59:00-14:00"}, "is not a date between 1900 and 2199", id="B25 year 9999"),
        pytest.param({"date": "0001-01-01T00:00:00+14:00"}, "is not a date between 1900 and 2199", id="B25 year 1"),
        pytest.param({"date": "1899-12-31T09:00:00Z"}, "is not a date between 1900 and 2199", id="before 1900"),
        pytest.param({"date": "2025-13-01T09:00:00Z"}, "is not a date between 1900 and 2199", id="month 13"),
        pytest.param({"date": "yesterday"}, "“yesterday” is not a date between 1900 and 2199", id="no date"),
        pytest.param({"start": "25:00"}, "“25:00” is not a time: write it as 09:30", id="hour 25"),
        pytest.param({"start": ""}, "“” is not a time: write it as 09:30", id="no time"),
        pytest.param({"start": "٠٩:٠٠"}, "“٠٩:٠٠” is not a time: write it as 09:30", id="other digits"),
    ],
)
def test_malformed_events_are_left_out_with_the_reason(texts: dict[str, str], reason: str) -> None:
    data = taken("talks.xml", schedule(event(**texts), event(guid=f"{GUID[:-1]}9", title="Good")))

    assert only(data).title == "Good"
    (said,) = data.skipped
    assert said.startswith(SKIPPED)
    assert reason in said


def test_event_without_a_title_is_left_out() -> None:
    data = taken("talks.xml", schedule(event(title=""), event(title="Good", guid="")))

    assert data.skipped == ("line 4, event “1”: it has no title",)


@pytest.mark.parametrize(
    ("first", "second", "keys"),
    [
        pytest.param({}, {"start": "10:00"}, [GUID, f"{GUID}#2"], id="B13 one guid twice"),
        pytest.param({}, {"guid": f"{GUID[:-1]}9"}, [GUID, f"{GUID[:-1]}9"], id="B14 one id, two guids"),
        pytest.param({"guid": ""}, {"guid": "", "start": "10:00"}, ["id:1", "id:1#2"], id="B15 no guid"),
    ],
)
def test_equal_identities_stay_separate(first: dict[str, str], second: dict[str, str], keys: list[str]) -> None:
    data = taken("talks.xml", schedule(event(**first), event(**second)))

    assert [it.key for it in data.events] == keys
    assert len({it.guid for it in data.events if it.guid}) == len([it for it in data.events if it.guid])


def test_b18_ninety_minutes_are_an_hour_and_a_half() -> None:
    found = only(taken("talks.xml", schedule(event(duration="00:90"))))

    assert found.start is not None
    assert found.end is not None
    assert (found.end - found.start).total_seconds() == 90 * 60


def test_b27_scripts_become_text_and_their_addresses_nothing() -> None:
    links = "<links><link href='javascript:alert(1)'>a</link><link href='data:text/html,x'>b</link></links>"

    data = taken("talks.xml", schedule(event(links, title="&lt;script&gt;alert(1)&lt;/script&gt;", url="javascript:alert(1)")))

    found = only(data)
    assert (found.title, found.links) == ("<script>alert(1)</script>", ())
    assert len(data.warnings) == 2


def test_b28_slugs_are_not_used() -> None:
    found = only(taken("talks.xml", schedule(event(slug="../../etc/passwd", guid=""))))

    assert found.key == "id:1"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        pytest.param(b'{"schedule": {"conference":\n NaN}}', "talks.json: NaN is not a number in JSON", id="B32 NaN"),
        pytest.param(b'{"schedule": {"conference": -Infinity}}', "talks.json: -Infinity is not a number", id="B32 Infinity"),
        pytest.param(
            b'{"schedule": {"conference":\n' + b"9" * 5000 + b"}}",
            "talks.json: a number has 5,000 digits: export it again",
            id="B31 5,000 digits",
        ),
        pytest.param(
            b'{"schedule": {"conference": {"title": "a", "title": "b"}}}',
            "talks.json: the key “title” is there twice in one object: delete one",
            id="B33 a key twice",
        ),
        pytest.param(
            b'{"schedule": {\n"conference": ' + b"[" * 200_000,
            "talks.json: nests lists too deep for any schedule: export it again",
            id="B30 deep",
        ),
        pytest.param(
            schedule_json(talk())[:-9],
            "talks.json, line 1: is not JSON at character ",
            id="B10 truncated",
        ),
        pytest.param(
            schedule_json(talk()).replace(b"Talk", b"T\xe4lk"),
            "talks.json, line 1: byte 0xE4 is not UTF-8: save the file as UTF-8",
            id="B09 a byte of Latin-1",
        ),
        pytest.param(
            schedule_json(talk()).replace(b"Talk", b"T\0lk"), "talks.json, line 1: is not JSON at character ", id="B37 NUL"
        ),
        pytest.param(b"", "talks.json: is empty: export it again", id="B11 empty"),
        pytest.param(b"null", "talks.json: is in no format Hallway knows. It reads ", id="null"),
        pytest.param(b"Title,Start,End\n", "talks.json: has only one row: a spreadsheet has a header", id="a lone header"),
        pytest.param("Title;Start\n\n".encode("utf-16"), "talks.json: has only one row: a spreadsheet ", id="the same in UTF-16"),
        pytest.param(schedule_json(talk(), days=[]), "talks.json: has no event that can be imported", id="no days"),
        pytest.param(
            schedule_json(talk(), time_zone_name="Mars/Olympus"), "talks.json: “Mars/Olympus” is not a time zone", id="B26 a zone"
        ),
    ],
)
def test_json_is_refused(content: bytes, problem: str) -> None:
    hints = Hints(slug="demo") if b"Mars" in content else HINTS

    assert refusal("talks.json", content, hints).startswith(problem)


def test_b34_half_an_emoji_and_b37_nul_are_left_out_with_a_warning() -> None:
    data = taken("talks.json", schedule_json(talk(title="A\ud83d B\0")))

    assert only(data).title == "A B"
    assert len(data.warnings) >= 1


def test_b36_byte_order_mark_is_ignored() -> None:
    assert only(taken("talks.json", b"\xef\xbb\xbf" + schedule_json(talk()))).title == "Talk"


WRONG = [None, True, 0, -1, 10**20, 1.5, "", "x" * 9, [], {}, [[]], [None], {"a": None}, ["a", {}], "javascript:alert(1)"]


@pytest.mark.parametrize("field", sorted(TALK))
def test_b35_wrong_types_do_not_crash(field: str) -> None:
    for value in WRONG:
        content = schedule_json(talk(**{field: value}), talk(guid=f"{GUID[:-1]}9", id=2, title="Good", room="Other"))

        data = taken("talks.json", content)

        assert "Good" in [it.title for it in data.events]


@pytest.mark.parametrize("field", ["title", "days", "start", "end", "rooms", "tracks", "time_zone_name", "colors", "url"])
def test_b35_wrong_types_of_the_conference_do_not_crash(field: str) -> None:
    for value in WRONG:
        try:
            data = taken("talks.json", schedule_json(talk(), **{field: value}))
        except ScheduleParseError as error:
            assert str(error).startswith("talks.json")  # noqa: PT017 - either outcome is right, nothing else is
        else:
            assert [it.title for it in data.events] == ["Talk"]


def test_b51_paths_that_point_outside_are_refused() -> None:
    content = zipped({"a/../../../etc/cron.d/x": b"x", "b": b"y"})

    assert refusal("talks.zip", content) == "talks.zip: holds “a/../../../etc/cron.d/x”, which points outside: make it again"


def test_zip_of_one_schedule_is_a_schedule() -> None:
    assert only(taken("talks.zip", zipped({"demo/schedule.xml": schedule(event())}))).title == "Talk"
