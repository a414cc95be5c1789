"""The life of one event: all that may happen to it, and what the calendars of those who hold it are told each time."""

from __future__ import annotations

import dataclasses
import datetime as dt
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.http import parse_http_date

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncError
from events.models import Conference, Event, Person, Room
from events.programme.data.schedule import AppearanceData, PersonData, ScheduleData
from tests.calendars.lint import problems
from tests.calendars.reading import entries, names_in
from tests.factories import at, make_agenda
from tests.imports.sync.programmes import event, programme

BEGIN = dt.datetime(2025, 3, 1, 8, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)
STAMPS = ("DTSTAMP", "LAST-MODIFIED", "SEQUENCE")
FIELDS: dict[str, list[Any]] = {
    "title": ["Keynote", "Opening, and after", "Ends here 👩‍👧"],
    "status": ["confirmed", "tentative", "cancelled", "draft"],
    "hour": [9, 11, None],
    "place": ["", "Bar; left", "Lobby"],
    "room": [None, "hall-1", "hall-2"],
    "abstract": ["", "Short.", "Long. " * 500],
    "board": ["", "7"],
}


@dataclasses.dataclass(frozen=True)
class Seen:
    """What a calendar was told of it; no lines when it was told nothing."""

    etag: str
    body: bytes
    lines: dict[str, str]
    newest: int = 0

    @property
    def shown(self) -> dict[str, str]:
        return {name: line for name, line in self.lines.items() if name not in STAMPS}

    @property
    def sequence(self) -> int:
        return int(self.lines["SEQUENCE"].removeprefix("SEQUENCE:"))


class Life:
    def __init__(self) -> None:
        self.talk_at = 9
        self.imported()
        self.conference = Conference.objects.get(slug="demo")
        self.agenda, self.token = make_agenda(self.conference)
        self.agenda.bookmark(self.event, on=True)
        self.agenda.refresh_from_db()
        self.guid = str(self.event.guid)
        self.feed = reverse("events:feed", args=[self.agenda.feed_token])

    @property
    def event(self) -> Event:
        return Event.objects.get(source_key="keynote")

    def file(self) -> ScheduleData:
        """Another event beside it, so that no import cancels everything."""
        people = (PersonData(key="ada", name="Ada Lovelace"),)
        speaker = (AppearanceData(person="ada"),)
        talk = event("keynote", start=at(f"{self.talk_at:02}:00"), end=at("20:00"), room="hall-1", people=speaker)
        return programme(talk, event("other"), people=people)

    # What may happen: each answers whether anything was changed that anybody can see.

    def edited(self, field: str, value: Any) -> bool:
        row, before = self.event, self.columns()
        if field == "hour":
            row.start, row.end = (at(f"{value:02}:00"), at(f"{value:02}:45")) if value else (None, None)
        elif field == "room":
            row.room = Room.objects.get(source_key=value) if value else None
        else:
            setattr(row, field, value)
        row.revise(reason="It moved.")
        return self.columns() != before

    def columns(self) -> dict[str, Any]:
        return (
            Event.objects.filter(pk=self.event.pk)
            .values("title", "status", "start", "end", "place", "room", "abstract", "board")
            .get()
        )

    def room_renamed(self, name: str) -> bool:
        room = Room.objects.get(source_key="hall-1")
        room.name = name
        return room.revise()

    def speaker_renamed(self, name: str) -> bool:
        person = Person.objects.get(source_key="ada")
        person.name = name
        return person.revise()

    def imported(self, hour: int | None = None) -> bool:
        self.talk_at = hour or self.talk_at
        try:
            return not sync(self.file(), source="file", allow_cancel=True, hooks=PUBLISHING).is_empty
        except SyncError:
            # A start from the file and an end by hand may not go together: then nothing at all is taken in.
            return False

    def saved_without_a_change(self) -> bool:
        changes = self.event.revise()
        room_changed = Room.objects.get(source_key="hall-1").revise()
        return bool(changes or room_changed or Event.objects.filter(pk=self.event.pk).record_changes())

    def restored(self) -> bool:
        """From a dump, into a database in which nothing of it is left."""
        with tempfile.TemporaryDirectory() as folder:
            dump = str(Path(folder) / "dump.json")
            call_command("dumpdata", "events", exclude=["events.StaffMember"], output=dump, verbosity=0)
            with transaction.atomic():
                Conference.objects.filter(slug="demo").delete()
                call_command("loaddata", dump, verbosity=0)
        self.conference.refresh_from_db()
        return False

    def seen(self, address: str) -> Seen:
        response = Client().get(address)
        if response.status_code == 404:
            return Seen("", b"", {})
        assert problems(response.content) == []
        found = entries(response.content)
        lines = dict(zip(names_in(found[0]), found[0], strict=True)) if found else {}
        return Seen(response["ETag"], response.content, lines, parse_http_date(response["Last-Modified"]))


@contextmanager
def lives() -> Iterator[tuple[Life, time_machine.Traveller]]:
    """One life and its clock, of which nothing is left afterwards."""
    cache.clear()
    with time_machine.travel(BEGIN, tick=False) as clock, transaction.atomic():
        yield Life(), clock
        transaction.set_rollback(True)
