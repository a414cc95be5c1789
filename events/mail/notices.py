"""Mail to organisers about what needs them: a registry, because the rooms in which it happens cannot import the admin."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TypeAlias

from django.db import transaction
from django.utils import timezone

from events.core.limits import NOTICE_CHECKS

NoticeWriter: TypeAlias = Callable[[dt.datetime], object]
"""Takes the time now, and queues the letters that are due."""

NOTICE_WRITERS: list[NoticeWriter] = []


def register(writer: NoticeWriter) -> None:
    """Set the only writer; ``EventsConfig.ready`` does it once."""
    NOTICE_WRITERS[:] = [writer]


def tell_organisers() -> None:
    """After the commit, at most once a minute in all. What comes in between, ``send_letters --watch`` or the next call mails."""
    transaction.on_commit(_write_notices, robust=True)


def _write_notices() -> None:
    if NOTICE_CHECKS.is_reached(in_all="") or not NOTICE_CHECKS.allows(in_all=""):
        return
    for writer in NOTICE_WRITERS:
        writer(timezone.now())
