"""iCalendar files (.ics)."""
