"""Conference folders for tests: the smallest valid one, and changes to it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.reader import parse_folder

CONFERENCE = """\
[conference]
slug = "demo"
name = "Demo"
timezone = "Europe/Vienna"
start = 2025-03-28
end = 2025-03-30

[[days]]
date = 2025-03-29

[[days]]
date = 2025-10-25

[[types]]
key = "talk"
name = "Talk"
kind = "talk"
default_minutes = 45

[[types]]
key = "session"
name = "Session"
kind = "session"

[[types]]
key = "social"
name = "Social"
kind = "social"
"""
PLACE = """\
[[venues]]
key = "fair"
name = "Fair"

[[zones]]
key = "hall"
venue = "fair"
name = "Hall"

[[zones]]
key = "bar"
venue = "fair"
name = "Bar"
off_site = true

[[rooms]]
key = "hall-1"
zone = "hall"
name = "Hall 1"

[[rooms]]
key = "bar"
zone = "bar"
name = "Bar"

[[services]]
key = "desk"
name = "Desk"

[[starting_points]]
key = "station"
name = "Station"
kind = "station"
"""


def write_folder(parent: Path, files: Mapping[str, str | bytes], name: str = "demo") -> Path:
    """A folder with these files, and the smallest conference.toml and place.toml unless they are among them."""
    folder = parent / name
    (folder / "notes").mkdir(parents=True)
    for file, content in {"conference.toml": CONFERENCE, "place.toml": PLACE, **files}.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / file).write_bytes(data)
    return folder


def refusal(folder: Path) -> str:
    """What parsing the folder says, which must be a refusal."""
    with pytest.raises(ScheduleParseError) as caught:
        parse_folder(folder)
    return str(caught.value)
