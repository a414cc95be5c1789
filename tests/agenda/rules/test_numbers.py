"""Numbers as organisers may see them."""

from __future__ import annotations

import pytest

from events.agenda.rules.numbers import Figure


@pytest.mark.parametrize(
    ("count", "is_sum", "text", "shown"),
    [
        pytest.param(0, False, "0", 0, id="nobody"),
        pytest.param(4, False, "<5", 0, id="too few"),
        pytest.param(5, False, "5", 5, id="enough"),
        pytest.param(12, False, "12", 12, id="exact"),
        pytest.param(4, True, "<5", 0, id="sum of too few"),
        pytest.param(12, True, "10+", 10, id="sum rounded down"),
        pytest.param(15, True, "15+", 15, id="sum that may be more"),
    ],
)
def test_small_numbers_and_sums_hide_people(count: int, is_sum: bool, text: str, shown: int) -> None:
    figure = Figure("Talks", count, is_sum)

    assert (figure.text, figure.shown) == (text, shown)


def test_no_subtraction_finds_fewer_than_five() -> None:
    """A type with two events, of which one is shown: the rest is at least five or may be none."""
    for rest in range(5):
        assert Figure("Type", 10 + rest, is_sum=True).shown - Figure("Event", 10).shown == 0
