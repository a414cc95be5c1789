"""Load an invented programme of the size of ICLR 2025, to measure the site with it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, SyncError
from events.management.example import EXAMPLE_SLUG, example_schedule

EXAMPLE_SOURCE = "example"


class Command(BaseCommand):
    help = "Load an invented programme of 3,704 papers, labelled as an example; loading it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--events", type=int, metavar="N", help="the number of events, in the same proportions")
        parser.add_argument("--slug", default=EXAMPLE_SLUG, help=f"its address (default: {EXAMPLE_SLUG})")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            data = example_schedule(options["events"], slug=options["slug"])
            # A smaller example after a larger one cancels many events.
            report = sync(data, source=EXAMPLE_SOURCE, allow_cancel=True, hooks=PUBLISHING)
        except (ValueError, SyncError) as error:
            raise CommandError(f"{error}. Nothing was written.") from error
        self.stdout.write(f"{data.conference.name} (/{data.conference.slug}/): {report}")
