"""Drawings from strangers: of an SVG only what is drawn, written anew by us."""

from __future__ import annotations

from events.importers.drawing.reading import Drawing, read_drawing
from events.importers.drawing.walking import LARGEST

__all__ = ["LARGEST", "Drawing", "read_drawing"]
