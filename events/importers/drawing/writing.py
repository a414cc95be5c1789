"""Texts and attributes of a drawing as they are written down."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from events.importers.cells import unprintable

LONGEST_TEXT = 500
_SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    short = _SPACES.sub(" ", text)[:LONGEST_TEXT]
    return "".join(it for it in short if not unprintable(it))


def written(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())
