"""Order of board numbers, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.programme.rules.days import board_key, board_text


@pytest.mark.parametrize(
    "boards",
    [
        pytest.param(["#9", "#10", "#100"], id="numbers"),
        pytest.param(["9", "# 10", "#100"], id="with and without the sign"),
        pytest.param(["A-1", "A-2", "A-10"], id="a letter and a number"),
        pytest.param(["a2", "A10", "b1"], id="letters of either case"),
        pytest.param(["A2-9", "A2-10", "A10-1"], id="two numbers"),
        pytest.param(["1", "1a", "1b", "2"], id="a letter behind"),
        pytest.param(["AB-1", "B-1"], id="words by the alphabet, not by their length"),
        pytest.param(["7", "A-1"], id="numbers before letters"),
        pytest.param(["999999999999999999", "1" + "0" * 5000], id="longer than Python reads"),
        pytest.param(["#1", "Z-99", ""], id="none comes last"),
        pytest.param(["Z-99", "  "], id="blank comes last"),
        pytest.param(["Z-99", "#"], id="a sign alone comes last"),
    ],
)
def test_board_key_sorts(boards: list[str]) -> None:
    backwards = boards[::-1]

    assert sorted(backwards, key=board_key) == boards
    assert len({board_key(board) for board in boards}) == len(boards)


@pytest.mark.parametrize(
    "same", [pytest.param("#007", id="zeros"), pytest.param(" #7 ", id="spaces"), pytest.param("7", id="bare")]
)
def test_board_key_is_the_same_for(same: str) -> None:
    assert board_key(same) == board_key("#7")


@given(st.sampled_from(["", "#", "A-", "Board "]), st.integers(0, 10**15), st.integers(0, 10**15))
def test_board_key_sorts_as_numbers_do(prefix: str, one: int, other: int) -> None:
    assert (board_key(f"{prefix}{one}") < board_key(f"{prefix}{other}")) is (one < other)


@given(st.lists(st.text(alphabet=st.characters() | st.sampled_from("#0123456789 ²٣A-"))))
def test_board_key_sorts_whatever_is_typed(boards: list[str]) -> None:
    keys = [board_key(board) for board in boards]

    assert [blank for blank, _ in sorted(keys)] == sorted(not board.strip().lstrip("# ") for board in boards)


@pytest.mark.parametrize(
    ("board", "text"),
    [("#92", "Board 92"), ("92", "Board 92"), (" # A-7", "Board A-7"), ("Board 5", "Board 5"), ("", ""), ("#", "")],
)
def test_board_is_never_a_bare_number(board: str, text: str) -> None:
    assert board_text(board) == text
