"""Conferences, events, papers and people in the admin, and what an edit does to attendees."""
