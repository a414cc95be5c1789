"""One record of the virtual site: an oral, a poster or another event, with what is peculiar about it."""

from __future__ import annotations

import re
from typing import Any

from events.importers import cells, values
from events.importers.kinds import kind_of

Json = dict[str, Any]
_API = re.compile(r"https?://([^/]+)/api/miniconf/")
_EVENT_ID = re.compile(r"/events/([0-9]{1,12})\b")


def text(value: Any) -> str:
    return values.unescaped(values.text(value))


def place(record: Json) -> str:
    return f"record {values.key(record.get('id')) or '?'}, {cells.quoted(text(record.get('name')))}"


def kind(record: Json) -> str:
    said = text(record.get("eventtype"))
    return "talk" if said.lower() == "oral" else kind_of(said)


def key(record: Json) -> str:
    """The record's number, which oral and poster do not share."""
    number, uid = values.key(record.get("id")), values.key(record.get("uid"))
    return number or f"{uid or cells.key_of(text(record.get('name')))[:100]}-{kind(record)}"


def paper_key(record: Json) -> str:
    return values.key(record.get("uid")) or f"paper-{key(record)}"


def parent(record: Json) -> str:
    found = _EVENT_ID.search(values.text(record.get("parent1")))
    return found[1] if found else ""


def once(institution: str) -> str:
    """“Tsinghua University, Tsinghua University” is one."""
    return ", ".join(dict.fromkeys(it.strip() for it in institution.split(",") if it.strip()))


def host(records: list[Json]) -> str:
    """The site the file is from, by the addresses of its own interface in it; "" if they name several or none."""
    told = (values.text(author.get("url")) for record in records for author in values.rows(record.get("authors")))
    hosts = {found[1] for url in told if (found := _API.match(url))}
    site = f"https://{hosts.pop()}/" if len(hosts) == 1 else ""
    return site if cells.is_address(site) else ""
