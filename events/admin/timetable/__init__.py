"""The timetable of a day, on which organisers move events to another hour or room."""
