"""An .ics calendar, as programmes and calendar programs export it, into ScheduleData."""

from __future__ import annotations

from events.importers.icalendar_file.calendar import parse, recognises

__all__ = ["parse", "recognises"]
