"""Boards that several posters of one session have, for organisers: shown, and never refused."""

from __future__ import annotations

from dataclasses import dataclass

from events.programme.models.event import EventQuerySet
from events.programme.models.labels import Kind, Status
from events.programme.rules.boards import BoardPoster, shared_board_sentence, shared_boards
from events.programme.rules.days import board_text


@dataclass(frozen=True)
class SharedBoard:
    session: str
    posters: list[BoardPoster]

    @property
    def board(self) -> str:
        return board_text(self.posters[0].board)

    @property
    def keys(self) -> set[object]:
        return {poster.key for poster in self.posters}

    @property
    def sentence(self) -> str:
        return shared_board_sentence(self.posters[0].board, self.session, [poster.title for poster in self.posters])


def shared_boards_among(events: EventQuerySet) -> list[SharedBoard]:
    """Read them in one query. Cancelled posters do not count."""
    posters = events.of_kind(Kind.POSTER).exclude(status=Status.CANCELLED).exclude(session=None).exclude(board="")
    rows = posters.order_by("session__start", "session", "title", "pk").values_list(
        "pk", "session_id", "board", "title", "session__title"
    )
    sessions: dict[object, str] = {}
    found = []
    for pk, session_id, board, title, session in rows:
        sessions[session_id] = session
        found.append(BoardPoster(pk, session_id, board, title))
    return [SharedBoard(sessions[some[0].session], some) for some in shared_boards(found)]
