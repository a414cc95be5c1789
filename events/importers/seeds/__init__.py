"""A folder of TOML and CSV files, as seeds/README.md describes it, into ScheduleData."""

from __future__ import annotations

from events.importers.seeds.folder import parse, parse_folder, recognises

__all__ = ["parse", "parse_folder", "recognises"]
