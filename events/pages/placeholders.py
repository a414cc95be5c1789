"""Placeholders in a page that is cached for everybody, where something personal is shown to each visitor.

While such a page is rendered, template tags list their placeholders in the request and write marks into the page.
A mark has a random word in it, so that no text of a page can pretend to be one.
"""

from __future__ import annotations

import re
import secrets
from typing import NamedTuple

from events.http import Request

_WORD = secrets.token_hex(8)
_MARK = re.compile(f"\x02{_WORD}:([0-9]+)\x03")


class Placeholder(NamedTuple):
    """The name of a personal fragment with its arguments, and what is shown to visitors who have none."""

    name: str
    arguments: tuple[object, ...]
    default: bytes = b""


Part = bytes | Placeholder


def mark(request: Request, placeholder: Placeholder) -> str:
    request.placeholders.append(placeholder)
    return f"\x02{_WORD}:{len(request.placeholders) - 1}\x03"


def split(page: str, placeholders: list[Placeholder]) -> tuple[Part, ...]:
    """The page, cut at its marks."""
    pieces = _MARK.split(page)
    return tuple(placeholders[int(piece)] if number % 2 else piece.encode() for number, piece in enumerate(pieces))
