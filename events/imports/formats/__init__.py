"""Parsers, one for each format: a document becomes a ScheduleData."""
