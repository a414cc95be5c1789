"""What is in the admin; agendas and bookmarks are the visitors' own, and are not."""

from __future__ import annotations

from events.admin import changes, conference, directions, imports, labels, papers, people, place, programme, services

__all__ = ["changes", "conference", "directions", "imports", "labels", "papers", "people", "place", "programme", "services"]
