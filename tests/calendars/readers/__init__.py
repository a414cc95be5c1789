"""Readers of calendars that know nothing of each other: bytes in, entries out."""
