"""Questions as visitors type them, and the titles of the results."""

from __future__ import annotations

from django.http import QueryDict

from events.core.clock import Clock
from events.models import Conference
from events.search.queries.page import SearchPage, search_page
from tests.factories import SINGAPORE, at

CLOCK = Clock(now=at("08:00"), venue_zone=SINGAPORE, chosen_zone=None, pinned=False)


def ask(conference: Conference, text: str = "", **query: str) -> SearchPage:
    asked = QueryDict(mutable=True)
    asked.update({"q": text, **query})
    return search_page(conference, CLOCK, asked)


def result_titles(conference: Conference, text: str, **query: str) -> list[str]:
    """The titles of the results, in order."""
    return ["".join(part.text for part in result.title) for result in ask(conference, text, **query).results]
