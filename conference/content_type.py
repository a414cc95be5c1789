"""Content types as Django may read them: the kind of body and the boundary of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

WsgiApplication = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

KIND_PATTERN = re.compile(r"\s*([\w!#$&^.+-]{1,80}/[\w!#$&^.+-]{1,80})\s*(?:;|\Z)", re.ASCII)
# https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
BOUNDARY_PATTERN = re.compile(
    r""";\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'()+,./:=?-]{1,70}))\s*(?:;|\Z)""", re.ASCII | re.IGNORECASE
)


def plain_content_type(value: str) -> str:
    """Return the header without other parameters, and "" for a malformed one.

    Django decodes addresses and forms with any codec of Python that the parameter ``charset`` names: punycode takes minutes
    for a body of 2 MB, and rot13 raises an error before the first middleware. Our pages send UTF-8.
    """
    kind = KIND_PATTERN.match(value)
    if kind is None:
        return ""
    boundary = BOUNDARY_PATTERN.search(value) if kind[1].lower().startswith("multipart/") else None
    return f'{kind[1]}; boundary="{boundary[1] or boundary[2]}"' if boundary else kind[1]


def with_plain_content_type(application: WsgiApplication) -> WsgiApplication:
    def plain(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if value := environ.get("CONTENT_TYPE"):
            environ["CONTENT_TYPE"] = plain_content_type(value)
        return application(environ, start_response)

    return plain
