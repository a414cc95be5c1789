"""Keep the hours on the venues' clocks where a government moved the clocks."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from events.models import Conference
from events.models.clocks import Retimed

SHOWN = 50


class Command(BaseCommand):
    help = "Move instants where new time zone data would move the hours on the venue's clocks; migrate does the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="tell what would move, write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        found = {conference: conference.follow_zone(dry_run=options["dry_run"]) for conference in Conference.objects.all()}
        for conference, moved in found.items():
            if moved:
                self._tell(conference, moved, most=len(moved) if options["verbosity"] > 1 else SHOWN)
        if not any(found.values()):
            self.stdout.write("The clocks of all venues are what they were: nothing to move.")
        elif options["dry_run"]:
            self.stdout.write("Nothing was written: this was a dry run.")

    def _tell(self, conference: Conference, moved: list[Retimed], *, most: int) -> None:
        times = "1 time" if len(moved) == 1 else f"{len(moved)} times"
        self.stdout.write(f"{conference}: new rules for the clocks of {conference.timezone} move {times}.")
        for it in moved[:most]:
            self.stdout.write(f"  {it.wall:%Y-%m-%d %H:%M} stays: {it.title} moves from {it.old:%H:%M} to {it.new:%H:%M} UTC")
        if len(moved) > most:
            self.stdout.write(f"  … and {len(moved) - most} more (--verbosity 2 shows them)")
