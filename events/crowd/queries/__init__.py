"""Queries for crowds: reports, outlook, the block on the event page, and rooms that are too small."""
