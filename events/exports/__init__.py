"""The public programme as schedule.xml, schedule.json and CSV."""
