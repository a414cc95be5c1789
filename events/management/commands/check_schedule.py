"""List rooms and people that are in two places at once, and events that no calendar can show."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.calendars.entries import written
from events.calendars.style import ONE
from events.models import Conference, Event
from events.queries.clashes import clashes_of


class Command(BaseCommand):
    help = (
        "List the clashes of a conference and what calendars leave out. "
        "Exit code: 1 if there is any of either, 0 if there is none, 2 for an unknown conference."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the first part of the conference's address: iclr-2025")

    def handle(self, *args: Any, **options: Any) -> None:
        conference = Conference.objects.filter(slug=options["slug"]).first()
        if conference is None:
            known = ", ".join(Conference.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no conference “{options['slug']}”. Known: {known}.", returncode=2)
        found = clashes_of(conference)
        for clash in found:
            self.stdout.write(clash.sentence)
        dated = Event.objects.public().filter(conference=conference).exclude(day=None)
        # What cannot be written is logged with the reason.
        entries = written(dated, ONE)
        left_out = [title for pk, title in dated.order_by("pk").values_list("pk", "title") if pk not in entries]
        for title in left_out:
            self.stdout.write(f"Left out of calendars: {title}")
        if found:
            words = "1 clash" if len(found) == 1 else f"{len(found)} clashes"
            self.stdout.write(f"{words} in {conference}; times are {conference.zone_name}.")
        else:
            self.stdout.write(f"No clashes in {conference}.")
        if left_out:
            words = "1 event is" if len(left_out) == 1 else f"{len(left_out)} events are"
            self.stdout.write(f"{words} left out of calendars.")
        if found or left_out:
            sys.exit(1)
