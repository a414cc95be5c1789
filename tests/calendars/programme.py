"""A programme in which everything happens that has broken a calendar before, and what readers are to make of it."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, NamedTuple

from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Event
from tests.calendars.readers.entry import Entry
from tests.factories import make_agenda, make_appearance, make_conference, make_day, make_event, make_person

SATURDAY, SUNDAY = dt.date(2025, 3, 29), dt.date(2025, 3, 30)
# Nothing of it has happened yet, so nothing that was cancelled has dropped out.
BEFORE = dt.datetime(2025, 3, 1, 8, tzinfo=dt.UTC)
EMOJI = "👩‍👩‍👧 and 🏳️‍🌈 " * 6 + "end"
LONG = "Über die Wärmeübertragung: 語学の研究について " * 2
PLANTED = 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:y, \\; "z"\u202e\x07'
STAYED = 'x END:VEVENT BEGIN:VEVENT SUMMARY:y, \\; "z"'
TEX = r"$\nabla \Nu \mathbb{R}$; a, b\\"


class Case(NamedTuple):
    """An event by the hours of Vienna, and what its entry says of it."""

    title: str
    start: str
    end: str
    status: str
    summary: str
    fields: dict[str, Any]

    @property
    def guid(self) -> uuid.UUID:
        return uuid.uuid5(uuid.NAMESPACE_OID, self.title)

    @property
    def entry(self) -> Entry:
        return Entry(str(self.guid), moment(self.start), moment(self.end), self.summary, self.status)


def case(title: str, start: str, end: str, said: str = "CONFIRMED", summary: str | None = None, **fields: Any) -> Case:
    return Case(title, start, end, said, summary or title, {"place": "Hall 1"} | fields)


def moment(text: str) -> dt.date:
    """A day, or an instant, by its offset: "2025-03-29T09:00+01"."""
    return dt.datetime.fromisoformat(text).astimezone(dt.UTC) if "T" in text else dt.date.fromisoformat(text)


CASES = [
    case("Opening", "2025-03-29T09:00+01", "2025-03-29T10:00+01"),
    case("Invited", "2025-03-29T09:00+01", "2025-03-29T09:30+01", kind="invited-talk"),
    case("Cut", "2025-03-29T20:00+01", "2025-03-29T22:00+01", "CANCELLED", "Cancelled: Cut", status="cancelled"),
    case("Perhaps", "2025-03-29T11:00+01", "2025-03-29T12:00+01", "TENTATIVE", status="tentative"),
    case("Somewhere", "2025-03-29T11:00+01", "2025-03-29T12:00+01", "TENTATIVE", place=""),
    case("Some time", "2025-03-29", "2025-03-30", "TENTATIVE"),
    case("Party", "2025-03-29T22:00+01", "2025-03-30T01:30+01", kind="social"),
    case("The night of 23 hours", "2025-03-30T01:30+01", "2025-03-30T03:30+02"),
    case("Lunch", "2025-03-30T12:00+02", "2025-03-30T13:00+02", kind="break", place=""),
    case("Poster", "2025-03-30T13:00+02", "2025-03-30T15:00+02", kind="poster", board="#461"),
    case("Mixer", "2025-03-30T18:00+02", "2025-03-30T20:00+02", summary="Mixer *", kind="social", official=True, at_venue=True),
    case(EMOJI, "2025-03-30T09:00+02", "2025-03-30T09:05+02"),
    case(LONG, "2025-03-30T09:00+02", "2025-03-30T10:00+02", summary=LONG.strip()),
    case(
        PLANTED,
        "2025-03-30T10:00+02",
        "2025-03-30T11:00+02",
        summary='x END:VEVENT BEGIN:VEVENT SUMMARY:y, \\; "z"',
        place=PLANTED,
    ),
    case(TEX, "2025-03-30T10:00+02", "2025-03-30T11:00+02", abstract=TEX),
]
EVENTS = {case.title: case for case in CASES}


class Programme:
    """A conference in Vienna over the night in which the clocks are put forward, and somebody who picked all of it."""

    def __init__(self) -> None:
        self.conference = make_conference(
            # Tags count it: the same number in every database.
            pk=7_001,
            slug="vienna",
            name="Wien, 2025",
            city="Vienna",
            timezone="Europe/Vienna",
            start=SATURDAY,
            end=SUNDAY,
        )
        self.events = {title: self.make(case) for title, case in EVENTS.items()}
        self.speaker = make_person(self.conference, "Ada Lovelace; née Byron, Lady", guid=uuid.UUID(int=1))
        for title in ["Opening", "Party"]:
            make_appearance(self.events[title], self.speaker)
        Event.objects.filter(conference=self.conference).record_changes(quiet=True)
        self.agenda, self.token = make_agenda(self.conference)
        for event in self.events.values():
            self.agenda.bookmark(event, on=True)
        self.agenda.refresh_from_db()

    def make(self, case: Case) -> Event:
        hours = {"start": moment(case.start), "end": moment(case.end)} if "T" in case.start else {}
        day = make_day(self.conference, dt.date.fromisoformat(case.start[:10]))
        return make_event(self.conference, title=case.title, guid=case.guid, day=day, announce=False, **hours, **case.fields)

    @property
    def feed(self) -> str:
        return reverse("events:feed", args=[self.agenda.feed_token])

    def visitor(self) -> Client:
        client = Client()
        client.cookies[VISITOR_COOKIE] = self.token
        return client

    def get(self, address: str) -> bytes:
        response = self.visitor().get(address)
        assert response.status_code == 200
        return response.content
