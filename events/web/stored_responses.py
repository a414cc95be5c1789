"""Responses from stored files: streamed, decompressed for clients that accept no gzip, and refusals while others are built."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from typing import BinaryIO

from django.http import HttpResponse, StreamingHttpResponse

from events.core.stored_files import MAX_BUILDER_WAIT_SECONDS, StoredFile
from events.web.caching import NO_STORE_CACHE_CONTROL, PUBLIC_CACHE_CONTROL
from events.web.request import Request

FILE_CHUNK_BYTES = 2**16
MAX_WHOLE_BYTES = 2**18
"""Larger answers are streamed, so that slow clients take no memory."""
LAST_BYTES_CACHE_CONTROL = "public, max-age=10"
BUSY_TEXT = f"This file is being written, as the programme has just changed. Ask again in {MAX_BUILDER_WAIT_SECONDS} seconds.\n"


def stored_cache_control(stored: StoredFile) -> str:
    """Whoever got last bytes asks again soon."""
    return LAST_BYTES_CACHE_CONTROL if stored.is_last else PUBLIC_CACHE_CONTROL


def stored_response(
    request: Request, stored: StoredFile, content_type: str, *, unzips: bool = False
) -> HttpResponse | StreamingHttpResponse:
    """Return the bytes of the file and close it."""
    length = _unzipped_size(stored) if unzips else stored.size
    response: HttpResponse | StreamingHttpResponse
    if request.method != "HEAD" and length > MAX_WHOLE_BYTES:
        response = StreamingHttpResponse(_chunks(stored.file, unzips=unzips), content_type=content_type)
    else:
        body = b"" if request.method == "HEAD" else b"".join(_chunks(stored.file, unzips=unzips))
        stored.file.close()
        response = HttpResponse(body, content_type=content_type)
    response["Content-Length"] = str(length)
    return response


def _chunks(file: BinaryIO, *, unzips: bool) -> Iterator[bytes]:
    with file, gzip.GzipFile(fileobj=file) if unzips else file as plain:
        while chunk := plain.read(FILE_CHUNK_BYTES):
            yield chunk


def _unzipped_size(stored: StoredFile) -> int:
    """Read the last four bytes, where gzip has the size (RFC 1952 2.3.1): our files are one member, below 4 GB."""
    stored.file.seek(-4, io.SEEK_END)
    size = int.from_bytes(stored.file.read(4), "little")
    stored.file.seek(0)
    return size


def busy_response() -> HttpResponse:
    headers = {"Retry-After": str(MAX_BUILDER_WAIT_SECONDS), "Cache-Control": NO_STORE_CACHE_CONTROL}
    return HttpResponse(BUSY_TEXT, status=503, content_type="text/plain; charset=utf-8", headers=headers)
