"""Calendars of the programme and of agendas: feeds, downloads, and who fetched them."""
