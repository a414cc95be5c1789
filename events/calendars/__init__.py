"""Rows to iCalendar: entries, calendars, feeds, and the links people subscribe by."""
