"""Responses from stored files, decompressed for clients that accept no gzip, and refusals while others are built."""

from __future__ import annotations

import io

from django.http import HttpResponse

from events.core.compression import decompressed
from events.core.stored_files import MAX_BUILDER_WAIT_SECONDS, StoredFile
from events.web.caching import NO_STORE_CACHE_CONTROL, PUBLIC_CACHE_CONTROL
from events.web.request import Request

LAST_BYTES_CACHE_CONTROL = "public, max-age=10"
BUSY_TEXT = f"This file is being written, as the programme has just changed. Ask again in {MAX_BUILDER_WAIT_SECONDS} seconds.\n"


def stored_cache_control(stored: StoredFile) -> str:
    """Whoever got last bytes asks again soon."""
    return LAST_BYTES_CACHE_CONTROL if stored.is_last else PUBLIC_CACHE_CONTROL


def stored_response(request: Request, stored: StoredFile, content_type: str, *, unzips: bool = False) -> HttpResponse:
    """Return the bytes of the file and close it.

    Not streamed: granian keeps a thread for each stream, so that eight slow readers of a large file would stop the site.
    """
    with stored.file as file:
        length = _unzipped_size(stored) if unzips else stored.size
        body = b"" if request.method == "HEAD" else file.read()
    response = HttpResponse(decompressed(body) if unzips and body else body, content_type=content_type)
    response["Content-Length"] = str(length)
    return response


def _unzipped_size(stored: StoredFile) -> int:
    """Read the last four bytes, where gzip has the size (RFC 1952 2.3.1): our files are one member, below 4 GB."""
    stored.file.seek(-4, io.SEEK_END)
    size = int.from_bytes(stored.file.read(4), "little")
    stored.file.seek(0)
    return size


def busy_response() -> HttpResponse:
    headers = {"Retry-After": str(MAX_BUILDER_WAIT_SECONDS), "Cache-Control": NO_STORE_CACHE_CONTROL}
    return HttpResponse(BUSY_TEXT, status=503, content_type="text/plain; charset=utf-8", headers=headers)
