"""One file against one list: everything or nothing, looked at or written."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, NamedTuple

import tablib
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from import_export.results import Result

from events.admin.previews import run_digest
from events.admin.spreadsheets.sheets import Sheet
from events.admin.spreadsheets.tables import Table, TableError, read_table
from events.models import Conference, ImportRun, Outcome
from events.sync import SyncReport, reason_of

MOST_LINES = 2000


@dataclass(frozen=True)
class Mistake:
    """Where in the file, and what to write instead."""

    row: int
    column: str
    words: str

    def __str__(self) -> str:
        return ", ".join(filter(None, [f"Row {self.row}", self.column])) + f": {self.words}"


class MistakesError(ValueError):
    """A file whose rows cannot be taken; nothing of it was written."""

    def __init__(self, mistakes: list[Mistake], general: list[str]) -> None:
        super().__init__("; ".join([*general, *map(str, mistakes)][:3]))
        self.mistakes, self.general = mistakes, general


class MovedError(ValueError):
    """What would happen is no longer what was looked at."""


class Upload(NamedTuple):
    """A file, and what was said along with it."""

    name: str
    content: bytes
    reason: str = ""


def take_in(
    sheet_class: type[Sheet], upload: Upload, conference: Conference, user: Any, *, expected: str | None = None
) -> ImportRun:
    """What the file does to the list; written only if it is ``expected``, told as a digest.

    To look takes no lock; to write holds the conference until it is done.
    Raises TableError or MistakesError with nothing written but the record that says why, MovedError where the rows differ
    from what was looked at.
    """
    try:
        if expected is None:
            return _run(sheet_class(conference, user, upload.name), upload, user, write=False)
        with transaction.atomic():
            conference.hold()
            run = _run(sheet_class(conference, user, upload.name), upload, user, write=True)
            if expected != run_digest(run):
                raise MovedError
            run.save()
        return run
    except (TableError, MistakesError) as error:
        sheet = sheet_class(conference, user, upload.name)
        ImportRun.objects.create(**_about(sheet, upload, user), outcome=Outcome.REFUSED, reason=reason_of(error))
        raise


def _run(sheet: Sheet, upload: Upload, user: Any, *, write: bool) -> ImportRun:
    table = read_table(upload.content, sheet.known_columns)
    dataset = tablib.Dataset(*table.rows, headers=table.headers)
    result = sheet.import_data(
        dataset,
        use_transactions=write,
        rollback_on_validation_errors=True,
        numbers=table.numbers,
        reason=upload.reason,
        write=write,
    )
    _raise_mistakes(result, table)
    return _record(sheet, result, upload, user)


def _raise_mistakes(result: Result, table: Table) -> None:
    general = []
    for error in [it.error for it in result.base_errors]:
        if isinstance(error, IntegrityError):
            general.append("The rows contradict each other, or rows that are there: nothing was changed.")
        elif isinstance(error, ValidationError):
            general += error.messages
        elif isinstance(error, ValueError):
            general.append(str(error))
        else:
            raise error
    if general:
        raise MistakesError([], general)
    if result.has_errors():
        raise next(error.error for _, errors in result.row_errors() for error in errors)
    mistakes = [
        Mistake(table.numbers[row.number - 1], column, words)
        for row in result.invalid_rows
        for column, texts in row.error_dict.items()
        for words in texts
    ]
    if mistakes:
        raise MistakesError(mistakes, [])


def _record(sheet: Sheet, result: Result, upload: Upload, user: Any) -> ImportRun:
    report = SyncReport(
        created=result.totals["new"], changed=result.totals["update"], unchanged=result.totals["skip"], lines=sheet.lines
    )
    new = list(sheet.people.coming.values())
    report.clashes = sheet.clashes
    report.warnings += [f"Row {it.row}: “{it.person.name}” is new{it.near}" for it in new if it.near]
    plain = [it.person.name for it in new if not it.near]
    if plain:
        report.warnings.append(f"New among the people ({len(plain)}): {'; '.join(plain[:50])}{' …' if len(plain) > 50 else ''}")
    return ImportRun(**_about(sheet, upload, user), outcome=Outcome.DONE, report=report.as_json(MOST_LINES), **report.counts())


def _about(sheet: Sheet, upload: Upload, user: Any) -> dict[str, Any]:
    """Whose file it was, and which."""
    return {
        "conference": sheet.conference,
        "slug": sheet.conference.slug,
        "user": user,
        "user_name": user.get_username(),
        "file_name": "".join(it for it in upload.name if it.isprintable())[:255],
        "size": len(upload.content),
        "digest": hashlib.sha256(upload.content).hexdigest(),
        "format": f"spreadsheet ({sheet.noun})",
        "finished_at": timezone.now(),
    }
