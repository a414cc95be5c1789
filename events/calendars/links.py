"""How people subscribe: the addresses each client takes, how late each is, and the QR code of one."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.urls import reverse

from events.models import Conference, Person

# Undocumented, but what their own "add to calendar" buttons use; try both by hand before a release.
GOOGLE = "https://calendar.google.com/calendar/r?cid="
OUTLOOK = "https://outlook.live.com/calendar/0/addfromweb?"
OUTLOOK_AT_WORK = "https://outlook.office.com/calendar/0/addfromweb?"

REFRESH_TIMES = (
    ("Google Calendar", "every 8 to 24 hours"),
    ("Outlook.com and Outlook on the web", "about every 3 hours"),
    ("Apple Calendar", "as often as you set it; every hour is a good choice"),
    ("Thunderbird", "every 30 minutes"),
)

Asked = tuple[tuple[str, tuple[str, ...]], ...]
"""A choice of events: each filter with its values."""


@dataclass(frozen=True)
class Links:
    """One calendar address in every form that some client needs."""

    https: str
    name: str

    @property
    def webcal(self) -> str:
        return f"webcal://{self.https.partition('://')[2]}"

    @property
    def google(self) -> str:
        return GOOGLE + quote(self.webcal, safe="")

    @property
    def outlook(self) -> str:
        return OUTLOOK + self._outlook_query

    @property
    def outlook_at_work(self) -> str:
        return OUTLOOK_AT_WORK + self._outlook_query

    @property
    def _outlook_query(self) -> str:
        return urlencode({"url": self.https, "name": self.name}, quote_via=quote)


def feed_links(token: str, name: str) -> Links:
    return Links(settings.SITE_URL + reverse("events:feed", args=[token]), name)


def address(name: str, conference: Conference, *args: object) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=[conference.slug, *args])}"


def schedule_address(conference: Conference, asked: Asked = ()) -> str:
    """The same for the same choice, in whatever order it was made."""
    query = urlencode(asked, doseq=True)
    return address("events:schedule-calendar", conference) + (f"?{query}" if query else "")


def person_address(person: Person) -> str:
    return address("events:person-calendar", person.conference, person.guid)


def qr_svg(text: str) -> bytes:
    """Black on white with its quiet zone, so that it scans from a dark page too; no style, class or script in it."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", scale=4, unit="px", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()
