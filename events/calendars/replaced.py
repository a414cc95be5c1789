"""What a feed address answers after it was given up: for a month one entry that says so."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass

import icalendar
from django.conf import settings
from icalendar.prop import vUri

from events.calendars.feeds import FORMAT, digest
from events.calendars.folding import serialised
from events.calendars.links import address
from events.calendars.text import Text
from events.calendars.vcalendar import calendar, vtimezone
from events.models import Conference, FeedAddress
from events.schedule.spans import utc

TOLD_FOR = dt.timedelta(days=30)
TITLE = "This calendar link was replaced"
WHAT_TO_DO = (
    "The agenda behind this calendar has a new address, and nothing new arrives at this one.\n\n"
    "If it is yours: open the page below in the browser you picked your events with, subscribe to the address it shows, "
    "and remove this calendar.\n\n"
)


@dataclass(frozen=True, eq=False)
class Notice:
    """A calendar with one entry, today: the same bytes until tomorrow."""

    given_up: FeedAddress
    replaced_at: dt.datetime
    today: dt.date

    @property
    def conference(self) -> Conference:
        return self.given_up.agenda.conference

    @property
    def replaced_on(self) -> dt.date:
        return self.replaced_at.astimezone(self.conference.zone).date()

    @property
    def page(self) -> str:
        """It shows the new address to whoever has the agenda's cookie, and to nobody else."""
        return address("events:agenda-calendar", self.conference)

    @property
    def name(self) -> str:
        return f"{self.conference.name}: my agenda"

    @property
    def etag(self) -> str:
        written_with = (FORMAT, settings.CALENDAR_PRODUCT, vtimezone(self.conference), self.name, self.page)
        return f'"{digest("replaced", *written_with, self.given_up.token_hash, self.replaced_on, self.today)}"'

    @property
    def last_modified(self) -> dt.datetime:
        midnight = dt.datetime.combine(self.today, dt.time(), self.conference.zone)
        return utc(max(midnight, self.replaced_at))

    @property
    def body(self) -> bytes:
        return calendar(self.conference, self.name, [self.entry()], url=self.page)

    def entry(self) -> bytes:
        entry = icalendar.Event()
        entry.add("uid", Text(str(uuid.uuid5(uuid.NAMESPACE_OID, self.given_up.token_hash))))
        entry.add("sequence", max((self.today - self.replaced_on).days, 0))
        entry.add("status", "CONFIRMED")
        entry.add("transp", "TRANSPARENT")
        entry.add("class", "PUBLIC")
        for name, moment in self.moments().items():
            entry.add(name, moment)
        entry.add("summary", Text(TITLE))
        entry.add("description", Text(WHAT_TO_DO + self.page))
        entry.add("url", vUri(self.page))
        return serialised(entry)

    def moments(self) -> dict[str, dt.date]:
        moved, made = self.last_modified.replace(microsecond=0), utc(self.replaced_at)
        day = {"dtstart": self.today, "dtend": self.today + dt.timedelta(days=1)}
        return {**day, "dtstamp": moved, "last-modified": moved, "created": made}


def notice(given_up: FeedAddress, now: dt.datetime) -> Notice | None:
    """Nothing after a month: by then whoever looks at this calendar has seen it."""
    replaced_at = given_up.replaced_at
    if replaced_at is None or now - replaced_at > TOLD_FOR:
        return None
    return Notice(given_up, replaced_at, now.astimezone(given_up.agenda.conference.zone).date())
