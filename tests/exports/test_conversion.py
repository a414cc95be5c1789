"""Our schedule.json, turned into schedule.xml by c3voc's library, is valid and has each event once."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json

from hypothesis import given
from lxml import etree

from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import ScheduleData
from tests.exports.conversion import as_converted_xml
from tests.exports.programmes import guid, programmes, whole
from tests.exports.reading import as_json, problems

# Longer ones have three digits of hours, which schedule.json can say and schedule.xml cannot.
LONGEST = dt.timedelta(hours=99)


def test_conversion_is_valid_and_has_each_event_once() -> None:
    data = whole(conference=dataclasses.replace(whole().conference, colour="#0B6E75", about="Long ago."))
    converted = as_converted_xml(as_json(data))

    assert problems(converted, "schedule.xml") == []
    assert [it.get("guid") for it in etree.fromstring(converted).iterfind(".//event")] == [guid(4), guid(5), guid(6), guid(7)]


@given(programmes())
def test_any_programme_is_converted_into_valid_xml(data: ScheduleData) -> None:
    short = tuple(it for it in data.events if not it.start or not it.end or it.end - it.start < LONGEST)

    assert problems(as_converted_xml(as_json(dataclasses.replace(data, events=short))), "schedule.xml") == []


def test_conversion_keeps_who_opted_out_and_what_other_programs_call_an_event() -> None:
    converted = Document.from_upload("schedule.xml", as_converted_xml(as_json(whole())))
    _, data = registry.parse_document(converted, Hints(slug="demo"))

    mixer = next(it for it in data.events if it.guid == guid(6))
    assert (mixer.subtitle, mixer.abstract, mixer.description) == ("Come as you are", "Come\n\nall.", "With music.")
    assert (mixer.do_not_record, mixer.recording_license, mixer.export_number) == (True, "CC BY 4.0", 77)
    assert mixer.logo_url == "https://logos.example/%C3%A4.png"


def test_schedule_has_its_address_before_its_version_and_no_key_of_ours() -> None:
    found = json.loads(as_json(whole()))

    assert list(found["schedule"]) == ["url", "version", "base_url", "conference"]
    assert list(found["schedule"]["conference"])[-1] == "days"
    assert "hallway" in found["generator"]
