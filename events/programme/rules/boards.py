"""Boards that several posters of one session have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from events.programme.rules.days import board_key, board_text

MAX_NAMED_POSTERS = 3


@dataclass(frozen=True)
class BoardPoster:
    """A poster with a board; ``session`` is the key of its session."""

    key: Hashable
    session: Hashable
    board: str
    title: str


def shared_boards(posters: Iterable[BoardPoster]) -> list[list[BoardPoster]]:
    """Return the posters of each board that has several of one session: of "#6" and "6", and not of an empty one."""
    by_board: dict[Hashable, list[BoardPoster]] = defaultdict(list)
    for poster in posters:
        is_empty, key = board_key(poster.board)
        if not is_empty:
            by_board[poster.session, key].append(poster)
    return [some for some in by_board.values() if len(some) > 1]


def shared_board_sentence(board: str, session: str, titles: Sequence[str]) -> str:
    more = len(titles) - MAX_NAMED_POSTERS
    named = ", ".join(f"“{title}”" for title in titles[:MAX_NAMED_POSTERS]) + (f" and {more} more" if more > 0 else "")
    return f"{board_text(board)} has {len(titles)} posters in “{session}”: {named}. Give each its board."
