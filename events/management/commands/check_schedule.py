"""List clashes of rooms and people, boards given twice, events under a wrong day, and events that no calendar shows."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.calendars.entries import event_entries
from events.calendars.queries import EVENTS_PER_READ, with_changes
from events.calendars.vevent import DEFAULT_STYLE
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.queries.boards import shared_boards_among
from events.programme.queries.clashes import clashes_of, wrong_days_among


class Command(BaseCommand):
    help = (
        "List the clashes of a conference, events whose day and start disagree, boards with several posters of a session, "
        "and events that calendars leave out. "
        "Exit code: 1 if there are any, 0 if there are none, 2 for an unknown conference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the first part of the conference's address: iclr-2025")

    def handle(self, *args: Any, **options: Any) -> None:
        conference = _conference(options["slug"])
        clashes = clashes_of(conference)
        for clash in clashes:
            self.stdout.write(clash.sentence)
        wrong_days = wrong_days_among([conference])
        for wrong_day in wrong_days:
            self.stdout.write(wrong_day.sentence)
        boards = shared_boards_among(Event.objects.filter(conference=conference))
        for shared in boards:
            self.stdout.write(shared.sentence)
        dated = Event.objects.public().filter(conference=conference).with_day()
        # The log has the reason for each that is left out.
        events = with_changes(dated.for_calendars().iterator(chunk_size=EVENTS_PER_READ))
        entries = event_entries(events, DEFAULT_STYLE)
        left_out = [title for pk, title in dated.order_by("pk").values_list("pk", "title") if pk not in entries]
        for title in left_out:
            self.stdout.write(f"Left out of calendars: {title}")
        if clashes:
            count = "1 clash" if len(clashes) == 1 else f"{len(clashes)} clashes"
            self.stdout.write(f"{count} in {conference}; times are {conference.zone_name}.")
        else:
            self.stdout.write(f"No clashes in {conference}.")
        if wrong_days:
            count = "1 event is" if len(wrong_days) == 1 else f"{len(wrong_days)} events are"
            self.stdout.write(f"{count} listed under a day of another date.")
        if boards:
            count = "1 board has" if len(boards) == 1 else f"{len(boards)} boards have"
            self.stdout.write(f"{count} several posters of one session.")
        if left_out:
            count = "1 event is" if len(left_out) == 1 else f"{len(left_out)} events are"
            self.stdout.write(f"{count} left out of calendars.")
        if clashes or wrong_days or boards or left_out:
            sys.exit(1)


def _conference(slug: str) -> Conference:
    conference = Conference.objects.filter(slug=slug).first()
    if conference is None:
        known = ", ".join(Conference.objects.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"There is no conference “{slug}”. Known: {known}.", returncode=2)
    return conference
