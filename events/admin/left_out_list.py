"""What calendars leave out, as organisers see it: links to what one may see, and no more than that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest

from events.admin.clash_list import FACES, change_url, face_of
from events.calendars.left_out import LeftOut, left_out
from events.models import Conference, Event


@dataclass(frozen=True)
class LeftOutRow:
    title: str
    problem: str
    url: str


def rows(conferences: Iterable[Conference], request: HttpRequest) -> list[LeftOutRow]:
    return [_row(it, request) for it in left_out(conferences)] if any(_may_see(face, request) for face in FACES) else []


def _row(event: LeftOut, request: HttpRequest) -> LeftOutRow:
    if not _may_see(face_of(event.kind), request):
        return LeftOutRow("Something that is not a social", event.problem, "")
    # There is no form for a row that cannot be read.
    return LeftOutRow(event.title, event.problem, change_url(event.pk, event.kind) if event.readable else "")


def _may_see(face: type[Event], request: HttpRequest) -> bool:
    return request.user.has_perm(f"events.view_{face._meta.model_name}")
