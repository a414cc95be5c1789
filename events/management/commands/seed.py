"""Load conference folders by the import that all other files use."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.reader import parse_folder
from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING, REPORT_VERBS, ROW_KEPT, SyncError, TooManyCancelledError
from events.programme.models.conference import Conference

SEED_SOURCE = "seed"


class Command(BaseCommand):
    help = "Load conference folders (all of seeds/ without arguments), and publish them; loading them again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
        parser.add_argument("--missing", action="store_true", help="only conferences that do not exist yet")
        parser.add_argument("--dry-run", action="store_true", help="print what would change, write nothing")
        parser.add_argument("--allow-cancel", action="store_true", help="even if it cancels more than a fifth of the events")

    def handle(self, *args: Any, **options: Any) -> None:
        folders = options["folders"] or sorted(path for path in (settings.BASE_DIR / "seeds").iterdir() if path.is_dir())
        for folder in folders:
            if options["missing"] and Conference.objects.filter(slug=folder.resolve().name).exists():
                continue
            self._load(folder, options)

    def _load(self, folder: Path, options: dict[str, Any]) -> None:
        try:
            data = parse_folder(folder)
            choices = {name: options[name] for name in ("dry_run", "allow_cancel")}
            report = sync(data, source=SEED_SOURCE, hooks=PUBLISHING, **choices)
        except (ScheduleParseError, SyncError) as error:
            # An error of the whole folder begins with its name.
            message = str(error).removeprefix(f"{folder.name}: ")
            if isinstance(error, TooManyCancelledError):
                message = error.with_remedy("cancelling so many needs --allow-cancel.")
            end = "" if message.endswith((".", "?")) else "."
            raise CommandError(f"{folder.name}: {message}{end} Nothing was written.") from error
        verbs = REPORT_VERBS if options["verbosity"] > 1 or options["dry_run"] else (ROW_KEPT,)
        for line in [*data.warnings, *report.sentences(*verbs)]:
            self.stdout.write(f"  {line}")
        self.stdout.write(f"{data.conference.name}: {report}")
