"""Poster boards in the order in which one walks past them."""

from __future__ import annotations

import datetime as dt
import re

from events.schedule.spans import spoken

_DIGITS = re.compile(r"([0-9]+)")


def board_key(text: str) -> tuple[bool, tuple[str | tuple[int, str], ...]]:
    """Sort "#9" before "#10", and what has no board yet last."""
    text = text.strip().lstrip("# ").casefold()
    # Splitting alternates, words at even places and numbers at odd ones, so like is always compared with like.
    parts = tuple(_number(part) if place % 2 else part for place, part in enumerate(_DIGITS.split(text)))
    return not text, parts


def share(length: dt.timedelta, count: int) -> str:
    """The time there is for each, in words: "15 s", "3 min 30 s", "12 min"; never more than there is."""
    seconds = int(length.total_seconds()) // max(count, 1)
    if seconds < 60:
        return f"{max(seconds, 1)} s"
    if seconds < 600 and seconds % 60 >= 30:
        return f"{seconds // 60} min 30 s"
    return spoken(seconds // 60)


def _number(digits: str) -> tuple[int, str]:
    # Without zeros in front the longer number is the larger. Python refuses to make integers of thousands of digits.
    digits = digits.lstrip("0")
    return len(digits), digits
