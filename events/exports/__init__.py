"""Rows to schedule.xml, schedule.json and CSV: what the public may know, so that nobody must scrape it."""
