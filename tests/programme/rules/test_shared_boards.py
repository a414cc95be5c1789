"""Boards that several posters of one session have."""

from __future__ import annotations

from events.programme.rules.boards import BoardPoster, shared_board_sentence, shared_boards


def test_board_is_compared_as_it_is_sorted_and_within_its_session() -> None:
    boards = [("1", "#6"), ("1", "06"), ("1", "7"), ("2", "6"), ("1", ""), ("1", " # "), ("1", "a1"), ("1", "A1")]
    posters = [BoardPoster(number, session, board, "") for number, (session, board) in enumerate(boards)]

    assert [[poster.key for poster in some] for some in shared_boards(posters)] == [[0, 1], [6, 7]]


def test_sentence_names_a_few_posters_and_counts_the_rest() -> None:
    assert shared_board_sentence("#6", "Posters", ["A", "B", "C", "D"]) == (
        "Board 6 has 4 posters in “Posters”: “A”, “B”, “C” and 1 more. Give each its board."
    )
