"""One file against one list: everything or nothing, looked at or written."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from events.admin.previewed_upload import MovedError
from events.admin.previews import run_digest
from events.admin.spreadsheets.sheets import MistakesError, Planned, Sheet
from events.admin.spreadsheets.tables import TableError, read_table
from events.models import Conference, ImportRun, Outcome
from events.sync import SyncReport, reason_of

MOST_LINES = 2000
PEOPLE_NAMED = 50


class Upload(NamedTuple):
    name: str
    content: bytes
    reason: str = ""


def take_in(
    sheet_class: type[Sheet], upload: Upload, conference: Conference, user: Any, *, expected: str | None = None
) -> ImportRun:
    """What the file does to the list; written only if it is ``expected``, a digest of what was looked at.

    To look takes no lock; to write locks the conference until it is done. Raises TableError or MistakesError with nothing
    written but the record that says why, MovedError where the rows differ from what was looked at.
    """
    about = {
        "conference": conference,
        "slug": conference.slug,
        "user": user,
        "user_name": user.get_username(),
        "file_name": "".join(it for it in upload.name if it.isprintable())[:255],
        "size": len(upload.content),
        "digest": hashlib.sha256(upload.content).hexdigest(),
        "format": f"spreadsheet ({sheet_class.noun})",
        "finished_at": timezone.now(),
    }

    def planned() -> tuple[Sheet, list[Planned], ImportRun]:
        sheet = sheet_class(conference, user)
        plan = sheet.plan(read_table(upload.content, sheet.known_columns))
        report = report_of(sheet, plan)
        return sheet, plan, ImportRun(**about, outcome=Outcome.DONE, report=report.as_json(MOST_LINES), **report.counts())

    try:
        if expected is None:
            return planned()[2]
        with transaction.atomic():
            conference.hold()
            sheet, plan, run = planned()
            if expected != run_digest(run):
                raise MovedError
            sheet.store(plan, upload.reason, upload.name)
            run.save()
        return run
    except (TableError, MistakesError, IntegrityError) as error:
        if isinstance(error, IntegrityError):
            error = MistakesError(["The rows contradict each other, or rows that are there: nothing was changed."])
        ImportRun.objects.create(**about, outcome=Outcome.REFUSED, reason=reason_of(error))
        raise error


def report_of(sheet: Sheet, planned: Sequence[Planned]) -> SyncReport:
    lines = [sheet.line(it) for it in planned if it.is_new or it.differences]
    created = sum(it.is_new for it in planned)
    report = SyncReport(created=created, changed=len(lines) - created, unchanged=len(planned) - len(lines), lines=lines)
    report.clashes = sheet.clashes(planned)
    people = sheet.people
    report.warnings += people.like.values()
    if plain := [person.name for key, person in people.new.items() if key not in people.like]:
        more = " …" if len(plain) > PEOPLE_NAMED else ""
        report.warnings.append(f"New among the people ({len(plain)}): {'; '.join(plain[:PEOPLE_NAMED])}{more}")
    return report
