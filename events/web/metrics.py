"""Counts requests for Prometheus: by view and status, their times, and pages from the cache. Used with METRICS_TOKEN only.

Labels are names of views and statuses, of which there are few. Nothing of a visitor is counted: no address, no path, no token.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from events.web.request import Request

# The library shares the figures of several processes by files in the folder that this names (deploy/serve).
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS_BUCKETS = (0.005, 0.025, 0.1, 0.5, 2.5)

REQUEST_REGISTRY = CollectorRegistry()
REQUESTS = Counter("hallway_requests", "Requests that were answered.", ["view", "status"], registry=REQUEST_REGISTRY)
REQUEST_SECONDS = Histogram(
    "hallway_request_seconds",
    "Seconds until an answer was ready.",
    ["view"],
    registry=REQUEST_REGISTRY,
    buckets=SECONDS_BUCKETS,
)
PAGES = Counter("hallway_pages", "Public pages, from the cache (hit) or made anew (miss).", ["cache"], registry=REQUEST_REGISTRY)


def count_requests(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    def middleware(request: HttpRequest) -> Any:
        began = time.perf_counter()
        response = get_response(request)
        view = view_name(cast(Request, request))
        REQUEST_SECONDS.labels(view).observe(time.perf_counter() - began)
        REQUESTS.labels(view, str(response.status_code)).inc()
        if cache := getattr(request, "page_cache_result", ""):
            PAGES.labels(cache).inc()
        return response

    return middleware


def view_name(request: Request) -> str:
    """The name of the address, as in events/urls.py; “static” for static files, “none” where no view answered."""
    if cached := getattr(request, "cached_view", ""):
        return cached
    if request.resolver_match:
        # Views of the admin have names; one without is not worth a label of its own.
        return request.resolver_match.view_name if request.resolver_match.url_name else "unnamed"
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def request_metrics() -> bytes:
    """Return the counts in Prometheus' text format: of all processes of this server, or of this process."""
    if SHARED_FOLDER not in os.environ:
        return generate_latest(REQUEST_REGISTRY)
    registry = CollectorRegistry()
    with _shared_folder(fcntl.LOCK_SH) as folder:
        MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def join_ended_processes() -> None:
    """Add the counts of processes that have ended to one file of each kind: what was counted stays, and their files go.

    The library's ``mark_process_dead`` removes gauges only.
    """
    if SHARED_FOLDER not in os.environ:
        return
    with _shared_folder(fcntl.LOCK_EX) as folder:
        for file in sorted(folder.glob("*_*.db")):
            kind, _, process = file.stem.partition("_")
            if process.isdecimal() and not _is_running(int(process)):
                _add_counts(file, folder / f"{kind}_ended.db")
                file.unlink()


@contextlib.contextmanager
def _shared_folder(lock: int) -> Iterator[Path]:
    """Nobody adds up the files while some are being joined."""
    folder = Path(os.environ[SHARED_FOLDER])
    with (folder / "lock").open("a") as file:
        fcntl.flock(file, lock)
        yield folder


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _add_counts(source: Path, target: Path) -> None:
    counts: dict[str, float] = defaultdict(float)
    for key, value, _, _ in MmapedDict.read_all_values_from_file(source):  # type: ignore[no-untyped-call]
        counts[key] += value
    joined = MmapedDict(str(target))  # type: ignore[no-untyped-call]
    for key, value in counts.items():
        joined.write_value(key, joined.read_value(key)[0] + value, 0.0)  # type: ignore[no-untyped-call]
    joined.close()  # type: ignore[no-untyped-call]
