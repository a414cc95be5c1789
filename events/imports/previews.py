"""What an import would do, as plain values that are stored with the file until somebody decides."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Unpack

from events.imports.formats.document import Document
from events.imports.formats.registry import IMPORT_FORMATS
from events.imports.models import ImportRun
from events.imports.runs import ImportOptions, PlannedImport, run_import
from events.programme.models.conference import Conference

IMPORT_COUNT_FIELDS = ("created", "changed", "cancelled", "unchanged", "elsewhere", "skipped", "other_rows")
ImpactOf = Callable[[Mapping[int, Mapping[str, Any]]], dict[str, Any] | None]
"""What the changed days, hours, rooms, places and statuses do to agendas, for ``admin/_impact.html``."""


def run_digest(run: ImportRun) -> str:
    """A hash of what a run did; a preview and its import have the same one."""
    outcome = json.dumps([run.report, run.summary, run.other_rows], sort_keys=True, default=str)
    return hashlib.sha256(outcome.encode()).hexdigest()


def preview_data(run: ImportRun) -> dict[str, Any]:
    """What is stored of a previewed run, beside the file."""
    counts = {name: getattr(run, name) for name in IMPORT_COUNT_FIELDS}
    return {"counts": counts, "report": run.report, "digest": run_digest(run), "empty": run.is_empty}


def preview_programme(
    document: Document, slug: str, *, user: Any, impact_of: ImpactOf, **options: Unpack[ImportOptions]
) -> tuple[ImportRun, dict[str, Any]]:
    """Return the record of a dry run, and the preview to be stored. Raise ScheduleParseError or SyncError."""
    revision = conference_revision(slug)
    planned: list[PlannedImport] = []
    dry: ImportOptions = {**options, "dry_run": True, "on_planned": planned.append}
    run = run_import(document, slug=slug, user=user, **dry)
    label = next((it.label for it in IMPORT_FORMATS if it.name == run.format), run.format)
    about = f"{'The new conference' if options.get('create') else 'Programme of'} {slug}, read as {label}"
    return run, {
        **preview_data(run),
        "about": about,
        "is_draft": not Conference.objects.published().filter(slug=slug).exists(),
        "revision": revision,
        "types": [dataclasses.astuple(it) for it in planned[0].types],
        "impact": impact_of(planned[0].slot_changes),
    }


def conference_revision(slug: str) -> int | None:
    return Conference.objects.filter(slug=slug).values_list("revision", flat=True).first()
