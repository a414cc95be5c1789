"""What an import did or would do, as a page shows it: counts first, then row by row."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

from events.models import ImportRun
from events.sync.report import VERBS

LINES_AT_ONCE = 50
FIRST = 12
FOLDED = 100
COUNTS = ("created", "changed", "cancelled", "unchanged", "skipped", "other_rows")
WORDS = {
    "created": "new",
    "changed": "changed",
    "cancelled": "cancelled",
    "kept": "kept as edited here",
    "skipped": "left out",
    "unchanged": "as they were",
    "other_rows": "other rows (days, rooms, people …)",
}


def run_digest(run: ImportRun) -> str:
    """Two imports that say the same are the same to whoever looked at one of them."""
    told = json.dumps([run.report, run.summary, run.other_rows], sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()


def preview_of(run: ImportRun) -> dict[str, Any]:
    """What is kept of a run that wrote nothing, beside the file."""
    counts = {name: getattr(run, name) for name in COUNTS}
    return {"counts": counts, "report": run.report, "digest": run_digest(run), "empty": run.is_empty}


def context_of(request: HttpRequest, counts: dict[str, int], report: dict[str, Any]) -> dict[str, Any]:
    """Context of ``admin/_import_report.html``."""
    lines = report.get("lines", [])
    chosen = request.GET.get("show", "")
    shown = [line for line in lines if line["verb"] == chosen] if chosen in VERBS else lines
    return {
        "counts": [(number, WORDS[name]) for name, number in counts.items() if number or name in {"created", "changed"}],
        "chips": [(verb, WORDS[verb], sum(line["verb"] == verb for line in lines)) for verb in VERBS],
        "chosen": chosen if chosen in VERBS else "",
        "page": _page(request, shown),
        "verb_words": WORDS,
        "left_out": report.get("left_out", 0),
        "clashes": _folded(report.get("clashes", [])),
        "warnings": _folded(report.get("warnings", [])),
    }


def _folded(sentences: list[str]) -> dict[str, Any]:
    """The first in sight, more behind a fold, and how many there are besides."""
    return {
        "count": len(sentences),
        "first": sentences[:FIRST],
        "more": sentences[FIRST:FOLDED],
        "rest": max(0, len(sentences) - FOLDED),
    }


def _page(request: HttpRequest, lines: list[dict[str, Any]]) -> Page[Any]:
    paginator = Paginator([{**line, "words": WORDS[line["verb"]]} for line in lines], LINES_AT_ONCE)
    return paginator.get_page(request.GET.get("page"))
