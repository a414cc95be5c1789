"""What a page offers to subscribe to: the choice that is on it, in words and with its addresses."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from events.calendars.links import Links, person_address, schedule_address
from events.models import Conference, Person
from events.queries import choices as choice_queries
from events.queries.exports import asked_of_schedule


@dataclass(frozen=True)
class Offer:
    """Public, so the page that shows it is the same for everybody."""

    words: str
    links: Links
    blocks_time: bool = False

    @property
    def download_url(self) -> str:
        return f"{self.links.https}{'&' if '?' in self.links.https else '?'}download=1"


def offer_of_schedule(conference: Conference, query: QueryDict, **also: str) -> Offer:
    """What the filters of the address leave, and of that only what the page itself is about."""
    whole = query.copy()
    for name, value in also.items():
        whole.setlist(name, [value])
    asked = asked_of_schedule(whole)
    words = choice_queries.in_words(conference, asked)
    name = ": ".join(filter(None, [conference.name, words]))
    return Offer(words or "the whole programme", Links(schedule_address(conference, asked), name))


def offer_of_person(person: Person) -> Offer:
    return Offer(person.name, Links(person_address(person), f"{person.conference.name}: {person.name}"), blocks_time=True)
