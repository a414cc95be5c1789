"""What stands above a list of events (clashes, wrong days and boards given twice), and what a form names once saved."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join

from events.admin.base.clash_rows import (
    ClashRow,
    SharedBoardRow,
    WrongDayRow,
    clash_rows,
    event_change_url,
    may_view_kind,
    shared_board_rows,
    wrong_day_rows,
)
from events.admin.base.scope import default_conference
from events.programme.models.event import Event
from events.programme.models.labels import Kind
from events.programme.queries.boards import shared_boards_among
from events.programme.queries.clashes import clashes_of, clashes_since, wrong_days_among
from events.programme.rules.clashes import Booking

MAX_SHOWN_CLASHES = 100
MAX_NAMED_CLASHES = 3
BOARD_FIELDS = frozenset({"type", "status", "session", "board"})
CLASHING_FIELDS = frozenset({"type", "day", "start", "end", "room", "status", "session"})


@dataclass(frozen=True)
class ClashNotice:
    """``coming`` ones are not over yet."""

    coming: list[ClashRow]
    past: list[ClashRow]
    wrong_days: list[WrongDayRow]
    boards: list[SharedBoardRow]

    @property
    def next(self) -> ClashRow | None:
        return self.coming[0] if self.coming else None

    @property
    def more_coming(self) -> int:
        return max(0, len(self.coming) - MAX_SHOWN_CLASHES)

    @property
    def more_past(self) -> int:
        return max(0, len(self.past) - MAX_SHOWN_CLASHES)


def clash_notice(request: HttpRequest, changelist: Any, now: dt.datetime | None = None) -> ClashNotice | None:
    """Those of one conference in which an event of the list takes part, with its filters and its search."""
    conference = default_conference(request)
    if conference is None or request.method != "GET":
        return None
    clashes, wrong_days = clashes_of(conference), wrong_days_among([conference])
    boards = shared_boards_among(Event.objects.filter(conference=conference)) if may_view_kind(Kind.POSTER, request) else []
    shown = set(changelist.queryset.order_by().values_list("pk", flat=True)) if clashes or wrong_days or boards else set()
    rows = clash_rows([it for it in clashes if {it.a.pk, it.b.pk} & shown], request)
    now = now or timezone.now()
    return ClashNotice(
        coming=[it for it in rows if it.clash.end > now],
        past=[it for it in rows if it.clash.end <= now],
        wrong_days=wrong_day_rows([it for it in wrong_days if it.event.pk in shown], request),
        boards=shared_board_rows([it for it in boards if it.keys & shown]),
    )


def may_clash(form: Any, formsets: list[Any]) -> bool:
    """Whether what was typed can make a clash, so that most forms are saved without reading the programme."""
    return bool(CLASHING_FIELDS & set(form.changed_data)) or any(formset.has_changed() for formset in formsets)


def warn_of_new_clashes(modeladmin: Any, request: HttpRequest, event: Event, before: Iterable[Booking]) -> None:
    """Name what the saved form added to the bookings ``before``: a clash never prevents a save."""
    rows = clash_rows(clashes_since(before, event.conference), request)
    for row in rows[:MAX_NAMED_CLASHES]:
        others = [side for side, it in ((row.a, row.clash.a), (row.b, row.clash.b)) if it.pk != event.pk and side.url]
        links = format_html_join("", ' <a href="{}">Open “{}”</a>', ((side.url, side.title) for side in others))
        modeladmin.message_user(request, format_html("{}{}", row.sentence, links), messages.WARNING)
    more = len(rows) - MAX_NAMED_CLASHES
    if more > 0:
        clashes = "1 more clash" if more == 1 else f"{more} more clashes"
        modeladmin.message_user(request, f"And {clashes}: the list of events has all of them.", messages.WARNING)


def warn_of_shared_boards(modeladmin: Any, request: HttpRequest, form: Any, formsets: list[Any]) -> None:
    """Name the boards of saved posters that another poster of their session has."""
    event: Event = form.instance
    rows = [
        row for formset in formsets if formset.model is Event for row in formset.forms if BOARD_FIELDS & set(row.changed_data)
    ]
    saved = {row.instance.pk for row in rows}
    sessions = {event.pk} if rows else set()
    if BOARD_FIELDS & set(form.changed_data) and event.type.kind == Kind.POSTER and event.session_id and event.board:
        saved.add(event.pk)
        sessions.add(event.session_id)
    boards = shared_boards_among(Event.objects.filter(session__in=sessions)) if sessions else []
    found = [it for it in boards if it.keys & saved]
    for shared in found[:MAX_NAMED_CLASHES]:
        mine = next(poster for poster in shared.posters if poster.key in saved)
        others = [(event_change_url(it.key, Kind.POSTER), it.title) for it in shared.posters if it != mine]
        links = format_html_join(", ", '<a href="{}">“{}”</a>', others[:MAX_NAMED_CLASHES])
        more = f" and {len(others) - MAX_NAMED_CLASHES} more" if others[MAX_NAMED_CLASHES:] else ""
        # In the form of a session the poster is one row of many.
        whose = "" if mine.key == event.pk else f"“{mine.title}”: "
        text = format_html("{}{} is also {}{} in this session.", whose, shared.board, links, more)
        modeladmin.message_user(request, text, messages.WARNING)
    left = len(found) - MAX_NAMED_CLASHES
    if left > 0:
        count = "1 more board is" if left == 1 else f"{left} more boards are"
        modeladmin.message_user(request, f"And {count} given twice: the list of events has all of them.", messages.WARNING)
