"""Formats of Django's own pages, where they differ from those of the language."""
