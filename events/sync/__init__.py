"""ScheduleData to rows: the one way any file's programme gets in."""

from __future__ import annotations

from events.sync.engine import sync
from events.sync.report import Difference, Line, SyncError, SyncReport
from events.sync.runs import keep_unopened, reason_of, run_import

__all__ = ["Difference", "Line", "SyncError", "SyncReport", "keep_unopened", "reason_of", "run_import", "sync"]
