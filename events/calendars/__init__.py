"""Calendars of the programme and of agendas: feeds, downloads, and the log of fetches."""
