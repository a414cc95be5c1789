"""A government moves the clocks: what calendars say once the time zone data are new."""

from __future__ import annotations

import datetime as dt
import struct
import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from events.calendars import feeds
from tests.calendars.lint import problems
from tests.calendars.reading import unfolded, values
from tests.factories import make_conference, make_event

SYSTEM = zoneinfo.TZPATH


@pytest.fixture
def _system_zones_afterwards() -> Iterator[None]:
    yield
    read_zones_from(*SYSTEM)


def read_zones_from(*folders: str) -> None:
    """As a process that starts with these time zone files."""
    zoneinfo.reset_tzpath(to=folders)
    ZoneInfo.clear_cache()


def zone_file(change: dt.datetime, before: int, after: int) -> bytes:
    """RFC 8536, version 1: one change, from one offset in hours to another."""
    header = struct.pack(">4sc15x6l", b"TZif", b"\0", 0, 0, 0, 1, 2, len(b"GOV\0"))
    offsets = struct.pack(">lBBlBB", before * 3600, 0, 0, after * 3600, 1, 0)
    return header + struct.pack(">lB", int(change.timestamp()), 1) + offsets + b"GOV\0"


@pytest.mark.django_db
@pytest.mark.usefixtures("_system_zones_afterwards")
def test_new_time_zone_data_renew_the_calendar_and_move_no_event(tmp_path: Path) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00", place="Hall 1")
    before = feeds.schedule_feed(conference)
    tag, starts = before.etag, values(before.body, "DTSTART")
    folder = tmp_path / "Asia"
    folder.mkdir()
    (folder / "Singapore").write_bytes(zone_file(dt.datetime(2025, 4, 20, tzinfo=dt.UTC), 8, 9))

    read_zones_from(str(tmp_path), *SYSTEM)
    after = feeds.schedule_feed(conference)

    assert problems(after.body) == []
    assert after.etag != tag
    assert [line for line in unfolded(after.body) if "OFFSETTO" in line] == ["TZOFFSETTO:+0800", "TZOFFSETTO:+0900"]
    assert values(after.body, "DTSTART")[-1:] == starts[-1:] == [":20250424T010000Z"]
    assert "Thu 24 Apr\\, 10:00–11:00 Singapore time" in values(after.body, "DESCRIPTION")[-1]
