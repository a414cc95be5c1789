"""The text of the service worker, which names the static files of this release: another release is another worker."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django_htmx.jinja import htmx_script

from events.agenda.forms import MAX_DECISION_AGE
from events.offline.queries import MAX_SAVED_PAGES

EVENTS = Path(__file__).resolve().parents[1]
STATIC = EVENTS / "static"
# Saved when a page first needs them: the letters of few names, and what wall screens and organisers use.
UNSAVED_PARTS = ("latin-ext", "/screens/", "/admin/", "screen.js")
WORKER_PARTS = ("worker.js", "worker_bookmarks.js")
SAVED_SUFFIXES = {".css", ".js", ".svg", ".woff2"}


def saved_static_names() -> list[str]:
    paths = [path for path in (STATIC / "events").rglob("*") if path.suffix in SAVED_SUFFIXES]
    names = sorted(path.relative_to(STATIC).as_posix() for path in paths)
    return [name for name in names if not any(part in name for part in UNSAVED_PARTS)]


def worker_text() -> str:
    """Without ``OFFLINE``, a worker that deletes what an earlier one saved, and then itself."""
    return _worker_text() if settings.OFFLINE else (EVENTS / "offline/worker_off.js").read_text()


@functools.cache
def _worker_text() -> str:
    htmx = htmx_script().partition('src="')[2].partition('"')[0]
    files = [*(static(name) for name in saved_static_names()), htmx]
    source = "\n".join((EVENTS / "offline" / name).read_text() for name in WORKER_PARTS)
    release = hashlib.sha256("\n".join([source, *files]).encode()).hexdigest()[:12]
    config = {"release": release, "files": files, "maxPages": MAX_SAVED_PAGES, "maxWaitingDays": MAX_DECISION_AGE.days}
    return f"const CONFIG = {json.dumps(config, indent=2)};\n\n{source}"
