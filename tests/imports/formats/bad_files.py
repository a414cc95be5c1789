"""Malformed and hostile files, and the message for each."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats import registry
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import ScheduleData
from tests.imports.formats.schedule_xml.xml_files import GUID
from tests.processor import at_most

SECONDS = 2
HINTS = Hints(slug="demo", timezone="Asia/Singapore")


TALK = {
    "guid": GUID,
    "id": 1,
    "title": "Talk",
    "subtitle": "",
    "date": "2025-04-24T09:00:00+08:00",
    "start": "09:00",
    "duration": "00:30",
    "room": "Hall",
    "slug": "demo-1-talk",
    "url": "https://example.org/1",
    "track": "",
    "type": "talk",
    "language": "en",
    "abstract": "",
    "description": "",
    "persons": [],
    "links": [],
    "attachments": [],
}


def talk(**fields: Any) -> dict[str, Any]:
    return TALK | fields


def schedule_json(*events: Any, **conference: Any) -> bytes:
    day = {"index": 1, "date": "2025-04-24", "day_start": "2025-04-24T04:00:00+08:00", "day_end": "2025-04-25T03:59:00+08:00"}
    told = {"title": "Demo", "acronym": "demo", "start": "2025-04-24", "end": "2025-04-24", "daysCount": 1}
    told |= {"time_zone_name": "Asia/Singapore", "days": [day | {"rooms": {"Hall": list(events)}}]} | conference
    return json.dumps({"schedule": {"version": "1", "conference": told}}).encode()


def taken(name: str, content: bytes, hints: Hints = HINTS) -> ScheduleData:
    return registry.parse_document(Document.from_upload(name, content), hints)[1]


def refusal(name: str, content: bytes, hints: Hints = HINTS) -> str:
    with at_most(SECONDS), pytest.raises(ScheduleParseError) as caught:
        taken(name, content, hints)
    assert str(caught.value).isprintable()
    return str(caught.value)


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()
