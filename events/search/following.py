"""When the index is updated: what was touched at once; the comparison of everything at once too, or in a server later."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections.abc import Collection

from django.db import connection
from django.utils import timezone

from events.search.indexing import (
    MAX_TOUCHED_EVENTS,
    compare,
    index_events,
    reindex,
    stale_conferences,
    stale_revision,
)
from events.search.models import SearchIndex
from events.search.rules import MANY_TEXTS

DELAY_SECONDS = 2
"""So that an organiser's answer, and further changes of the same minute, come first."""
COMPARISON_INTERVAL = dt.timedelta(seconds=30)
"""Reading all texts of 4,000 events takes half a second."""

logger = logging.getLogger(__name__)


class BackgroundComparison:
    """Comparisons in a thread of a server process: one at a time, of one conference at most once in an interval.

    What is outstanding is stored: the revisions of the conference and of its index differ. So nothing is lost with the
    process; the next change, the next start of a server or the next migrate compares again.
    """

    def __init__(self) -> None:
        self.is_started = False
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._scheduled: set[int] = set()

    def start(self) -> None:
        """Compare in the background from now on, first what an earlier process left."""
        self.is_started = True
        _start_timer(DELAY_SECONDS, self._schedule_stale)

    def schedule(self, conference_id: int, seconds: float = DELAY_SECONDS) -> None:
        with self._lock:
            if conference_id in self._scheduled:
                return
            self._scheduled.add(conference_id)
        _start_timer(seconds, self._run, conference_id)

    def _schedule_stale(self) -> None:
        try:
            for conference_id in stale_conferences():
                self.schedule(conference_id, 0)
        except Exception:
            logger.exception("The search index was not checked")
        finally:
            connection.close()

    def _run(self, conference_id: int) -> None:
        # A change from now on may not be read any more, and needs another comparison.
        with self._lock:
            self._scheduled.discard(conference_id)
        wait: dt.timedelta | None = COMPARISON_INTERVAL
        try:
            with self._turn:
                wait = compare_if_due(conference_id)
        except Exception:
            logger.exception("The search index was not compared")
        finally:
            connection.close()
        if wait is not None:
            self.schedule(conference_id, wait.total_seconds())


def _start_timer(seconds: float, call: object, *values: int) -> None:
    timer = threading.Timer(seconds, call, values)  # type: ignore[arg-type]
    # The end of the process does not wait for it: a comparison writes in one transaction.
    timer.daemon = True
    timer.start()


BACKGROUND_COMPARISON = BackgroundComparison()


def compare_if_due(conference_id: int) -> dt.timedelta | None:
    """Compare unless another thread or process did within the interval. Return when to try again; None if it is current."""
    if (revision := stale_revision(conference_id)) is None:
        return None
    now = timezone.now()
    if SearchIndex.objects.claim(conference_id, now, COMPARISON_INTERVAL):
        compare(conference_id, revision)
        return None if stale_revision(conference_id) is None else COMPARISON_INTERVAL
    last = SearchIndex.objects.filter(conference=conference_id).values_list("compared_at", flat=True).first()
    return last + COMPARISON_INTERVAL - now if last else COMPARISON_INTERVAL


def index_in_revision(conference_id: int, events: Collection[int]) -> set[str]:
    """Update the index in the transaction that changes these events; return the subjects of the texts that differ.

    An error undoes nothing: the comparison after the commit corrects the index.
    """
    if len(events) > MAX_TOUCHED_EVENTS:
        return set(MANY_TEXTS)
    try:
        return index_events(conference_id, events)
    except Exception:
        logger.exception("The search index was not updated")
        return set(MANY_TEXTS)


def follow_revision(conference_id: int, events: Collection[int] | None = None) -> None:
    """Compare all texts with the index after the commit of a revision."""
    if BACKGROUND_COMPARISON.is_started:
        BACKGROUND_COMPARISON.schedule(conference_id)
    else:
        reindex(conference_id)
