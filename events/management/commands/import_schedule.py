"""Take in a programme from the file another system made, and tell what that changed."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.formats import FORMATS
from events.models import ImportRun
from events.sync import Line, SyncError, run_import

SHOWN = 50
"""Lines of one sort that are printed unless all are asked for."""


class Command(BaseCommand):
    help = "Take in a programme from another system's file, and tell what changed; twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file, a folder or a zip")
        parser.add_argument("--conference", required=True, metavar="SLUG", help="the first part of its address: iclr-2025")
        parser.add_argument("--create", action="store_true", help="make the conference if it is not there")
        known = ", ".join(it.name for it in FORMATS)
        parser.add_argument("--format", default="", metavar="NAME", help=f"found by content if not given; known: {known}")
        parser.add_argument("--timezone", default="", metavar="ZONE", help="where clocks without a zone stand: Europe/Vienna")
        parser.add_argument("--dry-run", action="store_true", help="tell what would change, write nothing")
        parser.add_argument("--allow-cancel", action="store_true", help="also if more than a fifth of the events vanished")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = {name: options[name] for name in ("format", "timezone", "create", "dry_run", "allow_cancel")}
        bar = Bar()
        try:
            document = Document.read(options["file"])
            run = run_import(document, slug=options["conference"], progress=bar, **wanted)
        except (ScheduleParseError, SyncError) as error:
            told = str(error)
            raise CommandError(f"{told}{'' if told.endswith(('.', '?')) else '.'} Nothing was written.") from error
        finally:
            bar.close()
        self._tell(run, all_lines=options["verbosity"] > 1)
        if options["dry_run"]:
            self.stdout.write("Nothing was written: this was a dry run.")
        self.stdout.write(run.summary)

    def _tell(self, run: ImportRun, *, all_lines: bool) -> None:
        most = len(run.lines) if all_lines else SHOWN
        for _, lines in groupby(map(Line.from_json, run.lines), key=lambda line: line.verb):
            self._some(map(str, lines), most)
        if run.left_out:
            self.stdout.write(f"  … and {run.left_out} more lines")
        self._some((f"note: {it}" for it in run.warnings), most)
        self._some((f"new clash: {it}" for it in run.new_clashes), most)

    def _some(self, texts: Iterable[str], most: int) -> None:
        texts = list(texts)
        for text in texts[:most]:
            self.stdout.write(f"  {text}")
        if len(texts) > most:
            self.stdout.write(f"  … and {len(texts) - most} more like it (--verbosity 2 shows them)")


class Bar:
    """How far an import is, on a terminal; nothing where nobody looks."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None
        self._step = ""

    def __call__(self, step: str, done: int, total: int) -> None:
        if step != self._step:
            self.close()
            self._step, self._bar = step, tqdm(total=total, desc=step.capitalize(), unit=" rows", leave=False, disable=None)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
