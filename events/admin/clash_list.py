"""Clashes as the lists of events show them: links to what one may see, and no more than that."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from events.models import InvitedTalk, Kind, Session, Social
from events.queries.clashes import Claim, EventClash

FACES: tuple[type[Session | InvitedTalk | Social], ...] = (Session, InvitedTalk, Social)


@dataclass(frozen=True)
class Side:
    title: str
    times: str
    url: str


@dataclass(frozen=True)
class ClashRow:
    clash: EventClash
    a: Side
    b: Side


def face_of(kind: str) -> type[Session | InvitedTalk | Social]:
    """The list in which organisers find events of a kind."""
    return next(face for face in FACES if Kind(kind) in face.kinds)


def change_url(pk: int, kind: str) -> str:
    return reverse(f"admin:events_{face_of(kind)._meta.model_name}_change", args=[pk])


def rows(clashes: list[EventClash], request: HttpRequest) -> list[ClashRow]:
    return [ClashRow(clash, _side(clash, clash.a, request), _side(clash, clash.b, request)) for clash in clashes]


def _side(clash: EventClash, claim: Claim, request: HttpRequest) -> Side:
    times = claim.times(clash.conference.zone)
    # A social chair learns that the hall is taken, not by what: it may be a draft.
    if not request.user.has_perm(f"events.view_{face_of(claim.kind)._meta.model_name}"):
        return Side("something that is not a social", times, "")
    return Side(claim.title, times, change_url(claim.pk, claim.kind))
