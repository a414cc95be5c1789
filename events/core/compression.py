"""Gzip by igzip, which takes a tenth to a half of zlib's time (decision 064)."""

from __future__ import annotations

from collections.abc import Iterable

from isal import isal_zlib

IGZIP_LEVEL = 2
"""Of 0 to 3. As small as level 3 of zlib."""
GZIP_FORMAT = isal_zlib.MAX_WBITS | 16


def compressed(parts: Iterable[bytes]) -> bytes:
    """Return the parts as one gzip file that names no time, so that the same rows give the same bytes in every process."""
    packer = isal_zlib.compressobj(IGZIP_LEVEL, wbits=GZIP_FORMAT)
    return b"".join([*map(packer.compress, parts), packer.flush()])


def decompressed(gzipped: bytes) -> bytes:
    return isal_zlib.decompress(gzipped, wbits=GZIP_FORMAT)
