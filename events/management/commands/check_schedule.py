"""Say which rooms and people are in two places at once, and which events no calendar can show."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.calendars.left_out import unwritable_in
from events.models import Conference
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
        broken = unwritable_in(conference)
        for row in broken:
            self.stdout.write(f"Left out of calendars: {row.sentence}")
        if found:
            words = "1 clash" if len(found) == 1 else f"{len(found)} clashes"
            self.stdout.write(f"{words} in {conference}; times are {conference.zone_name}.")
        else:
            self.stdout.write(f"No clashes in {conference}.")
        if broken:
            words = "1 event is" if len(broken) == 1 else f"{len(broken)} events are"
            self.stdout.write(f"{words} left out of calendars.")
        if found or broken:
            sys.exit(1)
