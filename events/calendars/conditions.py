"""Whether a client has the current version already (RFC 9110, section 13)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping

from django.utils.http import parse_http_date_safe

TAG = re.compile(r'(?:W/)?"(?P<tag>[^"]*)"')
# Servers that compress on the way name the compressed form like this, and hand the name back.
COMPRESSED = re.compile(r"[-;](gzip|br|zstd|deflate)\Z")


def is_current(headers: Mapping[str, str], etag: str, last_modified: Callable[[], dt.datetime | None]) -> bool:
    """By If-None-Match if it is there; only without it by If-Modified-Since, which costs a query."""
    if "If-None-Match" in headers:
        return names(headers["If-None-Match"], etag)
    since = parse_http_date_safe(headers.get("If-Modified-Since", ""))
    if since is None:
        return False
    newest = last_modified()
    return newest is not None and int(newest.timestamp()) <= since


def names(header: str, etag: str) -> bool:
    """Whether the list has this version in it: quoted, weak, compressed on the way, or as ``*``."""
    if header.strip() == "*":
        return True
    return etag.strip('"') in {COMPRESSED.sub("", match["tag"]) for match in TAG.finditer(header)}
