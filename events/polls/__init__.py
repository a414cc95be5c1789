"""Polls that organisers open for an event, and the votes of attendees."""
