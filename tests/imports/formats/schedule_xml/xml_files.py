"""The smallest valid schedule.xml, and changes to it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from events.imports.formats import frab
from events.imports.formats.document import Document, Hints
from events.programme.data.schedule import EventData, ScheduleData

DATA = Path(__file__).parents[3] / "data" / "frab_xml"
GUID = "0a3b7b86-6d26-5b5e-8a53-b5a4dd0b2a01"


def event(*inside: str, guid: str = GUID, **texts: str) -> str:
    """An event that lasts half an hour, with these texts for its elements and ``inside`` as it is."""
    said = {"title": "Talk", "start": "09:00", "duration": "00:30", "type": "talk"} | texts
    elements = "".join(f"<{name}>{text}</{name}>" for name, text in said.items() if text)
    return f'<event guid="{guid}" id="1">\n{elements}{"".join(inside)}</event>\n'


def schedule(
    *events: str, date: str = "2025-04-24", zone: str = "Asia/Singapore", conference: str = "", room: str = "Hall"
) -> bytes:
    named = f"<time_zone_name>{zone}</time_zone_name>" if zone else ""
    return f"""<?xml version="1.0" encoding="utf-8"?>
<schedule><version>1</version><conference><title>Demo</title>{named}{conference}</conference>
<day index="1" date="{date}"><room name="{room}">
{"".join(events)}</room></day></schedule>
""".encode()


def parse(content: bytes, *, timezone: str = "", file: str = "schedule.xml") -> ScheduleData:
    return frab.parse(Document.from_upload(file, content), Hints(slug="demo", timezone=timezone))


def parse_file(name: str, *, timezone: str = "") -> ScheduleData:
    return parse((DATA / name).read_bytes(), timezone=timezone, file=name)


def only(data: ScheduleData) -> EventData:
    (found,) = data.events
    return found


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)
