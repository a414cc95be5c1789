"""Primary keys as forms and addresses send them."""

from __future__ import annotations

MAX_KEY_DIGITS = 18
"""More do not fit into a column of 64 bits."""


def is_key(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_KEY_DIGITS
