"""What holds for the files of every conference service: recognition, files that are cut off, and hostile values."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.builder import ScheduleBuilder
from events.imports.formats.document import Document
from events.imports.formats.services import EntryValues, ids_of_one_name, kind_without_speakers, shown_value, without_cancelled
from events.programme.data.schedule import load_time_zone
from tests.imports.formats.services.service_files import DATA, FILES, FORMATS, HINTS, content_of, parsed
from tests.imports.formats.soundness import assert_sound

CUT_STEP = 41
"""Bytes between the places where the short run cuts a file off."""


@pytest.mark.parametrize("path", sorted(path for path in DATA.rglob("*") if path.is_file()), ids=lambda path: path.name)
def test_only_the_files_of_a_service_are_recognised_as_its(path: Path) -> None:
    document = Document.from_upload("whatever", path.read_bytes())
    service = path.parent.name if path.parent.name in FORMATS else ""

    found = [each.name for each in registry.IMPORT_FORMATS if each.recognises(document)]

    assert [name for name in found if name in FORMATS] == ([service] if service else [])
    if service:
        assert registry.detect_format(document).name == service


def test_notes_without_their_envelope_are_still_of_openreview() -> None:
    content = content_of("openreview/notes.json")["notes"]

    assert parsed(content) == parsed(content_of("openreview/notes.json"))


def outcome(content: bytes, service: str) -> None:
    """Any content gives a sound programme, or one sentence that names the file and can be shown."""
    for name in ("", service):
        try:
            assert_sound(parsed(content, name=name))
        except ScheduleParseError as error:
            told = str(error)
            assert told.startswith("some.file")
            assert told.isprintable()
            assert len(told) < 1500


@pytest.mark.parametrize("name", FILES)
def test_file_that_is_cut_off_is_refused_with_a_message(name: str) -> None:
    content = (DATA / name).read_bytes()

    for length in range(0, len(content), CUT_STEP):
        outcome(content[:length], name.partition("/")[0])


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", FILES)
def test_file_that_is_cut_off_at_any_byte_is_refused_with_a_message(name: str) -> None:
    content = (DATA / name).read_bytes()

    for length in range(len(content)):
        outcome(content[:length], name.partition("/")[0])


def test_no_cut_file_of_json_is_taken_for_a_whole_one() -> None:
    for name in (name for name in FILES if name.endswith(".json")):
        content = (DATA / name).read_bytes().rstrip()
        with pytest.raises(ScheduleParseError, match=r"^some\.file, line [0-9]+: is not JSON at character "):
            parsed(content[:-1])


@pytest.mark.parametrize("name", FILES)
def test_scripts_stay_text_of_the_abstract_and_links_are_web_addresses(name: str) -> None:
    script = b"javascript:alert(1)"
    content = (DATA / name).read_bytes().replace(b"https://", script)

    with contextlib.suppress(ScheduleParseError):
        told = parsed(content)
        shown = [link.url for each in told.events for link in each.links]
        shown += [address for each in told.events for address in (each.stream_url, each.recording_url)]
        shown += [each.url for each in told.people] + [link.url for each in told.papers for link in each.links]
        assert not [url for url in shown if url and not url.startswith("https://")]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("CANCELLED: Bees", ("Bees", "cancelled")),
        ("canceled - Bees", ("Bees", "cancelled")),
        ("[Cancelled] Bees", ("Bees", "cancelled")),
        ("Bees (CANCELED)", ("Bees", "cancelled")),
        ("Bees - CANCELLED", ("Bees", "cancelled")),
        ("Bees – canceled", ("Bees", "cancelled")),
        ("Bees-cancelled", ("Bees-cancelled", "confirmed")),
        ("- Cancelled", ("- Cancelled", "confirmed")),
        ("(Cancelled)", ("(Cancelled)", "cancelled")),
        ("Cancelled flights", ("Cancelled flights", "confirmed")),
        ("Why it was cancelled", ("Why it was cancelled", "confirmed")),
        ("Cancelled", ("Cancelled", "confirmed")),
        ("", ("", "confirmed")),
    ],
)
def test_titles_say_that_an_event_is_cancelled(title: str, expected: tuple[str, str]) -> None:
    assert without_cancelled(title) == expected


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        *(("Lunch", "break"), ("Coffee (Monday)", "break"), ("Registration", "break"), ("Welcome coffee", "break")),
        *(("Conference reception (roof)", "social"), ("Dinner", "social"), ("Welcome reception", "social")),
        *(("Opening", "talk"), ("Welcome & opening remarks", "talk"), ("Closing keynote", "talk"), ("Award ceremony", "talk")),
    ],
)
def test_entries_without_a_speaker_are_of_the_kind_that_their_title_names(title: str, kind: str) -> None:
    assert kind_without_speakers(title) == kind


def test_ids_are_of_one_name() -> None:
    people = [("1", "Ada"), ("1", "Ada"), ("2", "Ada"), ("2", "Grace"), ("0", "Durk"), ("", "Eve")]

    assert ids_of_one_name(people) == {"1"}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a\nb", "“a\\u000ab”"),
        (7, "“7”"),
        ([], "a list"),
        ({}, "an object"),
        (True, "a truth value"),
        ("x" * 999, f"“{'x' * 80}…”"),
    ],
)
def test_values_of_any_type_can_be_shown(value: Any, shown: str) -> None:
    assert shown_value(value) == shown


def test_e_mail_addresses_are_no_links_and_are_not_quoted() -> None:
    builder = ScheduleBuilder(HINTS, load_time_zone("Europe/Vienna"), file="some.file")
    addresses = ["mailto:ada@private.example", "ada@private.example", "MAILTO:ada", "https://social.example/@ada", "ftp://x"]

    links = EntryValues(builder).links([("", address, "") for address in addresses], "here")

    assert [link.url for link in links] == ["https://social.example/@ada"]
    assert builder.warnings == ["here: “ftp://x” is not an http(s) address; it is left out"]


def test_to_be_announced_is_no_room() -> None:
    schedule = parsed([session | {"venue": "TBA"} for session in content_of("sched/export.json")])

    assert schedule.rooms == ()


def test_what_is_for_all_rooms_is_read_once_without_a_word() -> None:
    content = content_of("sessionize/grid_smart.json")
    lunch = next(each for room in content[0]["rooms"] for each in room["sessions"] if each["isPlenumSession"])
    for room in content[0]["rooms"]:
        room["sessions"] = [each for each in room["sessions"] if each["id"] != lunch["id"]] + [lunch]

    schedule = parsed(content)

    assert [each.title for each in schedule.events].count(lunch["title"]) == 1
    assert schedule.skipped == ()


def test_award_that_a_paper_names_in_both_fields_is_one() -> None:
    content = content_of("sigchi/program.json")
    content["recognitions"] = [{"id": 9001, "name": "Best Paper"}]
    paper = next(each for each in content["contents"] if each["authors"])
    paper |= {"award": "BEST_PAPER", "recognitionIds": [9001]}

    schedule = parsed(content)

    assert [each.name.casefold() for each in schedule.awards if each.paper == f"content-{paper['id']}"] == ["best paper"]
