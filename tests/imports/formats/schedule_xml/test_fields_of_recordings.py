"""What schedule.xml and schedule.json say of recordings, logos, ids and orders."""

from __future__ import annotations

import json
from typing import Any

import pytest

from events.imports.formats import schedule_json
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData
from tests.imports.formats.schedule_xml.xml_files import event, only, parse, schedule


def json_event(**fields: Any) -> EventData:
    listed = {"guid": "0a3b7b86-6d26-5b5e-8a53-b5a4dd0b2a01", "title": "Talk", "date": "2025-04-24T09:00:00+08:00"}
    conference = {
        "title": "Demo",
        "time_zone_name": "Asia/Singapore",
        "days": [{"date": "2025-04-24", "rooms": {"Hall": [{**listed, "duration": "0:30", "type": "talk", **fields}]}}],
    }
    content = json.dumps({"schedule": {"base_url": "https://demo.example/2025/", "conference": conference}}).encode()
    return only(schedule_json.parse(Document.from_upload("schedule.json", content), Hints(slug="demo")))


@pytest.mark.parametrize(
    ("inside", "opted_out"),
    [
        pytest.param("<recording><license/><optout>true</optout></recording>", True, id="yes"),
        pytest.param("<recording><license/><optout>1</optout></recording>", True, id="one"),
        pytest.param("<recording><license/><optout>false</optout></recording>", False, id="no"),
        pytest.param("<recording><license/><optout/></recording>", None, id="empty"),
        pytest.param("<recording><license>CC0</license></recording>", None, id="only-a-licence"),
        pytest.param("<do_not_record>True</do_not_record>", True, id="element-of-the-hub"),
        pytest.param(
            "<recording><license/><optout>false</optout></recording><do_not_record>true</do_not_record>", True, id="both"
        ),
        pytest.param("", None, id="nothing"),
    ],
)
def test_opt_out_in_xml(inside: str, opted_out: bool | None) -> None:
    assert only(parse(schedule(event(inside)))).do_not_record is opted_out


@pytest.mark.parametrize(
    ("fields", "opted_out"),
    [
        pytest.param({"do_not_record": True}, True, id="yes"),
        pytest.param({"do_not_record": False}, False, id="no"),
        pytest.param({"do_not_record": None}, None, id="null"),
        pytest.param({"do_not_record": []}, None, id="a-list"),
        pytest.param({"recording": {"license": "", "optout": True}}, True, id="as-in-xml"),
        pytest.param({"recording": "no"}, None, id="a-word"),
    ],
)
def test_opt_out_in_json(fields: dict[str, Any], opted_out: bool | None) -> None:
    assert json_event(**fields).do_not_record is opted_out


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "2147483648", "9" * 400, "x"])
def test_id_that_is_no_number_of_31_bits_is_left_out(number: str) -> None:
    changed = schedule(event()).replace(b' id="1"', f' id="{number}"'.encode())

    assert only(parse(changed)).export_number is None
    assert json_event(id=number).export_number is None


def test_id_slug_and_logo_in_json() -> None:
    found = json_event(id=2**31 - 1, slug="demo-12-talk", logo="/media/talk.png", recording_license="CC BY 4.0")

    assert (found.export_number, found.export_slug) == (2**31 - 1, "demo-12-talk")
    assert (found.logo_url, found.recording_license) == ("https://demo.example/media/talk.png", "CC BY 4.0")


def test_links_come_in_the_order_of_the_file() -> None:
    slides, page = '<attachment href="https://s.example/">Slides</attachment>', '<link href="https://p.example/">Page</link>'
    first = only(parse(schedule(event(f"<attachments>{slides}</attachments><links>{page}</links>"))))
    second = only(parse(schedule(event(f"<links>{page}</links><attachments>{slides}</attachments>"))))
    third = json_event(links=[{"url": "https://p.example/"}], attachments=[{"url": "https://s.example/"}])

    assert [it.url for it in first.links] == ["https://s.example/", "https://p.example/"]
    assert [it.url for it in second.links] == [it.url for it in third.links] == ["https://p.example/", "https://s.example/"]


def test_rooms_come_in_the_order_of_all_days() -> None:
    second = '</day><day index="2" date="2025-04-25"><room name="Attic"/><room name="Hall"/></day></schedule>'
    data = parse(schedule(event()).replace(b"</day></schedule>", second.encode()))

    assert [(it.name, it.position) for it in data.rooms] == [("Attic", 0), ("Hall", 1)]
