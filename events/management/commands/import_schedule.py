"""Import a programme from the file of another system, and print what changed."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from events.core.parsing.errors import ColumnsNeededError, ScheduleParseError, TimeZoneNeededError, limits_of_command
from events.imports.formats.document import Document
from events.imports.formats.registry import IMPORT_FORMATS
from events.imports.formats.spreadsheet.choices import MAX_MAP_BYTES, ColumnChoices, read_column_map, write_column_map
from events.imports.formats.spreadsheet.sheet import open_sheet
from events.imports.models import ImportRun
from events.imports.runs import ImportOptions, import_hints, run_import
from events.imports.sync.report import ReportLine, SyncError, TooManyCancelledError, UnknownConferenceError
from events.programme.models.conference import Conference

MAX_PRINTED_LINES = 50
"""Per verb, unless --verbosity 2 asks for all."""


class Command(BaseCommand):
    help = "Import a programme from the file of another system, and print what changed; the same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file, a folder or a zip")
        parser.add_argument("--conference", required=True, metavar="SLUG", help="the first part of its address: iclr-2025")
        parser.add_argument("--create", action="store_true", help="create the conference if there is none with this slug")
        parser.add_argument("--publish", action="store_true", help="a new conference is public at once, not a draft")
        known = ", ".join(it.name for it in IMPORT_FORMATS)
        parser.add_argument("--format", default="", metavar="NAME", help=f"recognised by content if not given; known: {known}")
        parser.add_argument("--timezone", default="", metavar="ZONE", help="of times without a time zone: Europe/Vienna")
        parser.add_argument(
            "--source",
            default="",
            metavar="NAME",
            help="whose rows these are, if several files feed the conference: each cancels only what it brought; else the format",
        )
        parser.add_argument("--map", type=Path, metavar="FILE", help="what the columns of a spreadsheet are, as TOML")
        parser.add_argument("--print-map", action="store_true", help="print a first map of the columns to edit, and stop")
        parser.add_argument("--dry-run", action="store_true", help="print what would change, write nothing")
        parser.add_argument("--allow-cancel", action="store_true", help="even if it cancels more than a fifth of the events")

    @limits_of_command()
    def handle(self, *args: Any, **options: Any) -> None:
        choices = {
            name: options[name] for name in ("format", "timezone", "source", "create", "publish", "dry_run", "allow_cancel")
        }
        bar = ProgressBar()
        path: Path = options["file"]
        try:
            document = _read_document(path)
            if columns := options["map"]:
                choices["columns"] = _read_map(columns).as_json()
            if options["print_map"]:
                self.stdout.write(self._first_map(document, options["conference"], choices), ending="")
                return
            run = run_import(document, slug=options["conference"], progress=bar, **choices)
        except (ScheduleParseError, SyncError) as error:
            message = _at_path(_with_option(error), path)
            raise CommandError(f"{message}{'' if message.endswith(('.', '?')) else '.'} Nothing was written.") from error
        finally:
            bar.close()
        self._print_report(run, all_lines=options["verbosity"] > 1)
        if options["dry_run"]:
            self.stdout.write("Nothing was written: this was a dry run.")
        if run.conference and run.conference.is_draft:
            self.stdout.write(f"{run.conference} is a draft: publish it in the admin.")
        self.stdout.write(run.summary)

    def _first_map(self, document: Document, slug: str, choices: dict[str, Any]) -> str:
        if not document.is_one_file:
            problem = f"holds {len(document.files)} files, and a map is of one spreadsheet: name that file"
            raise ScheduleParseError(problem, file=document.name)
        conference = Conference.objects.filter(slug=slug).first()
        hints = import_hints(conference, slug, ImportOptions(columns=choices.get("columns", {})))
        sheet = open_sheet(document, ColumnChoices.from_json(hints.columns))
        found = ColumnChoices.from_json({**hints.columns, "columns": sheet.fields})
        return write_column_map(found, {header: sheet.samples(header) for header in sheet.headers}, file=document.name)

    def _print_report(self, run: ImportRun, *, all_lines: bool) -> None:
        limit = sys.maxsize if all_lines else MAX_PRINTED_LINES
        for _, lines in groupby(map(ReportLine.from_json, run.lines), key=lambda line: line.verb):
            self._print_some(map(str, lines), limit)
        if run.left_out:
            self.stdout.write(f"  … and {run.left_out} more lines")
        self._print_some((f"new {it['part']} ({it['count']}): {', '.join(it['names'])}" for it in run.made), limit)
        self._print_some((f"note: {it}" for it in run.warnings), limit)
        self._print_some((f"new clash: {it}" for it in run.new_clashes), limit)

    def _print_some(self, texts: Iterable[str], limit: int) -> None:
        texts = list(texts)
        for text in texts[:limit]:
            self.stdout.write(f"  {text}")
        if len(texts) > limit:
            self.stdout.write(f"  … and {len(texts) - limit} more like it (--verbosity 2 shows them)")


def _read_document(path: Path) -> Document:
    if match := re.match("(https?):/(.*)", str(path)):
        # A path has lost the second slash.
        problem = "is an address, and this reads files: download it, or add it to “Followed sources” in the admin"
        raise ScheduleParseError(problem, file=f"{match[1]}://{match[2]}")
    return Document.read(path)


def _read_map(path: Path) -> ColumnChoices:
    try:
        with path.open("rb") as file:
            return read_column_map(file.read(MAX_MAP_BYTES + 1), file=str(path))
    except OSError as error:
        raise ScheduleParseError(f"cannot be read: {error.strerror}", file=str(path)) from error


def _at_path(message: str, path: Path) -> str:
    """Name the file as it was given, where the message begins with its name."""
    name = path.resolve().name
    return f"{path}{message.removeprefix(name)}" if message.startswith((f"{name}:", f"{name},")) else message


def _with_option(error: Exception) -> str:
    if isinstance(error, ColumnsNeededError):
        return f"{error}. Print a map of the columns with --print-map, correct it and give it as --map"
    if isinstance(error, TimeZoneNeededError):
        return f"{error}, with --timezone"
    if isinstance(error, UnknownConferenceError):
        return f"{str(error).removesuffix('.')}, with --create"
    if isinstance(error, TooManyCancelledError):
        remedy = "cancelling so many needs --allow-cancel, and a file of another part of the programme its own --source."
        return error.with_remedy(remedy)
    return str(error)


class ProgressBar:
    """Shows the progress of an import; nothing if the output is not a terminal."""

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
