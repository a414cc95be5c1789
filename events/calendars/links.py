"""The address of a calendar in the form of each client, and how often clients refresh it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse

from events.calendars.feeds import person_calendar_url, schedule_calendar_url
from events.programme.models.conference import Conference
from events.programme.models.people import Person
from events.programme.queries import filters as filters_queries
from events.programme.queries.filters import FilterSelection

# Undocumented, but their "add to calendar" buttons use the same addresses; try both by hand before a release.
GOOGLE_SUBSCRIBE_URL = "https://calendar.google.com/calendar/r?cid="
OUTLOOK_SUBSCRIBE_URL = "https://outlook.live.com/calendar/0/addfromweb?"
OUTLOOK_WORK_SUBSCRIBE_URL = "https://outlook.office.com/calendar/0/addfromweb?"

CLIENT_REFRESH_TIMES = (
    ("Google Calendar", "every 8 to 24 hours"),
    ("Outlook.com and Outlook on the web", "about every 3 hours"),
    ("Apple Calendar", "as often as you set it; every hour is a good choice"),
    ("Thunderbird", "every 30 minutes"),
)


@dataclass(frozen=True)
class CalendarLinks:
    """One calendar address in the form that each client needs."""

    https: str
    name: str

    @property
    def webcal(self) -> str:
        return f"webcal://{self.https.partition('://')[2]}"

    @property
    def google(self) -> str:
        return GOOGLE_SUBSCRIBE_URL + quote(self.webcal, safe="")

    @property
    def outlook(self) -> str:
        return OUTLOOK_SUBSCRIBE_URL + self._outlook_query

    @property
    def outlook_at_work(self) -> str:
        return OUTLOOK_WORK_SUBSCRIBE_URL + self._outlook_query

    @property
    def _outlook_query(self) -> str:
        return urlencode({"url": self.https, "name": self.name}, quote_via=quote)


def feed_links(token: str, name: str) -> CalendarLinks:
    return CalendarLinks(settings.SITE_URL + reverse("events:feed", args=[token]), name)


@dataclass(frozen=True)
class SubscriptionOffer:
    """A public calendar to subscribe to."""

    choice_text: str
    links: CalendarLinks
    blocks_time: bool = False

    @property
    def download_url(self) -> str:
        return f"{self.links.https}{'&' if '?' in self.links.https else '?'}download=1"


def offer_of_schedule(conference: Conference, query: QueryDict, **also: str) -> SubscriptionOffer:
    combined = query.copy()
    for name, value in also.items():
        combined.setlist(name, [value])
    asked = filters_queries.schedule_filter_selection(combined)
    return _offer(conference, asked, filters_queries.describe_filters(conference, asked))


def offers_of_day(conference: Conference, query: QueryDict, date: dt.date) -> tuple[SubscriptionOffer, SubscriptionOffer]:
    """Return an offer of this day and one of all days: under the filters of the page, or without any of sessions only."""
    filters = filters_queries.page_filter_selection(query)
    day = (("day", (date.isoformat(),)),)
    # Named once, because names are read from the database.
    names = filters_queries.describe_filters(conference, filters)
    words = ", ".join(filter(None, [filters_queries.describe_filters(conference, day), names]))
    everywhere = _offer(conference, filters, names) if filters else offer_of_schedule(conference, QueryDict(), layer="sessions")
    return _offer(conference, tuple(sorted(day + filters)), words), everywhere


def _offer(conference: Conference, asked: FilterSelection, choice_text: str) -> SubscriptionOffer:
    name = ": ".join(filter(None, [conference.name, choice_text]))
    return SubscriptionOffer(choice_text or "the whole programme", CalendarLinks(schedule_calendar_url(conference, asked), name))


def offer_of_person(person: Person) -> SubscriptionOffer:
    return SubscriptionOffer(
        person.name, CalendarLinks(person_calendar_url(person), f"{person.conference.name}: {person.name}"), blocks_time=True
    )
