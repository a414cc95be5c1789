"""Events by kind, as organisers edit them: sessions, invited talks and socials, each in a list of its own."""

from __future__ import annotations

from typing import Any

from django.db import models

from events.programme.models.event import Event, EventQuerySet
from events.programme.models.labels import Kind


class KindManager(models.Manager.from_queryset(EventQuerySet)):  # type: ignore[misc]
    def __init__(self, *kinds: Kind) -> None:
        super().__init__()
        self.kinds = kinds

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(type__kind__in=self.kinds)


class Session(Event):
    """All kinds except invited talks and socials."""

    kinds = (Kind.SESSION, Kind.TALK, Kind.POSTER, Kind.BREAK, Kind.SERVICE)
    objects = KindManager(*kinds)  # type: ignore[misc]

    class Meta:
        proxy = True


class InvitedTalk(Event):
    kinds = (Kind.INVITED_TALK,)
    objects = KindManager(*kinds)  # type: ignore[misc]

    class Meta:
        proxy = True


class Social(Event):
    kinds = (Kind.SOCIAL,)
    objects = KindManager(*kinds)  # type: ignore[misc]

    class Meta:
        proxy = True
