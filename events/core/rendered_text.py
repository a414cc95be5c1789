"""HTML and plain text of Markdown, stored in the cache of the process."""

from __future__ import annotations

from events.core import text as conversion
from events.core.byte_cache import PROCESS_CACHE, digest_of


def cached_html(text: str) -> str:
    return PROCESS_CACHE.get_or_build(("markdown", digest_of(text)), lambda: conversion.markdown_to_html(text))


def cached_line_html(text: str) -> str:
    return PROCESS_CACHE.get_or_build(("markdown line", digest_of(text)), lambda: conversion.markdown_line_to_html(text))


def cached_plain_text(text: str) -> str:
    return PROCESS_CACHE.get_or_build(
        ("plain text", digest_of(text)), lambda: conversion.clean_text(conversion.markdown_to_text(text)).strip()
    )
