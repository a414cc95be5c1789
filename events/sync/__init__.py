"""ScheduleData to rows: the one way any file's programme gets in."""

from __future__ import annotations

from events.sync.engine import sync
from events.sync.report import Difference, Line, SyncError, SyncReport
from events.sync.runs import run_import

__all__ = ["Difference", "Line", "SyncError", "SyncReport", "run_import", "sync"]
