"""What stands above a list of events: clashes, and events on a wrong day, of what the list shows."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from events.admin.base.clash_rows import ClashRow, WrongDayRow, clash_rows, wrong_day_rows
from events.admin.base.scope import default_conference
from events.programme.queries.clashes import clashes_of, wrong_days_among

MAX_SHOWN_CLASHES = 100


@dataclass(frozen=True)
class ClashNotice:
    """``coming`` ones are not over yet."""

    coming: list[ClashRow]
    past: list[ClashRow]
    wrong_days: list[WrongDayRow]

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
    shown = set(changelist.queryset.order_by().values_list("pk", flat=True)) if clashes or wrong_days else set()
    rows = clash_rows([it for it in clashes if {it.a.pk, it.b.pk} & shown], request)
    now = now or timezone.now()
    return ClashNotice(
        coming=[it for it in rows if it.clash.end > now],
        past=[it for it in rows if it.clash.end <= now],
        wrong_days=wrong_day_rows([it for it in wrong_days if it.event.pk in shown], request),
    )
