"""Poster boards in the order in which one walks past them."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"([0-9]+)")


def board_key(text: str) -> tuple[bool, tuple[str | tuple[int, str], ...]]:
    """Sort "#9" before "#10", and what has no board yet last."""
    text = text.strip().lstrip("# ").casefold()
    # Splitting alternates, words at even places and numbers at odd ones, so like is always compared with like.
    parts = tuple(_number(part) if place % 2 else part for place, part in enumerate(_DIGITS.split(text)))
    return not text, parts


def _number(digits: str) -> tuple[int, str]:
    # Without zeros in front the longer number is the larger. Python refuses to make integers of thousands of digits.
    digits = digits.lstrip("0")
    return len(digits), digits
