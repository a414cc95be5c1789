"""Pieces of large files, kept in a folder so that the next file is joined from them."""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Mapping
from itertools import accumulate, pairwise
from pathlib import Path

from django.conf import settings

logger = logging.getLogger("events.files")

Pieces = Mapping[str, bytes]


class KeptPieces:
    """One file for each name: a line of JSON with keys and lengths, then the pieces. It may be deleted at any time.

    A key says all that its piece depends on. Only who builds the file of that name writes, under the lock of its folder.
    """

    def __init__(self, setting: str) -> None:
        self._setting = setting

    def load(self, name: str) -> dict[str, bytes]:
        """Return nothing if there is no file, or one that was cut off."""
        try:
            content = self._path(name).read_bytes()
            head = content.index(b"\n") + 1
            keys, lengths = json.loads(content[:head])
        except (OSError, ValueError):
            return {}
        bounds = list(accumulate(lengths, initial=head))
        if len(content) != bounds[-1]:
            return {}
        return {key: content[start:end] for key, (start, end) in zip(keys, pairwise(bounds), strict=True)}

    def store(self, name: str, pieces: Pieces) -> None:
        path = self._path(name)
        part = path.with_name(f"{path.name}.part")
        head = json.dumps([list(pieces), [len(piece) for piece in pieces.values()]]).encode()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.writelines([head, b"\n", *pieces.values()])
            part.replace(path)
        except OSError as error:
            logger.error("Cannot store %s, so the next export is built as a whole: %s", path, error)
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return Path(getattr(settings, self._setting)) / f"pieces@{name}"


KEPT_PIECES = KeptPieces("EXPORT_ROOT")
