"""The drawings of icons.svg, written into each page: a file of its own is one more document for a browser (decision 063)."""

from __future__ import annotations

import functools
from pathlib import Path

from defusedxml import ElementTree

ICONS_FILE = Path(__file__).with_name("icons.svg")


@functools.cache
def icon_paths() -> dict[str, str]:
    """The ``d`` of the path of each icon by name, in a square of 24."""
    return {symbol.attrib["id"]: symbol[0].attrib["d"] for symbol in ElementTree.parse(ICONS_FILE).getroot()}


def icon_path(name: str) -> str:
    """Return an empty path for a name that is no icon's: organisers name those of types and services."""
    return icon_paths().get(name, "")
