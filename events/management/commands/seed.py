"""Load conference folders, through the same way in that every import takes."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from events.importers.errors import ScheduleParseError
from events.importers.seeds import parse_folder
from events.models import Conference
from events.sync import SyncError, sync
from events.sync.report import KEPT, VERBS

SOURCE = "seed"


class Command(BaseCommand):
    help = "Load conference folders (all of seeds/ without arguments); twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
        parser.add_argument("--missing", action="store_true", help="only conferences that are not there yet")
        parser.add_argument("--dry-run", action="store_true", help="tell what would change, write nothing")
        parser.add_argument("--allow-cancel", action="store_true", help="also if more than a fifth of the events vanished")

    def handle(self, *args: Any, **options: Any) -> None:
        folders = options["folders"] or sorted(path for path in (settings.BASE_DIR / "seeds").iterdir() if path.is_dir())
        for folder in folders:
            if options["missing"] and Conference.objects.filter(slug=folder.resolve().name).exists():
                continue
            self._load(folder, options)

    def _load(self, folder: Path, options: dict[str, Any]) -> None:
        try:
            data = parse_folder(folder)
            report = sync(data, source=SOURCE, dry_run=options["dry_run"], allow_cancel=options["allow_cancel"])
        except (ScheduleParseError, SyncError) as error:
            told = str(error)
            end = "" if told.endswith((".", "?")) else "."
            raise CommandError(f"{folder.name}: {told}{end} Nothing was written.") from error
        verbs = VERBS if options["verbosity"] > 1 or options["dry_run"] else (KEPT,)
        for line in [*data.warnings, *report.told(*verbs)]:
            self.stdout.write(f"  {line}")
        self.stdout.write(f"{data.conference.name}: {report}")
