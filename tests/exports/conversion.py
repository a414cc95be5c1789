"""schedule.xml as c3voc's library makes it of a schedule.json: each key is an element, in the order of the file.

What it leaves out and renames is written here from its behaviour. A key that it does not know becomes an element, which the
schema of schedule.xml refuses.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lxml import etree

ATTRIBUTES_OF = {"track", "color"}
"""Elements whose keys are all attributes."""


def as_converted_xml(content: bytes) -> bytes:
    schedule = json.loads(content)["schedule"]
    schedule["conference"]["base_url"] = schedule.pop("base_url")
    root = etree.Element("schedule")
    for name, value in schedule.items():
        if name == "conference":
            _add_conference(root, value)
        else:
            _add(root, name, value)
    return etree.tostring(root)


def _add_conference(root: Any, conference: dict[str, Any]) -> None:
    element = etree.SubElement(root, "conference")
    for name, value in conference.items():
        if name == "days":
            for day in value:
                _add_day(root, day)
        elif name != "rooms":
            _add(element, {"daysCount": "days", "tracks": "track", "colors": "color"}.get(name, name), value)


def _add_day(root: Any, day: dict[str, Any]) -> None:
    element = etree.SubElement(root, "day", {name.removeprefix("day_"): str(day[name]) for name in day if name != "rooms"})
    for name, events in day["rooms"].items():
        room = etree.SubElement(element, "room", name=name)
        for event in events:
            _add_event(etree.SubElement(room, "event"), event)


def _add_event(element: Any, event: dict[str, Any]) -> None:
    licence = ""
    for name, value in event.items():
        match name:
            case "id" | "guid":
                element.set(name, str(value))
            case "persons":
                _add_persons(etree.SubElement(element, "persons"), value)
            case "links" | "attachments":
                _add_links(etree.SubElement(element, name), name.removesuffix("s"), value)
            case "recording_license":
                # Kept for the opt-out, if that follows.
                licence = value
            case "do_not_record":
                _add(element, "recording", {"license": licence, "optout": "true" if value is True else "false"})
            case _:
                _add(element, name, value)


def _add_persons(element: Any, persons: Iterable[dict[str, Any]]) -> None:
    for person in persons:
        named = etree.SubElement(element, "person", {name: str(person[name]) for name in ("id", "guid") if name in person})
        named.text = person.get("public_name") or person["name"]


def _add_links(element: Any, name: str, links: Iterable[dict[str, Any]]) -> None:
    for link in links:
        linked = etree.SubElement(element, name, href=link["url"])
        linked.text = link.get("title", "")
        for more in link.keys() - {"url", "title"}:
            _add(linked, more, link[more])


def _add(parent: Any, name: str, value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            _add(parent, name, each)
        return
    element = etree.SubElement(parent, name)
    if name in ATTRIBUTES_OF and isinstance(value, dict):
        element.attrib.update({key: str(text) for key, text in value.items()})
    elif isinstance(value, dict):
        for key, inner in value.items():
            _add(element, key, inner)
    elif value:
        element.text = str(value)
