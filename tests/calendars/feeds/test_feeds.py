from __future__ import annotations

import datetime as dt
import logging
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as django_settings

from events.calendars import downloads, entries, feeds, ical
from events.calendars.vevent import vevent
from events.core import tokens
from events.core.byte_cache import PROCESS_CACHE
from events.core.stored_files import StoredFile
from events.models import Conference, Event
from tests.calendars.lint import problems
from tests.calendars.reading import read, values
from tests.factories import SINGAPORE, THURSDAY, at, make_agenda, make_conference, make_day, make_event

FRIDAY = THURSDAY + dt.timedelta(days=1)
MORNING = at("08:00")

pytestmark = pytest.mark.django_db


def titles(feed: feeds.Feed) -> list[str]:
    return [entry.summary for entry in read(feed.body)]


def test_agenda_feed_holds_the_picks_and_nothing_else() -> None:
    conference = make_conference()
    picked = make_event(conference, title="Picked", start="09:00", end="10:00")
    make_event(conference, title="Not picked", start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, picked)
    make_agenda(conference, make_event(conference, title="Somebody else's"))

    assert titles(feeds.agenda_feed(agenda, MORNING)) == ["Picked"]


def test_empty_agenda_is_an_empty_calendar_and_not_everything() -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")
    agenda, _ = make_agenda(conference)

    for feed in [feeds.agenda_feed(agenda, MORNING), downloads.agenda_download(agenda), downloads.empty_download(conference)]:
        assert titles(feed) == []
        assert b"BEGIN:VTIMEZONE" in feed.body


def test_feed_is_in_order_of_start_then_guid() -> None:
    conference = make_conference()
    twins = [make_event(conference, title="Twin", start="10:00", end="11:00") for _ in range(4)]
    late = make_event(conference, title="Late", start="18:00", end="19:00", position=0)
    day = make_event(conference, title="Some time")
    agenda, _ = make_agenda(conference, late, *reversed(twins), day)

    found = [entry.uid for entry in read(feeds.agenda_feed(agenda, MORNING).body)]

    assert found == [str(day.guid), *sorted(str(twin.guid) for twin in twins), str(late.guid)]


def test_feed_is_the_same_bytes_at_any_hour_of_a_day() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, start="09:00", end="10:00"))

    assert feeds.agenda_feed(agenda, at("05:00")).body == feeds.agenda_feed(agenda, at("23:00")).body


@pytest.mark.parametrize("seed", ["1", "2"])
def test_bytes_do_not_depend_on_the_process(seed: str) -> None:
    program = (
        "import django; django.setup(); import datetime as dt\n"
        "from events.calendars.ical import vcalendar; from events.core.tokens import etag_digest\n"
        "from events.models import Conference\n"
        "c = Conference(slug='x', timezone='Europe/Vienna', start=dt.date(2025, 3, 28), end=dt.date(2025, 4, 1))\n"
        "print(etag_digest(vcalendar(c, 'Name', [], url='https://x.example/'), dt.date(2025, 3, 28)))"
    )
    environment = os.environ | {"PYTHONHASHSEED": seed, "DJANGO_SETTINGS_MODULE": "conference.settings"}

    done = subprocess.run(
        [sys.executable, "-c", program], cwd=django_settings.BASE_DIR, env=environment, capture_output=True, text=True, check=True
    )

    conference = Conference(slug="x", timezone="Europe/Vienna", start=dt.date(2025, 3, 28), end=dt.date(2025, 4, 1))
    here = tokens.etag_digest(ical.vcalendar(conference, "Name", [], url="https://x.example/"), dt.date(2025, 3, 28))
    assert done.stdout.strip() == here


def test_event_without_a_day_is_in_no_calendar() -> None:
    conference = make_conference()
    undated = make_event(conference, title="Some day")
    undated.day = None
    undated.revise()
    agenda, _ = make_agenda(conference, undated)

    assert titles(feeds.agenda_feed(agenda, MORNING)) == []
    assert titles(feeds.schedule_feed(conference)) == []


def test_cancelled_event_stays_until_the_end_of_its_day() -> None:
    conference = make_conference()
    event = make_event(conference, title="Party", start="21:00", end="23:00", status="cancelled")
    agenda, _ = make_agenda(conference, event)

    # 03:59 is still the evening before.
    assert titles(feeds.agenda_feed(agenda, at("03:59", FRIDAY))) == ["Cancelled: Party"]
    assert titles(feeds.agenda_feed(agenda, at("04:00", FRIDAY))) == []


def test_past_event_that_took_place_stays() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference, make_event(conference, title="Talk", start="09:00", end="10:00"))

    assert titles(feeds.agenda_feed(agenda, at("09:00", FRIDAY))) == ["Talk"]


def test_download_keeps_what_was_cancelled_because_importing_never_deletes() -> None:
    conference = make_conference()
    event = make_event(conference, title="Party", start="21:00", end="23:00", status="cancelled")
    agenda, _ = make_agenda(conference, event)

    assert titles(downloads.agenda_download(agenda)) == ["Cancelled: Party"]


def hide(event: Event) -> None:
    event.status = "draft"
    event.revise()


def hide_session(event: Event) -> None:
    event.session = make_event(event.conference, status="draft")
    event.revise()


def hide_conference(event: Event) -> None:
    event.conference.status = "draft"
    event.conference.revise()


def hide_what_its_session_is_in(event: Event) -> None:
    workshop = make_event(event.conference, status="draft")
    event.session = make_event(event.conference, session=workshop)
    event.revise()


@pytest.mark.parametrize("hidden", [hide, hide_session, hide_what_its_session_is_in, hide_conference])
def test_hidden_event_is_in_no_calendar(hidden: Any) -> None:
    conference = make_conference()
    event = make_event(conference, title="Canary", start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, event)

    hidden(event)

    conference.refresh_from_db()
    for feed in [feeds.agenda_feed(agenda, MORNING), feeds.schedule_feed(conference), feeds.event_calendar(event)]:
        assert values(feed.body, "SUMMARY") == []


def test_schedule_holds_everything_public_and_blocks_nobody() -> None:
    conference = make_conference()
    make_event(conference, title="Talk", start="09:00", end="10:00")
    make_event(conference, title="Party", start="21:00", end="23:00", status="cancelled")
    make_event(make_conference(), title="Elsewhere", start="09:00", end="10:00")

    feed = feeds.schedule_feed(conference)

    assert titles(feed) == ["Talk", "Cancelled: Party"]
    assert values(feed.body, "TRANSP") == [":TRANSPARENT"] * 2


def content(stored: StoredFile) -> bytes:
    with stored.file as file:
        return file.read()


def test_schedule_is_written_once_for_everybody(django_assert_num_queries: Any) -> None:
    conference = make_conference()
    make_event(conference, start="09:00", end="10:00")
    first = content(feeds.schedule_feed(conference).stored())

    with django_assert_num_queries(1):
        again = content(feeds.schedule_feed(conference).stored())

    assert again == first == feeds.schedule_feed(conference).body


def test_uid_is_the_same_in_every_calendar() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, event)

    calendars = [
        *(feeds.agenda_feed(agenda, MORNING), downloads.agenda_download(agenda)),
        *(feeds.schedule_feed(conference), feeds.event_calendar(event)),
    ]

    assert [[entry.uid for entry in read(calendar.body)] for calendar in calendars] == [[str(event.guid)]] * 4


def test_event_that_cannot_be_written_is_left_out_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    conference = make_conference()
    good = [make_event(conference, title=f"Good {n}", start=f"0{n}:00", end=f"0{n}:30") for n in range(1, 6)]
    # The database takes half a second, which no calendar can say.
    bad = make_event(conference, title="Bad", start="09:00", end="09:00:00.500")
    agenda, _ = make_agenda(conference, *good, bad)

    with caplog.at_level(logging.ERROR, "events.calendars"):
        body = feeds.agenda_feed(agenda, MORNING).body

    assert [entry.summary for entry in read(body)] == [f"Good {n}" for n in range(1, 6)]
    assert caplog.messages == [f"Event {bad.guid} is left out of calendars: ValueError('it does not end after it starts')"]


def test_anything_that_raises_takes_only_its_own_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = make_conference()
    good = make_event(conference, title="Good", start="09:00", end="10:00")
    make_event(conference, title="Bad", start="09:00", end="10:00")
    write = vevent

    def stumble(event: Event, *style: Any, **options: Any) -> bytes:
        if event.title == "Bad":
            raise MemoryError("anything")
        return write(event, *style, **options)

    monkeypatch.setattr(entries, "vevent", stumble)

    assert titles(feeds.schedule_feed(conference)) == [good.title]


def test_event_that_is_hidden_while_a_feed_is_written_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, event)

    def hide(key: object, version: object) -> None:
        Event.objects.filter(pk=event.pk).update(status="draft", title="Secret")

    monkeypatch.setattr(PROCESS_CACHE, "get", hide)

    assert read(feeds.agenda_feed(agenda, MORNING).body) == []


def test_sixty_picks_stay_under_200_kilobytes() -> None:
    conference = make_conference()
    events = [make_event(conference, start="09:00", end="10:00", abstract="word " * 2_000, announce=False) for _ in range(60)]
    agenda, _ = make_agenda(conference, *events)

    assert len(feeds.agenda_feed(agenda, MORNING).body) < 200_000


def test_days_outside_the_conference_are_in_its_calendar() -> None:
    conference = make_conference()
    tuesday = dt.date(2025, 4, 22)
    event = make_event(conference, title="Early social", day=make_day(conference, tuesday), start="18:00", end="20:00")

    (entry,) = read(feeds.schedule_feed(conference).body)

    assert entry.start == dt.datetime.combine(tuesday, dt.time(18), SINGAPORE)
    assert problems(feeds.event_calendar(event).body) == []
