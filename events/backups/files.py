"""Files of a backup: copied with their checksums, with a sentence for each fault of the disk."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import pwd
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from tqdm import tqdm

COPY_CHUNK_BYTES = 2**20
SPARE_BYTES = 10 * 2**20


class BackupError(Exception):
    """Its text names the place, the value and the remedy."""


class FileMark(NamedTuple):
    size: int
    sha256: str


def progress_bar(title: str, total: int | None, unit: str = "B") -> tqdm[Any]:
    """Shown in a terminal only; a timer's journal gets none."""
    return tqdm(total=total, desc=title, unit=unit, unit_scale=True, leave=False, disable=None)


def copy_marked(source: Path, target: Path, bar: tqdm[Any]) -> FileMark:
    with source.open("rb") as read, target.open("xb") as written:
        mark = _mark(read, bar, written.write)
        written.flush()
        os.fsync(written.fileno())
    return mark


def mark_of(file: Path, bar: tqdm[Any]) -> FileMark:
    with file.open("rb") as read:
        return _mark(read, bar)


def _mark(read: BinaryIO, bar: tqdm[Any], write: Callable[[bytes], object] | None = None) -> FileMark:
    digest, size = hashlib.sha256(), 0
    while chunk := read.read(COPY_CHUNK_BYTES):
        if write:
            write(chunk)
        digest.update(chunk)
        size += len(chunk)
        bar.update(len(chunk))
    return FileMark(size, digest.hexdigest())


def sync_to_disk(place: Path) -> None:
    """The content of a file, and the names in a folder, survive a power failure only after this."""
    opened = os.open(place, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def files_below(folder: Path) -> list[Path]:
    """Regular files in order, without links and without hidden ones, which are unfinished."""
    found = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    shown = (path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))
    return sorted(path for path in shown if path.is_file() and not path.is_symlink())


@contextlib.contextmanager
def disk_faults(place: Path) -> Iterator[None]:
    """Turn an error of the disk into a sentence."""
    try:
        yield
    except OSError as error:
        # A fault below a folder that is deleted names a file without its folder.
        where = error.filename if Path(error.filename or "").is_absolute() else place
        remedy = {
            errno.ENOSPC: "Free space there, or name another folder.",
            errno.EDQUOT: "Free space there, or name another folder.",
            errno.EROFS: "It is mounted read-only: mount it for writing, or name another folder.",
            errno.EACCES: f"Give it to the user who runs this: chown -R {user_name(os.geteuid())}: {where}",
            errno.EPERM: f"Give it to the user who runs this: chown -R {user_name(os.geteuid())}: {where}",
        }.get(error.errno or 0, "Check the disk.")
        raise BackupError(f"{where}: {error.strerror or error}. {remedy}") from error


def require_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE_BYTES:
        raise BackupError(
            f"{folder}: {free // 2**20} MB are free, {(needed + SPARE_BYTES) // 2**20 + 1} MB are needed. "
            "Free space there, or name another folder."
        )


def refuse_root(folder: Path) -> None:
    """Files that root makes in the folder of another user could not be written by the service."""
    while not folder.exists():
        folder = folder.parent
    owner = folder.stat().st_uid
    if os.geteuid() == 0 and owner != 0:
        name = user_name(owner)
        raise BackupError(
            f"{folder} belongs to {name}, who could not write what root makes there. Run this as {name}: runuser -u {name} -- …"
        )


def user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
