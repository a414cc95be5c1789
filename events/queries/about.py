"""What is said about a conference, and the editions before it."""

from __future__ import annotations

from dataclasses import dataclass

from events.models import Conference, PastEdition


@dataclass(frozen=True)
class EditionRow:
    edition: PastEdition
    url: str


def past_editions(conference: Conference) -> list[EditionRow]:
    """Earlier editions, linked where Hallway has them."""
    here = {it.start.year: it.get_absolute_url() for it in other_editions(conference)}
    return [EditionRow(edition, here.get(edition.year, "")) for edition in conference.past_editions.all()]


def other_editions(conference: Conference) -> list[Conference]:
    if not conference.series:
        return []
    return list(Conference.objects.public().filter(series=conference.series).exclude(pk=conference.pk))
