"""Governments that move the clocks: time zone files made by hand, and this process reading them."""

from __future__ import annotations

import datetime as dt
import struct
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zoneinfo import ZoneInfo

SYSTEM = zoneinfo.TZPATH


def tzif(*changes: tuple[str, float]) -> bytes:
    """A zone file (RFC 8536, version 1): the offset in hours before anything, then each with the UTC time it begins at."""
    instants = [int(dt.datetime.fromisoformat(begin).replace(tzinfo=dt.UTC).timestamp()) for begin, _ in changes[1:]]
    hours = [offset for _, offset in changes]
    header = struct.pack(">4sc15x6l", b"TZif", b"\0", 0, 0, 0, len(instants), len(hours), len(b"GOV\0"))
    times = struct.pack(f">{len(instants)}l{len(instants)}B", *instants, *range(1, len(hours)))
    kinds = b"".join(struct.pack(">lBB", int(offset * 3600), index > 0, 0) for index, offset in enumerate(hours))
    return header + times + kinds + b"GOV\0"


def write_zone(folder: Path, name: str, *changes: tuple[str, float]) -> Path:
    """Only this zone is in the folder; every other one comes from where it came from."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(tzif(*changes))
    return folder


@contextmanager
def zones_from(folder: Path) -> Iterator[None]:
    """As a process sees them that starts with new time zone data."""
    _read_from([str(folder), *SYSTEM])
    try:
        yield
    finally:
        _read_from(SYSTEM)


def _read_from(path: list[str] | tuple[str, ...]) -> None:
    zoneinfo.reset_tzpath(to=path)
    ZoneInfo.clear_cache()
