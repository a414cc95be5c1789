"""What somebody hands in: one file, or a folder or zip of files, as bytes by name."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from events.importers.errors import ScheduleParseError
from events.importers.limits import LARGEST, MOST_FILES, too_large

_UNREADABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, ValueError, OSError)


@dataclass(frozen=True)
class Document:
    """``name`` as its owner knows it; ``files`` by path inside a folder or zip, one file under its own name."""

    name: str
    files: Mapping[str, bytes]

    @classmethod
    def read(cls, path: Path) -> Document:
        """The file, zip or folder at a path; raises ScheduleParseError when it cannot be read or is too large."""
        try:
            if path.is_dir():
                return cls(path.resolve().name, dict(_folder(path)))
            if path.stat().st_size > LARGEST:
                raise too_large(path.name, LARGEST)
            return cls.of(path.name, path.read_bytes())
        except (OSError, ValueError) as error:
            if isinstance(error, ScheduleParseError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise ScheduleParseError(f"cannot be read: {reason}", file=path.name) from error

    @classmethod
    def of(cls, name: str, content: bytes) -> Document:
        """An uploaded file; a zip is opened, whatever it is called."""
        if len(content) > LARGEST:
            raise too_large(name, LARGEST)
        if content.startswith(b"\x1f\x8b"):
            raise ScheduleParseError("is compressed with gzip: unpack it first", file=name)
        if not content.startswith(b"PK\x03\x04"):
            return cls(name, {name: content})
        try:
            return cls(name, dict(_zip(name, content)))
        except _UNREADABLE as error:
            if isinstance(error, ScheduleParseError):
                raise
            raise ScheduleParseError("is a zip that cannot be opened: make it again", file=name) from error

    @property
    def is_one_file(self) -> bool:
        return len(self.files) == 1

    @property
    def content(self) -> bytes:
        """The bytes of the one file."""
        if not self.is_one_file:
            raise ScheduleParseError(f"holds {len(self.files)} files: hand in one of them", file=self.name)
        return next(iter(self.files.values()))

    @property
    def digest(self) -> str:
        """SHA-256 of names and bytes, by which two documents are told apart."""
        found = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            found.update(f"{name}\0{len(content)}\0".encode("utf-8", "replace") + content)
        return found.hexdigest()


def _folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    room = LARGEST
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    if len(paths) > MOST_FILES:
        raise ScheduleParseError(f"holds {len(paths)} files: name the folder of one programme", file=folder.name)
    for path in paths:
        room -= path.stat().st_size
        if room < 0:
            raise too_large(folder.name, LARGEST)
        yield path.relative_to(folder).as_posix(), path.read_bytes()


def _zip(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [it for it in archive.infolist() if not it.is_dir() and "__MACOSX" not in it.filename]
        if len(entries) > MOST_FILES:
            raise ScheduleParseError(f"holds {len(entries)} files: put in those of one programme", file=name)
        # What an entry says of its size is a claim; what is read is not.
        room = LARGEST
        top = _common_folder([entry.filename for entry in entries])
        for entry in entries:
            # Others unpack far more at once than is asked of them.
            if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise ScheduleParseError("is packed in an unusual way: make an ordinary zip", file=name)
            with archive.open(entry) as file:
                inside = file.read(room + 1)
            room -= len(inside)
            if room < 0:
                raise too_large(name, LARGEST)
            path = PurePosixPath(entry.filename)
            if path.is_absolute() or ".." in path.parts:
                raise ScheduleParseError(f"holds “{entry.filename[:80]}”, which points outside: make it again", file=name)
            yield path.relative_to(top).as_posix(), inside


def _common_folder(names: list[str]) -> str:
    """Most zips hold one folder, and that the files."""
    tops = {name.partition("/")[0] for name in names}
    return tops.pop() if len(tops) == 1 and all("/" in name for name in names) else ""
