"""Real programs subscribe to the running server, and show what happens to the events: no more and no less."""

from __future__ import annotations

import datetime as dt
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from events.models import Agenda, Conference, Event
from tests.calendars.readers.subscriber import Shown, Subscriber
from tests.factories import at, make_agenda, make_conference, make_day, make_event

pytestmark = pytest.mark.django_db(transaction=True)
TITLES = ["Keynote", "Karaoke", "Übersicht, 語学 & 👩‍👧", "Dinner"]


@pytest.fixture
def day() -> dt.date:
    """Still to come, for what was cancelled in the past is in no feed."""
    return (timezone.now() + dt.timedelta(days=30)).date()


class Someone:
    """Who has picked four events, and whose computer follows them."""

    def __init__(self, day: dt.date, folder: Path, server: str) -> None:
        self.day = day
        self.conference: Conference = make_conference(slug="iclr-2025", start=day, end=day)
        thursday = make_day(self.conference, day)
        self.events: list[Event] = [
            make_event(self.conference, title=title, day=thursday, start=f"{hour:02}:00", end=f"{hour + 1:02}:00", place="Hall 1")
            for hour, title in enumerate(TITLES, start=9)
        ]
        self.agenda: Agenda
        self.agenda, _ = make_agenda(self.conference, *self.events)
        self.url = server + reverse("events:feed", args=[self.agenda.feed_token])
        self.computer = Subscriber(folder, self.url)

    def shown(self) -> list[Shown]:
        return self.computer.shown(self.day.isoformat())

    def line(self, title: str, start: str, end: str, status: str = "CONFIRMED") -> Shown:
        return Shown(title, f"{self.day} {start}", f"{self.day} {end}", status)


def test_subscriber_sees_what_happens_and_nothing_else(day: dt.date, tmp_path: Path, live_server: LiveServer) -> None:
    someone = Someone(day, tmp_path, live_server.url)
    keynote, karaoke, overview, _ = someone.events

    first = someone.computer.sync()
    files = someone.computer.files()
    lines = [someone.line(title, f"{hour:02}:00", f"{hour + 1:02}:00") for hour, title in enumerate(TITLES, start=9)]

    assert first == {"new": 4}
    assert someone.shown() == lines

    # Nothing has happened.
    assert someone.computer.sync() == {}
    assert someone.computer.files() == files

    keynote.start, keynote.end = at("15:30", day), at("16:30", day)
    keynote.revise()
    karaoke.status = "cancelled"
    karaoke.revise(reason="The singer is ill.")
    someone.agenda.bookmark(overview, on=False)
    second = someone.computer.sync()

    assert second == {"new": 2, "gone": 3}
    assert someone.shown() == [
        someone.line("Cancelled: Karaoke", "10:00", "11:00", "CANCELLED"),
        someone.line("Dinner", "12:00", "13:00"),
        someone.line("Keynote", "15:30", "16:30"),
    ]

    karaoke.status = "confirmed"
    karaoke.revise()
    third = someone.computer.sync()

    assert third == {"new": 1, "gone": 1}
    assert someone.shown()[0] == someone.line("Karaoke", "10:00", "11:00")
    assert someone.computer.sync() == {}


def test_program_that_asks_again_gets_no_bytes(day: dt.date, tmp_path: Path, live_server: LiveServer) -> None:
    someone = Someone(day, tmp_path, live_server.url)
    with urllib.request.urlopen(someone.url) as answer:
        etag = answer.headers["ETag"]

    with pytest.raises(urllib.error.HTTPError, match="304") as again:
        urllib.request.urlopen(urllib.request.Request(someone.url, headers={"If-None-Match": etag}))

    assert (again.value.headers["ETag"], again.value.read()) == (etag, b"")
    again.value.close()
