"""The language of an event in each format; what is none is left out with a warning, and never refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from events.imports.formats.languages import EventLanguages
from events.imports.formats.seeds.reader import parse_folder
from events.programme.data.schedule import ScheduleData
from tests.exports.programmes import guid, whole
from tests.exports.reading import as_json, as_xml, from_json, from_xml
from tests.imports.formats.icalendar.calendar_files import calendar
from tests.imports.formats.icalendar.calendar_files import parse as parse_calendar
from tests.imports.formats.schedule_json.test_pretalx import parsed as parse_pretalx
from tests.imports.formats.schedule_json.test_pretalx import submission
from tests.imports.formats.schedule_json.test_schedule_json import with_event
from tests.imports.formats.schedule_xml.xml_files import event as xml_event
from tests.imports.formats.schedule_xml.xml_files import parse as parse_xml
from tests.imports.formats.schedule_xml.xml_files import parse_file, schedule
from tests.imports.formats.seeds.seed_folders import write_folder

HOSTILE = '"><script>alert(1)</script>'


def first_of(data: ScheduleData) -> tuple[str, tuple[str, ...]]:
    return data.events[0].language, tuple(it for it in data.warnings if "language" in it)


def in_xml(text: str) -> tuple[str, tuple[str, ...]]:
    escaped = text.replace("<", "&lt;")
    return first_of(parse_xml(schedule(xml_event(language=escaped))))


def in_json(text: Any) -> tuple[str, tuple[str, ...]]:
    return first_of(with_event(language=text))


def in_pretalx(text: Any) -> tuple[str, tuple[str, ...]]:
    return first_of(parse_pretalx([submission(content_locale=text)], timezone="Europe/Vienna"))


FORMATS = pytest.mark.parametrize("read", [in_xml, in_json, in_pretalx], ids=["schedule.xml", "schedule.json", "pretalx"])


@FORMATS
@pytest.mark.parametrize(("text", "language"), [("de", "de"), ("pt_br", "pt-BR"), ("German", "de"), ("", "")])
def test_language_is_imported(read: Any, text: str, language: str) -> None:
    assert read(text) == (language, ())


@FORMATS
@pytest.mark.parametrize("text", ["Klingon", HOSTILE, "x" * 5_000], ids=["unknown", "markup", "long"])
def test_what_is_no_language_is_left_out_with_a_warning(read: Any, text: str) -> None:
    language, (warning,) = read(text)

    assert language == ""
    assert "is not a language; it is left out" in warning
    assert len(warning) < 250


@pytest.mark.parametrize("value", [None, 3, True, ["de"], {"de": 1}])
def test_values_of_other_types_are_no_reason_to_refuse(value: Any) -> None:
    assert in_json(value)[0] == in_pretalx(value)[0] == ""


def test_first_of_several_languages_counts_and_the_abstract_says_nothing() -> None:
    data = parse_file("hub.xml")

    assert [it.language for it in data.events] == ["de", "de"]
    assert [it for it in data.warnings if "language" in it] == [
        "line 16, event “Late”: it has the languages de, en; the first counts"
    ]
    assert "Language:" not in "".join(it.abstract for it in data.events)


def test_many_events_share_a_warning() -> None:
    languages = EventLanguages()

    read = [languages.read(text, f"event {text}") for text in ("Elvish", "de", "Klingon", "de, en", "en, de", "", "Dothraki")]

    assert read == ["", "de", "", "de", "en", "", ""]
    assert languages.warnings() == [
        "event Elvish: “Elvish” is not a language; it is left out (2 more events alike)",
        "event de, en: it has the languages de, en; the first counts (1 more event alike)",
    ]


@pytest.mark.parametrize(
    ("parameter", "language"),
    [
        (";LANGUAGE=de", "de"),
        (";language=PT-br;X-A=b", "pt-BR"),
        (';ALTREP="a;b";LANGUAGE="fr"', "fr"),
        ("", ""),
        (";LANGUAGE=q", ""),
    ],
)
def test_calendar_has_the_language_of_a_summary(parameter: str, language: str) -> None:
    data = parse_calendar(calendar(f"UID:1\nSUMMARY{parameter}:Vortrag\nDTSTART:20220603T120000Z\nDURATION:PT1H"))

    assert (data.events[0].title, data.events[0].language) == ("Vortrag", language)


def test_folder_has_a_column_for_it(tmp_path: Any) -> None:
    rows = "key,title,type,language\na,A,talk,german\nb,B,talk,\nc,C,talk,Klingon\n"
    data = parse_folder(write_folder(tmp_path, {"events.csv": rows}))

    assert [it.language for it in data.events] == ["de", "", ""]
    assert data.warnings == ("events.csv, line 4: “Klingon” is not a language; it is left out",)


def test_own_files_bring_it_back() -> None:
    languages = {it.guid: it.language for it in whole().events}

    assert set(languages.values()) == {"", "de", "pt-BR"}
    assert {it.guid: it.language for it in from_json(as_json(whole())).events} == languages
    assert {it.guid: it.language for it in from_xml(as_xml(whole())).events}[guid(6)] == "pt-BR"


def test_files_name_it_only_where_it_is_known() -> None:
    shown = json.loads(as_json(whole()))["schedule"]["conference"]["days"][0]["rooms"]

    assert [it["language"] for it in shown["A bar"]] == ["pt-BR"]
    assert {it["language"] for it in shown["Hall 1"]} == {None}
    assert as_xml(whole()).count(b"<language>pt-BR</language>") == as_xml(whole()).count(b"<language>") == 1


@pytest.mark.parametrize("value", [None, "Klingon", 7, ["de"]])
def test_own_file_with_another_value_is_not_refused(value: Any) -> None:
    content = json.loads(as_json(whole()))
    content["schedule"]["conference"]["days"][0]["rooms"]["A bar"][0]["language"] = value

    data = from_json(json.dumps(content).encode())

    assert next(it.language for it in data.events if it.guid == guid(6)) == ""
