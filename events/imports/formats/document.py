"""An uploaded document: one file, or a folder or zip of files, as bytes by name."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from events.core.parsing.errors import MAX_UPLOAD_BYTES, MAX_UPLOAD_FILES, ScheduleParseError, raised, too_large_error
from events.core.parsing.table_files import is_workbook

# zipfile raises a RuntimeError for a password, and a subclass of it for a compression that it does not know.
_ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, ValueError, OSError)


@dataclass(frozen=True)
class Document:
    """``files`` are by path inside the folder or zip; a single file is under its name."""

    name: str
    files: Mapping[str, bytes]

    @classmethod
    def read(cls, path: Path) -> Document:
        """Read a file, zip or folder; raise ScheduleParseError if it cannot be read or is too large."""
        try:
            if path.is_dir():
                return cls(path.resolve().name, dict(_folder_files(path)))
            if path.stat().st_size > raised(MAX_UPLOAD_BYTES):
                raise too_large_error(path.name, MAX_UPLOAD_BYTES)
            return cls.from_upload(path.name, path.read_bytes())
        except (OSError, ValueError) as error:
            if isinstance(error, ScheduleParseError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise ScheduleParseError(f"cannot be read: {reason}", file=path.name) from error

    @classmethod
    def from_upload(cls, name: str, content: bytes) -> Document:
        """Unpack a zip, whatever its name; a workbook, which is a zip too, stays one file."""
        if len(content) > raised(MAX_UPLOAD_BYTES):
            raise too_large_error(name, MAX_UPLOAD_BYTES)
        if content.startswith(b"\x1f\x8b"):
            raise ScheduleParseError("is compressed with gzip: unpack it first", file=name)
        if not content.startswith(b"PK\x03\x04") or is_workbook(content):
            return cls(name, {name: content})
        try:
            return cls(name, dict(_zip_files(name, content)))
        except _ZIP_ERRORS as error:
            if isinstance(error, ScheduleParseError):
                raise
            raise ScheduleParseError("is a zip that cannot be opened: make it again", file=name) from error

    @property
    def is_one_file(self) -> bool:
        return len(self.files) == 1

    @property
    def content(self) -> bytes:
        """Return the bytes of a single file; raise ScheduleParseError for several."""
        if not self.is_one_file:
            raise ScheduleParseError(f"holds {len(self.files)} files: upload one of them", file=self.name)
        return next(iter(self.files.values()))

    @property
    def digest(self) -> str:
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "replace") + content)
        return digest.hexdigest()


def _folder_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    remaining = raised(MAX_UPLOAD_BYTES)
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    if len(paths) > MAX_UPLOAD_FILES:
        raise ScheduleParseError(f"holds {len(paths)} files: name the folder of one programme", file=folder.name)
    for path in paths:
        remaining -= path.stat().st_size
        if remaining < 0:
            raise too_large_error(folder.name, MAX_UPLOAD_BYTES)
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def _zip_files(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and "__MACOSX" not in entry.filename]
        if len(entries) > MAX_UPLOAD_FILES:
            raise ScheduleParseError(f"holds {len(entries)} files: pack only those of one programme", file=name)
        # The size in an entry's header may be wrong: count the bytes that are read.
        remaining = raised(MAX_UPLOAD_BYTES)
        top = _common_folder([entry.filename for entry in entries])
        for entry in entries:
            # Other methods unpack far more at once than the size of the read.
            if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise ScheduleParseError("is packed in an unusual way: make an ordinary zip", file=name)
            with archive.open(entry) as file:
                unpacked = file.read(remaining + 1)
            remaining -= len(unpacked)
            if remaining < 0:
                raise too_large_error(name, MAX_UPLOAD_BYTES)
            path = PurePosixPath(entry.filename)
            if path.is_absolute() or ".." in path.parts:
                raise ScheduleParseError(f"holds “{entry.filename[:80]}”, which points outside: make it again", file=name)
            yield path.relative_to(top).as_posix(), unpacked


def _common_folder(names: list[str]) -> str:
    tops = {name.partition("/")[0] for name in names}
    return tops.pop() if len(tops) == 1 and all("/" in name for name in names) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """The conference of the import: its slug, its name and dates if it exists, and the zone of times without one.

    ``columns`` are choices for a spreadsheet, as JSON of ``ColumnChoices``. ``kinds`` are those of its types, by slug and name
    in lower case, ``days`` the dates of its days.
    """

    slug: str
    name: str = ""
    timezone: str = ""
    start: dt.date | None = None
    end: dt.date | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    days: frozenset[dt.date] = frozenset()
