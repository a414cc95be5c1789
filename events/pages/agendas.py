"""The costly part of an agenda's page, kept while nothing that it shows has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from events.http import Request
from events.models import Agenda
from events.pages.shared import OWN_SHELF, OwnHtml, state_of, this_minute


@dataclass(frozen=True, slots=True)
class DrawnAgenda(OwnHtml):
    """The days and the recordings as HTML without any form's token, and what the head of the page says of them."""

    count: int = 0
    conflicts: int = 0
    quiet: int = 0
    later: int = 0


def drawn(request: Request, agenda: Agenda, draw: Callable[[], DrawnAgenda]) -> DrawnAgenda:
    """As it was drawn in this minute for the same agenda, programme and wishes, or drawn now."""
    key = ("agenda", state_of(request, agenda, this_minute()))
    return cast(DrawnAgenda, OWN_SHELF.get_or_build(key, lambda _: True, draw))
