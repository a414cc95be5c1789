"""The shares of a poll's answers in per cent, and answers as lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def percents(counts: Sequence[int]) -> list[int]:
    """Return whole per cents that add up to 100, or all 0 without votes: the largest remainders are rounded up."""
    total = sum(counts)
    if not total:
        return [0] * len(counts)
    shares = [count * 100 // total for count in counts]
    by_remainder = sorted(range(len(counts)), key=lambda place: (-(counts[place] * 100 % total), place))
    for place in by_remainder[: 100 - sum(shares)]:
        shares[place] += 1
    return shares


def lines_of(text: str) -> list[str]:
    """Return the lines that are not empty, with single spaces."""
    return [line for row in text.splitlines() if (line := " ".join(row.split()))]
