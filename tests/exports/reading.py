"""Exports of a programme, read again and held to the schemas."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from lxml import etree

from events.exports.programme import programme_data, whole_programme
from events.exports.schedule_json import schedule_json
from events.exports.schedule_xml import schedule_xml
from events.exports.values import ExportUrls
from events.imports.formats import hallway_json, hallway_xml
from events.imports.formats.document import Document, Hints
from events.models import Conference
from events.programme.data.schedule import ScheduleData

SCHEMAS = Path(__file__).parents[1] / "data/schemas"
SITE = "https://hallway.example"
TODAY = dt.date(2025, 4, 24)
VERSION = "2025-04-24 09:00"


def addresses(slug: str) -> ExportUrls:
    home = f"{SITE}/{slug}/"
    pages = [f"{home}{name}/{{}}/" for name in ("events", "papers", "people")]
    return ExportUrls(SITE, home, *pages, f"{home}schedule/?topic={{}}", f"{home}schedule/?type={{}}&kind={{}}")


def data_of(conference: Conference, today: dt.date = TODAY) -> ScheduleData:
    return programme_data(whole_programme(conference, today))


def as_xml(data: ScheduleData) -> bytes:
    return schedule_xml(data, addresses(data.conference.slug), VERSION)


def as_json(data: ScheduleData) -> bytes:
    return schedule_json(data, addresses(data.conference.slug), VERSION)


def from_xml(content: bytes, slug: str = "demo", **hints: str) -> ScheduleData:
    return hallway_xml.parse(Document.from_upload("schedule.xml", content), Hints(slug=slug, **hints))


def from_json(content: bytes, slug: str = "demo", **hints: str) -> ScheduleData:
    return hallway_json.parse(Document.from_upload("schedule.json", content), Hints(slug=slug, **hints))


def problems(content: bytes, name: str) -> list[str]:
    """What its schema finds wrong with it."""
    return _xml_problems(content) if name == "schedule.xml" else _json_problems(json.loads(content))


def _xml_problems(content: bytes) -> list[str]:
    schema = _xml_schema()
    schema.validate(etree.fromstring(content))
    return [str(error) for error in schema.error_log]


def _json_problems(value: Any) -> list[str]:
    return [error.message[:300] for error in _json_schema().iter_errors(value)]


@cache
def _xml_schema() -> Any:
    return etree.XMLSchema(etree.parse(SCHEMAS / "schedule.xsd"))


@cache
def _json_schema() -> Any:
    schema = json.loads((SCHEMAS / "schedule.schema.json").read_text())
    return jsonschema.Draft6Validator(schema, format_checker=jsonschema.FormatChecker())
