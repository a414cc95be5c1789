"""Load an invented programme of the size of ICLR 2025, to see and measure how the site does with it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.management.example import SLUG, example
from events.sync import SyncError, sync

SOURCE = "example"


class Command(BaseCommand):
    help = "Load an invented programme of 3,704 papers, labelled as an example; twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--events", type=int, metavar="N", help="so many events instead, in the same proportions")
        parser.add_argument("--slug", default=SLUG, help=f"its address; {SLUG} if not said")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data = example(options["events"], slug=options["slug"])
            # A smaller example after a larger one: nobody waits for what is cancelled.
            report = sync(data, source=SOURCE, allow_cancel=True)
        except (ValueError, SyncError) as error:
            raise CommandError(f"{error}. Nothing was written.") from error
        self.stdout.write(f"{data.conference.name} (/{data.conference.slug}/): {report}")
