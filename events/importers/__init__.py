"""Bytes to ScheduleData, one module per format. Plain Python: no Django, no database."""
