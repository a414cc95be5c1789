"""Clashes as rows for the lists of events, with links to the events that the user may see."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.urls import reverse

from events.programme.models.event_kinds import InvitedTalk, Session, Social
from events.programme.models.labels import Kind
from events.programme.queries.boards import SharedBoard
from events.programme.queries.clashes import ClashingEvent, EventClash, WrongDay

EVENT_PROXIES: tuple[type[Session | InvitedTalk | Social], ...] = (Session, InvitedTalk, Social)


@dataclass(frozen=True)
class ClashSide:
    title: str
    times: str
    url: str


@dataclass(frozen=True)
class ClashRow:
    clash: EventClash
    a: ClashSide
    b: ClashSide

    @property
    def sentence(self) -> str:
        """With the titles that the user may read."""
        a, b = (replace(it, title=side.title) for it, side in ((self.clash.a, self.a), (self.clash.b, self.b)))
        return replace(self.clash, a=a, b=b).sentence


def proxy_of_kind(kind: str) -> type[Session | InvitedTalk | Social]:
    """The proxy model whose list contains events of this kind."""
    return next(proxy for proxy in EVENT_PROXIES if Kind(kind) in proxy.kinds)


def event_change_url(pk: object, kind: str) -> str:
    return reverse(f"admin:events_{proxy_of_kind(kind)._meta.model_name}_change", args=[pk])


def clash_rows(clashes: list[EventClash], request: HttpRequest) -> list[ClashRow]:
    return [ClashRow(clash, _clash_side(clash, clash.a, request), _clash_side(clash, clash.b, request)) for clash in clashes]


@dataclass(frozen=True)
class WrongDayRow:
    sentence: str
    url: str


def wrong_day_rows(wrong_days: list[WrongDay], request: HttpRequest) -> list[WrongDayRow]:
    """Rows for the events that the user may see."""
    return [
        WrongDayRow(it.sentence, event_change_url(it.event.pk, it.event.kind))
        for it in wrong_days
        if may_view_kind(it.event.kind, request)
    ]


@dataclass(frozen=True)
class SharedBoardRow:
    shared: SharedBoard

    @property
    def links(self) -> list[tuple[str, str]]:
        return [(event_change_url(poster.key, Kind.POSTER), poster.title) for poster in self.shared.posters]


def shared_board_rows(boards: list[SharedBoard]) -> list[SharedBoardRow]:
    return [SharedBoardRow(shared) for shared in boards]


def may_view_kind(kind: str, request: HttpRequest) -> bool:
    return request.user.has_perm(f"events.view_{proxy_of_kind(kind)._meta.model_name}")


def _clash_side(clash: EventClash, claim: ClashingEvent, request: HttpRequest) -> ClashSide:
    times = claim.times(clash.conference.zone)
    # Social chairs see that a room is taken but not by what, which may be a draft.
    if not may_view_kind(claim.kind, request):
        return ClashSide("something that is not a social", times, "")
    return ClashSide(claim.title, times, event_change_url(claim.pk, claim.kind))
