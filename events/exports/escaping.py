"""Cells that a spreadsheet would take for a formula, marked as text on the way out and unmarked on the way in."""

from __future__ import annotations

import re

# Excel, LibreOffice and Google Sheets also read the full-width signs of Chinese and Japanese keyboards.
_FORMULA = r"[=+\-@\t\r\n＝＋－＠]"
_RISKY = re.compile(rf"'*{_FORMULA}")
_MARKED = re.compile(rf"'+{_FORMULA}")


def escaped(text: str) -> str:
    """One quotation mark before what begins like a formula, also before one that has such a mark already."""
    return f"'{text}" if _RISKY.match(text) else text


def unescaped(text: str) -> str:
    return text[1:] if _MARKED.match(text) else text
