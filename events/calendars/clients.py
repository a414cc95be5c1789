"""Which kind of calendar program asks for a feed, by what it calls itself."""

from __future__ import annotations

import re

BROWSER = "browser"
OTHER = "other"
# The first that fits; Apple's and Microsoft's programs have called themselves many things over the years.
KINDS = (
    ("google", "Google Calendar", re.compile(r"Google-Calendar-Importer|GoogleCalendar", re.IGNORECASE)),
    ("thunderbird", "Thunderbird", re.compile(r"Thunderbird|Betterbird|Lightning/", re.IGNORECASE)),
    ("outlook", "Outlook", re.compile(r"Outlook|Exchange|Microsoft[ -]|ms-office|MSOffice", re.IGNORECASE)),
    ("iphone", "Apple Calendar on a phone or tablet", re.compile(r"\b(iOS|iPadOS|watchOS|visionOS)/|iPhone OS/|dataaccessd")),
    ("mac", "Apple Calendar on a Mac", re.compile(r"CalendarAgent|CalendarStore|\bmacOS/|Mac[ _+]OS[ _+]X/|iCal/")),
    ("nextcloud", "Nextcloud", re.compile(r"Nextcloud|ownCloud", re.IGNORECASE)),
    ("icsx5", "ICSx⁵", re.compile(r"ICSx5|ICSdroid", re.IGNORECASE)),
    ("vdirsyncer", "vdirsyncer", re.compile(r"vdirsyncer", re.IGNORECASE)),
    ("gnome", "GNOME Calendar or Evolution", re.compile(r"Evolution/|GNOME-Calendar", re.IGNORECASE)),
    (BROWSER, "A web browser", re.compile(r"Mozilla/5\.0 .*(Gecko|WebKit|KHTML)")),
)
NAMES = {kind: name for kind, name, _ in KINDS} | {OTHER: "Another calendar"}
# Nobody calls itself longer; what does is a stranger's joke at the expense of our patterns.
LONGEST = 300


def kind_of(user_agent: str) -> str:
    """The kind alone: what exactly it says of itself is nobody's business, and is not kept."""
    said = user_agent[:LONGEST]
    return next((kind for kind, _, pattern in KINDS if pattern.search(said)), OTHER)
