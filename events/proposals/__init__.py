"""Proposals: attendees send socials, corrections and reports; chairs decide."""
