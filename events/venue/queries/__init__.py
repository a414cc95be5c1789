"""Reads of the venue: amenities, maps, and ways."""
