"""What an export's address answers: whose events, in which format, and how to tell versions apart."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.db.models import Max
from django.urls import reverse

from events.exports.programme import Selection, programme
from events.exports.schedule_json import schedule_json
from events.exports.schedule_xml import schedule_xml
from events.exports.tables import papers_csv, schedule_csv
from events.exports.words import Addresses
from events.importers.data import ScheduleData
from events.models import Conference

# Raise it when the same rows are written in other bytes, or whoever has them keeps what they have.
FORMAT = 3
NIL = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class Format:
    media_type: str
    write: Callable[[ScheduleData, Addresses, str], bytes]


FORMATS = {
    "schedule.xml": Format("application/vnd.c3voc.schedule+xml; charset=utf-8", schedule_xml),
    "schedule.json": Format("application/json", schedule_json),
    "schedule.csv": Format("text/csv; charset=utf-8", lambda data, at, version: schedule_csv(data)),
    "papers.csv": Format("text/csv; charset=utf-8", lambda data, at, version: papers_csv(data)),
}


@dataclass(frozen=True)
class Made:
    """An export's bytes, compressed once for all who ask, and when they were made."""

    zipped: bytes
    at: dt.datetime


@dataclass(frozen=True, eq=False)
class Export:
    """``etag`` costs nothing; ``make`` the rows and their rendering. ``asked`` is what tells selections apart."""

    name: str
    selection: Selection
    asked: tuple[object, ...] = ()

    @property
    def conference(self) -> Conference:
        return self.selection.conference

    @property
    def media_type(self) -> str:
        return FORMATS[self.name].media_type

    @property
    def file_name(self) -> str:
        return f"{self.conference.slug}-{self.name}"

    @cached_property
    def etag(self) -> str:
        """The date is in it for the recordings that may be linked from a date on."""
        conference = self.conference
        version = (FORMAT, settings.SITE_URL, conference.pk, conference.revision, self.name, self.asked, self.selection.today)
        return f'"{hashlib.sha256(repr(version).encode()).hexdigest()[:32]}"'

    def make(self, now: dt.datetime) -> Made:
        body = FORMATS[self.name].write(programme(self.selection), addresses(self.conference), self._version())
        # A fixed time in its head, so that the same rows are the same bytes in every process.
        return Made(gzip.compress(body, 5, mtime=0), now)

    def _version(self) -> str:
        """When the newest of these events last changed: what apps show as the programme's version."""
        newest = self.selection.events.aggregate(newest=Max("revised_at"))["newest"]
        return f"{newest.astimezone(self.conference.zone):%Y-%m-%d %H:%M}" if newest else "nothing yet"


def addresses(conference: Conference) -> Addresses:
    def page(name: str, *more: str) -> str:
        address: str = settings.SITE_URL + reverse(f"events:{name}", args=[conference.slug, *more])
        return address.replace(NIL, "{}")

    return Addresses(
        site=settings.SITE_URL,
        conference=page("conference-detail"),
        event=page("event-detail", NIL),
        paper=page("paper-detail", NIL),
        person=page("person-detail", NIL),
        topic=page("schedule") + "?topic={}",
    )
