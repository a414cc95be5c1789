"""Announcements of the organisers: banner, page, feed, and the choice of attendance."""
