"""ScheduleData to rows: the one way any file's programme gets in."""

from __future__ import annotations

from events.sync.engine import sync
from events.sync.report import SyncError, SyncReport

__all__ = ["SyncError", "SyncReport", "sync"]
