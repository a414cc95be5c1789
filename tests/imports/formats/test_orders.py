"""The order of rooms, of which each day shows a part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.imports.formats.orders import merged_order


@pytest.mark.parametrize(
    ("parts", "order"),
    [
        pytest.param([["a", "c"], ["b", "c"]], ["a", "b", "c"], id="as-they-come"),
        pytest.param([["c"], ["a", "b"], ["b", "c"]], ["a", "b", "c"], id="later-days-decide"),
        pytest.param([["a", "b"], ["b", "a"]], ["a", "b"], id="contradiction"),
        pytest.param([["a", "a", "b"], []], ["a", "b"], id="repeated"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_order_of_all_parts(parts: list[list[str]], order: list[str]) -> None:
    assert merged_order(parts) == order


@given(st.permutations("abcdefgh"), st.lists(st.sets(st.sampled_from("abcdefgh")), max_size=5))
def test_order_of_every_part_is_kept(order: list[str], chosen: list[set[str]]) -> None:
    parts = [[name for name in order if name in some] for some in chosen]

    merged = merged_order(parts)

    assert sorted(merged) == sorted(set().union(*chosen))
    assert [[name for name in merged if name in some] for some in chosen] == parts


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), max_size=6))
def test_every_name_is_there_once_whatever_the_parts(parts: list[list[str]]) -> None:
    assert sorted(merged_order(parts)) == sorted({name for part in parts for name in part})
