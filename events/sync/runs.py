"""A file somebody hands in, from its bytes to its rows, and the record of it."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

from django.db import transaction
from django.utils import timezone as clock

from events.importers.data import ScheduleData
from events.importers.document import Document
from events.importers.errors import ScheduleParseError
from events.importers.formats import parse
from events.importers.hints import Hints
from events.models import Conference, ImportRun, Outcome
from events.sync.engine import sync
from events.sync.report import SyncError, SyncReport
from events.sync.watch import Progress, Watch

MOST_LINES = 2000
"""Lines of a report that are kept; more than that nobody reads."""
LONGEST_SLUG = 60
SOURCES = {"seed-folder": "seed"}
"""Formats whose rows remember another source than the format's name."""


class Options(TypedDict, total=False):
    """``format`` "" is found by content, ``timezone`` "" is the conference's, ``source`` "" is the format's name.

    ``keep_refused`` keeps the record of a refusal also of a dry run: somebody handed the file in to be looked at.
    ``accept`` is shown the record before anything of it stays; what it raises undoes all that was written.
    """

    format: str
    timezone: str
    source: str
    create: bool
    dry_run: bool
    keep_refused: bool
    allow_cancel: bool
    progress: Progress | None
    accept: Callable[[ImportRun], None] | None


def run_import(document: Document, *, slug: str, user: Any = None, **options: Unpack[Options]) -> ImportRun:
    """Take a document into the conference ``slug`` and keep a record of it.

    A dry run writes nothing and returns its record unsaved.
    Raises ScheduleParseError or SyncError, with nothing written but the record that says why.
    """
    run = _begin(document, slug, user, options)
    dry_run = options.get("dry_run", False)
    try:
        data = _parse(document, run, slug, options)
        report = sync(
            data,
            source=run.source,
            create=options.get("create", False),
            dry_run=dry_run,
            allow_cancel=options.get("allow_cancel", False),
            watch=_watch(run, options),
        )
    except (ScheduleParseError, SyncError) as error:
        if not dry_run or options.get("keep_refused", False):
            _refuse(run, error)
        raise
    _fill(run, report)
    return run


def keep_unopened(name: str, content: bytes, error: ScheduleParseError, *, slug: str, user: Any) -> None:
    """Keep the record of a file that is no document: a zip that cannot be opened, say."""
    _refuse(_begin(Document(name, {name: content}), slug, user, {}), error)


def _begin(document: Document, slug: str, user: Any, options: Options) -> ImportRun:
    known = user if user is not None and user.is_authenticated else None
    shown = _plain(slug, LONGEST_SLUG)
    return ImportRun(
        # A slug that had to be mended is nobody's.
        conference=Conference.objects.filter(slug=slug).first() if shown == slug else None,
        slug=shown,
        user=known,
        user_name=known.get_username() if known else "",
        file_name=_plain(document.name, 255),
        size=sum(len(content) for content in document.files.values()),
        digest=_digest(document),
        format=_plain(options.get("format", ""), 60),
        source=_plain(options.get("source", ""), 60),
    )


def _parse(document: Document, run: ImportRun, slug: str, options: Options) -> ScheduleData:
    known = run.conference
    if known is None and not options.get("create", False):
        raise SyncError(f"There is no conference “{run.slug}”: make it first, or allow the import to.")
    if slug != run.slug:
        raise SyncError(f"“{run.slug}…” is no address for a conference: write up to {LONGEST_SLUG} letters, digits and hyphens.")
    zone = options.get("timezone", "") or (known.timezone if known else "")
    dates = {"start": known.start, "end": known.end} if known else {}
    hints = Hints(slug=run.slug, name=known.name if known else "", timezone=zone, **dates)
    found, data = parse(document, hints, name=options.get("format", ""))
    run.format, run.source = found.name, run.source or SOURCES.get(found.name, found.name)
    return dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug=run.slug))


def _watch(run: ImportRun, options: Options) -> Watch:
    def written(report: SyncReport, conference: Conference) -> None:
        # With the rows or not at all: a record that says "done" is true.
        _fill(run, report)
        run.conference = conference
        if accept := options.get("accept"):
            accept(run)
        if not options.get("dry_run", False):
            run.save()

    progress = options.get("progress")
    return Watch(progress, written) if progress else Watch(written=written)


def _fill(run: ImportRun, report: SyncReport) -> None:
    for name, count in report.counts().items():
        setattr(run, name, count)
    run.report = report.as_json(MOST_LINES)
    run.outcome, run.finished_at = Outcome.DONE, clock.now()


def _refuse(run: ImportRun, error: Exception) -> None:
    run.outcome, run.reason, run.finished_at = Outcome.REFUSED, reason_of(error), clock.now()
    with transaction.atomic():
        run.save()


def reason_of(error: Exception) -> str:
    """What is wrong, as any database holds it: it may quote what the file says."""
    return str(error).encode("utf-8", "replace").decode().replace("\0", "")[:2000]


def _digest(document: Document) -> str:
    """What ``sha256sum`` says of one file; of several, what tells them from others."""
    return hashlib.sha256(document.content).hexdigest() if document.is_one_file else document.digest


def _plain(text: str, longest: int) -> str:
    """A name from outside, as any database holds it."""
    return "".join(it for it in text if it.isprintable())[:longest]
