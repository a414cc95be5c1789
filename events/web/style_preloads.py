"""The styles of a page, named in its header, so that browsers ask for them before they read the page (decision 065)."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

from django.http import HttpRequest, HttpResponse

# What a page waits for before it is painted; styles for print have another attribute.
STYLE_LINK = re.compile(r'<link rel="stylesheet" href="([^"<>]+)">')


def add_style_preloads(response: HttpResponse) -> HttpResponse:
    head = response.content[: response.content.find(b"</head>") + 1].decode(response.charset)
    if addresses := STYLE_LINK.findall(head):
        response.headers["Link"] = ", ".join(f"<{unescape(address)}>; rel=preload; as=style" for address in addresses)
    return response


def preload_styles(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Name the styles of all pages that are not cached; cached ones are stored with the header."""

    def middleware(request: HttpRequest) -> Any:
        response = get_response(request)
        is_page = not response.streaming and response.headers.get("Content-Type", "").startswith("text/html")
        # What is compressed already comes from the cache.
        return add_style_preloads(response) if is_page and "Content-Encoding" not in response.headers else response

    return middleware
