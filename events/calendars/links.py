"""How people subscribe: the addresses each client takes, how late each is, and the QR code of one."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.urls import reverse

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


def qr_svg(text: str) -> bytes:
    """Black on white with its quiet zone, so that it scans from a dark page too; no style, class or script in it."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", scale=4, unit="px", border=4, dark="#000", light="#fff", svgclass=None, lineclass=None)
    return out.getvalue()
