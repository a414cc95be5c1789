"""Shares in per cent, and answers as lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.polls.rules import lines_of, percents


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([], []), ([0, 0], [0, 0]), ([1, 1, 1], [34, 33, 33]), ([2, 1], [67, 33]), ([1, 0], [100, 0]), ([199, 1], [100, 0])],
)
def test_percents_are_whole(counts: list[int], expected: list[int]) -> None:
    assert percents(counts) == expected


@given(st.lists(st.integers(0, 10_000), min_size=2, max_size=6).filter(any))
def test_percents_add_up_and_are_within_one_of_the_share(counts: list[int]) -> None:
    found = percents(counts)

    assert sum(found) == 100
    assert all(abs(percent - count * 100 / sum(counts)) < 1 for percent, count in zip(found, counts, strict=True))


def test_lines_are_trimmed_and_empty_ones_left_out() -> None:
    assert lines_of(" Yes \r\n\n  No  way\n\t\n") == ["Yes", "No way"]
