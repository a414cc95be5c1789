"""Run inside the served project: the invented programme, opening in a minute, and organisers who change it meanwhile."""

from __future__ import annotations

import datetime as dt
import json
import random
import resource
import select
import sys
import time
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps

from events.core.db.writing import analyse_tables
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.management.commands.seed_scale import EXAMPLE_SOURCE
from events.management.example import EXAMPLE_SLUG, example_schedule
from events.models import Conference, Event
from events.programme.data.schedule import ScheduleData
from tests.benchmarks.prepare import agenda_with_bookmarks

AGENDAS = 200
OPENING_HOUR = 9
REIMPORTED_CHANGES = 300
PUBLISH_EVERY_SECONDS = 1.0
EXPORTS = ["schedule.ics", "schedule.json", "schedule.xml", "schedule.csv", "papers.csv"]


def zone_at(hour: int, now: dt.datetime) -> str:
    """A time zone where it is about that hour."""
    ahead = (hour - now.astimezone(dt.UTC).hour + 12) % 24 - 12
    # The signs of these names are the other way round.
    return f"Etc/GMT{-ahead:+d}"


def moved(schedule: ScheduleData, opening: dt.datetime) -> ScheduleData:
    """The same programme, with its first event at that moment, in the zone of that moment."""
    first = min(event.start for event in schedule.events if event.start)
    days, later = opening.date() - schedule.conference.start, opening - first
    zone = str(opening.tzinfo)
    return replace(
        schedule,
        conference=replace(
            schedule.conference, timezone=zone, start=schedule.conference.start + days, end=schedule.conference.end + days
        ),
        days=tuple(replace(day, date=day.date + days) for day in schedule.days),
        events=tuple(
            replace(event, start=event.start and event.start + later, end=event.end and event.end + later)
            for event in schedule.events
        ),
    )


def load(events: int | None, asked: int | None) -> None:
    """Load a programme that opens in a minute, and agendas of 20 bookmarks; print what to ask for, ``asked`` events of it."""
    now = dt.datetime.now(dt.UTC)
    opening = (now + dt.timedelta(minutes=2)).replace(second=0, microsecond=0).astimezone(ZoneInfo(zone_at(OPENING_HOUR, now)))
    sync(moved(example_schedule(events), opening), source=EXAMPLE_SOURCE, allow_cancel=True, hooks=PUBLISHING)
    conference = Conference.objects.get(slug=EXAMPLE_SLUG)
    public = list(Event.objects.public().filter(conference=conference, start__isnull=False).in_order())
    agendas = [agenda_with_bookmarks(conference, public, number) for number in range(AGENDAS)]
    # As autovacuum does within minutes of such a day; it may be off where tests run.
    analyse_tables(apps.get_models())
    addresses = [event.get_absolute_url() for event in public]
    if asked and asked < len(addresses):
        addresses = random.Random(asked).sample(addresses, asked)
    base, day = f"/{EXAMPLE_SLUG}", conference.days.earliest("date")
    found = {
        "events": addresses,
        "bookmarks": {event.get_absolute_url(): f"{base}/events/{event.guid}/bookmark/" for event in public},
        "days": [each.get_absolute_url() for each in conference.days.all()],
        "overview": f"{base}/",
        "search": f"{base}/search/",
        "titles": [event.title for event in public],
        "tokens": [token for token, _ in agendas],
        "feeds": [f"/feeds/{feed}.ics" for _, feed in agendas],
        "exports": [f"{base}/{name}{filters}" for name in EXPORTS for filters in ("", f"?day={day.date}", "?q=graph")],
        "opening": opening.isoformat(),
        "zone": str(opening.tzinfo),
        "count": len(public),
    }
    _tell(found)


def publish() -> None:
    """Change an event each second, as an organiser's form does, until the other side closes; print what each change took."""
    chance = random.Random(16)
    guids = list(Event.objects.public().filter(conference__slug=EXAMPLE_SLUG, start__isnull=False).values_list("pk", flat=True))
    # As in a server, where an organiser does not wait for the whole search index.
    apps.get_app_config("events").start_serving()  # type: ignore[attr-defined]
    took, worked, turn = [], [], 0
    _tell("ready")
    due = time.monotonic()
    while not select.select([sys.stdin], [], [], max(0.0, due - time.monotonic()))[0]:
        due = max(due + PUBLISH_EVERY_SECONDS, time.monotonic())
        event, turn = Event.objects.get(pk=chance.choice(guids)), turn + 1
        # Words on one turn, the time on the next.
        if turn % 2:
            event.title = f"{event.title.partition(' (')[0]} (version {turn})"
        else:
            later = dt.timedelta(minutes=5 if turn % 4 else -5)
            event.start, event.end = event.start and event.start + later, event.end and event.end + later
        began, cpu = time.perf_counter(), time.process_time()
        event.revise(reason="measured")
        took.append(time.perf_counter() - began)
        worked.append(time.process_time() - cpu)
    _tell({"took": took, "worked": worked})


def reimport(opening: str, zone: str, events: int | None, turn: int) -> None:
    """Import the programme again, with other titles for 300 events."""
    schedule = moved(example_schedule(events), dt.datetime.fromisoformat(opening).astimezone(ZoneInfo(zone)))
    step = max(1, len(schedule.events) // REIMPORTED_CHANGES)
    changed = [
        replace(event, title=f"{event.title}, import {turn}")
        if number % step == 0 and number // step < REIMPORTED_CHANGES
        else event
        for number, event in enumerate(schedule.events)
    ]
    _tell("ready")
    sys.stdin.readline()
    began, cpu = time.perf_counter(), time.process_time()
    report = sync(replace(schedule, events=tuple(changed)), source=EXAMPLE_SOURCE)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    _tell(
        {"took": time.perf_counter() - began, "worked": time.process_time() - cpu, "megabytes": megabytes, "report": str(report)}
    )


def _tell(what: Any) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()
