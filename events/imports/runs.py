"""The import of an uploaded file, from its bytes to its rows, and the record of it."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

from django.core.validators import slug_re
from django.db import transaction
from django.utils import timezone as clock

from events.core.parsing.errors import ScheduleParseError
from events.imports.column_choices import combined_columns, remembered_columns
from events.imports.formats.document import Document, Hints
from events.imports.formats.registry import SPREADSHEET_FORMAT, parse_document
from events.imports.models import MAX_SOURCE_NAME_CHARS, ImportOutcome, ImportRun
from events.imports.sync.engine import sync
from events.imports.sync.report import ImportHooks, ProgressCallback, SyncError, SyncReport, UnknownConferenceError
from events.imports.type_choices import OWN_FORMATS, TheirType, remembered_choices, their_types, with_chosen_types
from events.programme.data.schedule import ScheduleData, load_time_zone
from events.programme.models.conference import Conference

MAX_REPORT_LINES = 2000
"""Lines of a report that are stored."""
MAX_SLUG_CHARS = 60
SOURCE_BY_FORMAT = {"seed-folder": "seed"}
"""Formats whose source is not the name of the format."""


@dataclass(frozen=True)
class PlannedImport:
    """What a preview shows beside the record: the types of the file, and the slots that change, by primary key of the event."""

    types: list[TheirType]
    slot_changes: Mapping[int, Mapping[str, Any]]


class ImportOptions(TypedDict, total=False):
    """An empty ``format`` is detected; an empty ``timezone`` is the conference's; an empty ``source`` is the format's.

    A new conference is a draft, unless ``publish``. ``reason`` is shown with the changes. ``followed`` is the primary key of the
    address that the file came from. ``types`` are choices for the types of
    the file, beside those that are remembered, and ``columns`` those for a spreadsheet.
    ``keep_refused`` also stores the record of a refused dry run, such as the preview of an upload. ``accept`` is called with
    the record before the transaction ends; an exception in it undoes the import. ``on_planned`` is called with what only a
    preview shows.
    """

    format: str
    timezone: str
    source: str
    create: bool
    publish: bool
    dry_run: bool
    keep_refused: bool
    allow_cancel: bool
    reason: str
    followed: int | None
    types: Mapping[str, str]
    columns: Mapping[str, Any]
    progress: ProgressCallback | None
    accept: Callable[[ImportRun], None] | None
    on_planned: Callable[[PlannedImport], None] | None


def run_import(document: Document, *, slug: str, user: Any = None, **options: Unpack[ImportOptions]) -> ImportRun:
    """Import a document into the conference ``slug`` and store a record of it.

    A dry run writes nothing and returns its record unsaved. Raise ScheduleParseError or SyncError; then only the record with
    the reason is written.
    """
    run = _new_run(document, slug, user, options)
    dry_run = options.get("dry_run", False)
    try:
        data = _parse_into(document, run, slug, options)
        types = [] if run.format in OWN_FORMATS else their_types(data, run.types, run.conference)
        report = sync(
            data if run.format in OWN_FORMATS else with_chosen_types(data, run.types, run.conference),
            source=run.source,
            create=options.get("create", False),
            dry_run=dry_run,
            allow_cancel=options.get("allow_cancel", False),
            hooks=_run_hooks(run, options),
        )
    except (ScheduleParseError, SyncError) as error:
        if not dry_run or options.get("keep_refused", False):
            _save_refusal(run, error)
        raise
    _fill_run(run, report)
    if on_planned := options.get("on_planned"):
        on_planned(PlannedImport(types, report.slot_changes))
    return run


def record_unopened_file(name: str, content: bytes, error: ScheduleParseError, *, slug: str, user: Any) -> None:
    _save_refusal(_new_run(Document(name, {name: content}), slug, user, {}), error)


def _new_run(document: Document, slug: str, user: Any, options: ImportOptions) -> ImportRun:
    known_user = user if user is not None and user.is_authenticated else None
    printable_slug = _printable_name(slug, MAX_SLUG_CHARS)
    return ImportRun(
        # An invalid slug belongs to no conference.
        conference=Conference.objects.filter(slug=slug).first() if printable_slug == slug else None,
        slug=printable_slug,
        user=known_user,
        user_name=known_user.get_username() if known_user else "",
        file_name=_printable_name(document.name, 255),
        size=sum(len(content) for content in document.files.values()),
        digest=_document_digest(document),
        format=_printable_name(options.get("format", ""), 60),
        source=_printable_name(options.get("source", ""), MAX_SOURCE_NAME_CHARS),
        followed_id=options.get("followed"),
    )


def _parse_into(document: Document, run: ImportRun, slug: str, options: ImportOptions) -> ScheduleData:
    conference = run.conference
    if conference is None and not options.get("create", False):
        raise UnknownConferenceError(run.slug)
    if slug != run.slug or not slug_re.fullmatch(slug):
        shown = run.slug if slug == run.slug else f"{run.slug}…"
        raise SyncError(
            f"“{shown}” cannot be the address of a conference: write up to {MAX_SLUG_CHARS} letters, digits and hyphens."
        )
    if options.get("source", "") != run.source:
        raise SyncError(
            f"“{run.source}…” cannot be the name of a source: write up to {MAX_SOURCE_NAME_CHARS} characters in one line."
        )
    if timezone := options.get("timezone", ""):
        # Also for a format that names its zone and would not read this one.
        load_time_zone(timezone)
    hints = import_hints(conference, run.slug, options)
    detected, data = parse_document(document, hints, name=options.get("format", ""))
    run.format, run.source = detected.name, run.source or SOURCE_BY_FORMAT.get(detected.name, detected.name)
    if run.format not in OWN_FORMATS:
        run.types = remembered_choices(conference) | dict(options.get("types", {}))
    if run.format == SPREADSHEET_FORMAT:
        run.columns = dict(hints.columns)
    return dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=run.slug))


def import_hints(conference: Conference | None, slug: str, options: ImportOptions) -> Hints:
    columns = combined_columns(remembered_columns(conference), options.get("columns", {}))
    zone = options.get("timezone", "") or (conference.timezone if conference else "")
    if conference is None:
        return Hints(slug=slug, timezone=zone, columns=columns)
    dates = {"start": conference.start, "end": conference.end}
    kinds = {name.casefold(): kind for *names, kind in conference.types.values_list("slug", "name", "kind") for name in names}
    days = frozenset(conference.days.values_list("date", flat=True))
    return Hints(slug=slug, name=conference.name, timezone=zone, columns=columns, kinds=kinds, days=days, **dates)


def _run_hooks(run: ImportRun, options: ImportOptions) -> ImportHooks:
    def on_written(report: SyncReport, conference: Conference) -> None:
        # In the transaction of the rows, so that a record with the outcome "done" is true.
        _fill_run(run, report)
        run.conference, run.group = conference, report.group
        if accept := options.get("accept"):
            accept(run)
        if not options.get("dry_run", False):
            run.save()

    progress = options.get("progress")
    # An export of Hallway has less than the rows it was made of, so it takes no source's place.
    hand_over = run.format not in OWN_FORMATS
    reason, publish = options.get("reason", ""), options.get("publish", False)
    hooks = ImportHooks(on_written=on_written, reason=reason, by=run.user_name, hand_over=hand_over, publish=publish)
    return dataclasses.replace(hooks, progress=progress) if progress else hooks


def _fill_run(run: ImportRun, report: SyncReport) -> None:
    for name, count in report.counts().items():
        setattr(run, name, count)
    run.report = report.as_json(MAX_REPORT_LINES)
    run.outcome, run.finished_at = ImportOutcome.DONE, clock.now()


def _save_refusal(run: ImportRun, error: Exception) -> None:
    run.outcome, run.reason, run.finished_at = ImportOutcome.REFUSED, error_text(error), clock.now()
    with transaction.atomic():
        run.save()


def error_text(error: Exception) -> str:
    """Remove characters that a database refuses: the message may quote the file."""
    return str(error).encode("utf-8", "replace").decode().replace("\0", "")[:2000]


def _document_digest(document: Document) -> str:
    """Return the SHA-256 of one file as ``sha256sum`` prints it; of several files, a hash of all."""
    return hashlib.sha256(document.content).hexdigest() if document.is_one_file else document.digest


def _printable_name(text: str, max_chars: int) -> str:
    return "".join(character for character in text if character.isprintable())[:max_chars]
