from __future__ import annotations

from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.reader import parse_folder
from tests.imports.formats.seeds.seed_folders import refusal, write_folder

CONTROL = "delete it and type the text again"
NOT_ADDRESS = "is not a web address: write it whole, like https://example.org/page"
NOT_DATE = "is not a date: write it like 2025-04-24"
NOT_NUMBER = "is not a whole number from 0 to 1000000"


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        pytest.param("room", "hall-9", "“hall-9” is not the key of a room: did you mean “hall-1”?", id="an unknown room"),
        pytest.param("room", "x", "“x” is not the key of a room: known are bar, hall-1", id="a room like no other"),
        pytest.param("paper", "p", "“p” is not the key of a paper: known are none", id="an unknown paper"),
        pytest.param("service", "dusk", "“dusk” is not the key of a service: did you mean “desk”?", id="an unknown service"),
        pytest.param("session", "b", "“b” is not the key of a session: known are a", id="an unknown session"),
        pytest.param(
            "session", "a", "“a” is an event of the type “talk”, whose kind is not session", id="a session that holds nothing"
        ),
        pytest.param(
            "people",
            "zico-kolter",
            "“zico-kolter” is neither a key in people.csv nor written like a name: known are none",
            id="an unknown person",
        ),
        pytest.param(
            "people",
            "Al A (speker)",
            "“speker” after “Al A” is none of speaker, host, moderator, panellist, remote",
            id="an unknown role",
        ),
        pytest.param(
            "people",
            '"Al (host, speaker)"',
            "“Al (host, speaker)” has two roles: name the person twice, once with each",
            id="two roles",
        ),
        pytest.param("people", "Al A; Bo B; AL A", "“Al A” is named twice: delete one", id="a person twice"),
        pytest.param("people", "!!!", "“!!!” is not a name: write at most 150 characters with letters in them", id="no letters"),
        pytest.param("official", "maybe", "“maybe” is neither yes nor no: leave it empty where it is not known", id="maybe"),
        pytest.param("position", "-1", f"“-1” {NOT_NUMBER}", id="a negative number"),
        pytest.param("position", "１２", f"“１２” {NOT_NUMBER}", id="digits of another script"),
        pytest.param("position", "9999999999", f"“9999999999” {NOT_NUMBER}", id="a number too large for a database"),
        pytest.param("status", "late", "“late” is none of draft, tentative, confirmed, cancelled", id="an unknown status"),
        pytest.param("stream_url", "javascript:alert(1)", f"“javascript:alert(1)” {NOT_ADDRESS}", id="a script for an address"),
        pytest.param("stream_url", "http://[::1", f"“http://[::1” {NOT_ADDRESS}", id="half an address"),
        pytest.param("stream_url", "https://a.org/b c", f"“https://a.org/b c” {NOT_ADDRESS}", id="an address with a space"),
        pytest.param("links", "paper example.org", f"“example.org” {NOT_ADDRESS}", id="an address without https"),
        pytest.param(
            "links",
            "https://a.org",
            "“https://a.org” does not begin with one of website, paper, code, slides, poster, video, source: write “paper https://…”",
            id="a link without its kind",
        ),
        pytest.param(
            "guid", "1234", "“1234” is not a UUID: leave it empty and one is made from the key", id="a guid that is none"
        ),
        pytest.param("recording_offset", "23", "“23” is not minutes and seconds: write it like 23:00", id="minutes only"),
        pytest.param("board", "#" * 21, f"“{'#' * 21}” has 21 characters: keep it to 20", id="a board too long for the database"),
        pytest.param("place", "a\x1bb", f"“a\\u001bb” holds the control character U+001B: {CONTROL}", id="a control character"),
        pytest.param("place", '"a\nb"', "“a\\u000ab” has a line break: write it on one line", id="a line break"),
    ],
)
def test_broken_cell_is_refused_with_a_message(tmp_path: Path, column: str, value: str, problem: str) -> None:
    text = f"key,title,type,day,start,end,{column}\na,A,talk,2025-03-29,10:00,11:00,{value}\n"
    folder = write_folder(tmp_path, {"events.csv": text})

    assert refusal(folder) == f"events.csv, line 2, column “{column}”: {problem}"


@pytest.mark.parametrize(
    ("day", "start", "end", "problem"),
    [
        pytest.param("29/03/2025", "", "", f"column “day”: “29/03/2025” {NOT_DATE}", id="a date in another order"),
        pytest.param("2025-02-29", "", "", f"column “day”: “2025-02-29” {NOT_DATE}", id="a date that does not exist"),
        pytest.param(
            "2025-03-31",
            "",
            "",
            "column “day”: “2025-03-31” is not one of the [[days]] in conference.toml: add it there",
            id="a day outside the programme",
        ),
        pytest.param(
            "2025-03-29",
            "24:00",
            "",
            "column “start”: “24:00” is not a time: write it like 09:30, from 00:00 to 23:59",
            id="a time that does not exist",
        ),
        pytest.param(
            "2025-03-29",
            "02:30",
            "",
            "column “start”: “02:30” does not exist on 2025-03-30 in Europe/Vienna: the clocks go forward over it",
            id="a time the clocks skip",
        ),
        pytest.param(
            "",
            "10:00",
            "",
            "column “day”: is empty though there is a start: fill it in, or empty the start",
            id="a start without a day",
        ),
        pytest.param(
            "2025-03-29",
            "",
            "10:00",
            "column “start”: is empty though there is an end: fill it in, or empty both",
            id="an end without a start",
        ),
    ],
)
def test_broken_time_is_refused_with_a_message(tmp_path: Path, day: str, start: str, end: str, problem: str) -> None:
    text = f"key,title,type,day,start,end\na,A,talk,{day},{start},{end}\n"
    folder = write_folder(tmp_path, {"events.csv": text})

    assert refusal(folder) == f"events.csv, line 2, {problem}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("key,title,typ\n", "line 1: “typ” is not a column here: did you mean “type”?", id="a column nobody knows"),
        pytest.param("key,title\na,A\n", "line 1: the column “type” is missing", id="a missing column"),
        pytest.param("key,title,type,key\n", "line 1: the column “key” is there twice: delete one", id="a doubled column"),
        pytest.param("key,,title,type\n", "line 1: column 2 has no name: name it, or delete it", id="a nameless column"),
        pytest.param(
            "key,title,type\na,A,talk,and more\n",
            "line 2: “and more” is beyond the last column: put a cell that holds a comma in quotation marks",
            id="a cell too many",
        ),
        pytest.param(
            'key,title,type\n"a"b,A,talk\n',
            "line 2: cannot be read as CSV (',' expected after '\"'): "
            "put a cell that holds a quotation mark in quotation marks, and double the mark",
            id="a quotation mark inside a cell",
        ),
        pytest.param(
            "key,title,type\na,Bad\x00title,talk\n",
            f"line 2, column “title”: “Bad\\u0000title” holds the control character U+0000: {CONTROL}",
            id="NUL",
        ),
        pytest.param(
            'key,title,type\n\na,"Two\nlines",talk\n',
            "line 3, column “title”: “Two\\u000alines” has a line break: write it on one line",
            id="a line break in a title",
        ),
        pytest.param("key,title,type\na,,talk\n", "line 2, column “title”: is empty: fill it in", id="an empty title"),
        pytest.param(
            f"key,title,type\na,{'x' * 301},talk\n",
            f"line 2, column “title”: “{'x' * 80}…” has 301 characters: keep it to 300",
            id="a title too long",
        ),
        pytest.param(
            "key,title,type\nMy Talk,A,talk\n",
            "line 2, column “key”: “My Talk” is not a key: "
            "use the letters a to z, digits, and hyphens between, like poster-session-1",
            id="a key that is none",
        ),
        pytest.param(
            "key,title,type\na,A,talk\n\nb,B,talk\na,C,talk\n",
            "line 5, column “key”: “a” is taken already (line 2): choose another",
            id="a key twice",
        ),
        pytest.param(
            "key,title,type\na,A,tlak\n",
            "line 2, column “type”: “tlak” is not the key of a type: did you mean “talk”?",
            id="an unknown type",
        ),
        pytest.param(
            "key,title,type,session\na,A,session,b\nb,B,session,a\n",
            "line 2, column “session”: “b” leads back to this event: an event cannot be part of itself",
            id="two sessions inside each other",
        ),
    ],
)
def test_broken_list_is_refused_with_a_message(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(write_folder(tmp_path, {"events.csv": text})) == f"events.csv, {message}"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param(
            {"people.csv": b"key,name\na,A\nb,Zo\xeb\n"},
            "people.csv, line 3: byte 0xEB is not UTF-8: save the file as UTF-8 (in a spreadsheet, “CSV UTF-8”)",
            id="another encoding",
        ),
        pytest.param(
            {"events.csv": "key,title,type\na,A,talk\n", "socials.csv": "key,title\na,A\n"},
            "socials.csv, line 2, column “key”: “a” is taken already (events.csv, line 2): choose another",
            id="a key in two files",
        ),
        pytest.param(
            {"announcements.csv": "key,title,from,until\na,A,2025-03-29 10:00,2025-03-29 09:00\n"},
            "announcements.csv, line 2, column “until”: “2025-03-29 09:00” is not after the “from”",
            id="an announcement that ends before it begins",
        ),
        pytest.param(
            {"awards.csv": "key,name,year,prize\n"},
            "awards.csv, line 1: “prize” is not a column here: known are key, name, year, level, paper, event, citation",
            id="a column like no other",
        ),
        pytest.param(
            {"awards.csv": "key,name,year\na,Best,2025\n"},
            "awards.csv, line 2, column “paper”: is empty, and so is the event: an award goes to one of them",
            id="an award for nothing",
        ),
        pytest.param(
            {"events.csv": "key,title,type\na,A,talk\n", "awards.csv": "key,name,year,event\na,Best,25,a\n"},
            "awards.csv, line 2, column “year”: “25” is not a year: write four digits like 2025",
            id="a year of two digits",
        ),
        pytest.param(
            {"events.csv": "key,title,type,notes\na,A,talk,Said.\n", "notes/a.md": "Said."},
            "events.csv, line 2, column “notes”: is filled in, and there is a file notes/a.md too: keep one",
            id="notes in two places",
        ),
        pytest.param(
            {"events.csv": "key,title,type\nkolter,A,talk\n", "notes/koltr.md": "Said."},
            "notes/koltr.md: “koltr” is not the key of an event: did you mean “kolter”?",
            id="notes of nothing",
        ),
        pytest.param(
            {"notes/a.md": "One.\nTw\x0bo."},
            "notes/a.md, line 2: holds the control character U+000B: delete it",
            id="a control character in notes",
        ),
        pytest.param(
            {"event.csv": "key\n"},
            "event.csv: is not a file of a conference folder: did you mean “events.csv”?",
            id="a file nobody knows",
        ),
    ],
)
def test_broken_folder_is_refused_with_a_message(tmp_path: Path, files: dict[str, str | bytes], message: str) -> None:
    assert refusal(write_folder(tmp_path, files)) == message


def test_missing_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == "nowhere: cannot be read: name an existing folder"


def test_folder_without_conference_toml_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "conference.toml: is missing: every conference folder has one"


def test_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {})
    (folder / "events.csv").mkdir()

    assert refusal(folder) == "events.csv: cannot be read: Is a directory"


def test_error_has_its_location(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, {"events.csv": "key,title,type,day\na,A,talk,soon\n"})

    with pytest.raises(ScheduleParseError) as caught:
        parse_folder(folder)

    assert (caught.value.file, caught.value.line, caught.value.column) == ("events.csv", 2, "day")
