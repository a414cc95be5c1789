"""Questions as visitors ask them, and the titles of what is found."""

from __future__ import annotations

from django.http import QueryDict

from events.models import Conference
from events.queries.search import SearchPage, search_page
from events.schedule.clock import Clock
from tests.factories import SINGAPORE, at

CLOCK = Clock(now=at("08:00"), venue_zone=SINGAPORE, chosen_zone=None, pinned=False)


def ask(conference: Conference, text: str = "", **query: str) -> SearchPage:
    asked = QueryDict(mutable=True)
    asked.update({"q": text, **query})
    return search_page(conference, CLOCK, asked)


def found(conference: Conference, text: str, **query: str) -> list[str]:
    """The titles of what is found, in order."""
    return ["".join(part.text for part in hit.title) for hit in ask(conference, text, **query).hits]
