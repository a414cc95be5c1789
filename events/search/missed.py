"""Questions that found nothing: how many different people asked each, without storing who or what fewer than five asked.

While a day lasts, a process remembers keyed hashes of who asked, in its memory alone. Only when another five different people
have asked the same is a number written: that of the row rises by five.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass

from django.db import Error
from django.db.models import F
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.rules.impact import MIN_SHOWN_COUNT
from events.core.db.writing import impatient_write
from events.core.words import folded_words
from events.programme.models.conference import Conference
from events.search.models import MissedSearch
from events.search.queries.page import SearchPage
from events.search.rules import MAX_MISSED_CHARS, MIN_MISSED_CHARS
from events.web.request import Request, network_of

logger = logging.getLogger("events.search")
MAX_REMEMBERED_QUESTIONS = 1_000
MAX_REMEMBERED_ASKERS = 50
"""Of one question in a day, by one process; later ones are not counted."""
MAX_MISSED_ROWS = 500
"""Of one conference: a script that asks for anything cannot fill a disk."""


class DaysQuestions:
    """Who asked what today, as far as this process knows."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forget(dt.date.min)

    def _forget(self, date: dt.date) -> None:
        self._date, self._key = date, secrets.token_bytes(16)
        self._askers: OrderedDict[tuple[int, str], set[bytes]] = OrderedDict()

    def add(self, conference: int, words: str, asker: str, date: dt.date) -> bool:
        """Return whether another five different people have asked now."""
        with self._lock:
            if date != self._date:
                self._forget(date)
            askers = self._askers.setdefault((conference, words), set())
            self._askers.move_to_end((conference, words))
            if len(self._askers) > MAX_REMEMBERED_QUESTIONS:
                self._askers.popitem(last=False)
            before = len(askers)
            if before < MAX_REMEMBERED_ASKERS:
                askers.add(hashlib.blake2b(asker.encode(), key=self._key, digest_size=8).digest())
            return len(askers) > before and len(askers) % MIN_SHOWN_COUNT == 0

    def clear(self) -> None:
        with self._lock:
            self._forget(dt.date.min)


DAYS_QUESTIONS = DaysQuestions()


@dataclass(frozen=True)
class MissedQuestion:
    """Counts each visitor who gets the page that found nothing."""

    conference: int
    words: str

    def __call__(self, request: Request, agenda: Agenda | None) -> None:
        # Hundreds at a venue share one network; a browser without an agenda is one of them.
        asker = f"agenda {agenda.pk}" if agenda else f"network {network_of(request)}"
        today = timezone.now().date()
        if request.method == "GET" and DAYS_QUESTIONS.add(self.conference, self.words, asker, today):
            record_missed(self.conference, self.words, today)


def missed_question(conference: Conference, page: SearchPage, part: str) -> MissedQuestion | None:
    """None for a page that found something, has filters, or is the panel of a question that is still being typed."""
    if part == "panel" or (page.count and not page.without) or page.is_filtered or page.corrected:
        return None
    words = " ".join(folded_words(page.question))
    is_question = MIN_MISSED_CHARS <= len(words) <= MAX_MISSED_CHARS
    return MissedQuestion(conference.pk, words) if is_question else None


def record_missed(conference: int, words: str, today: dt.date) -> None:
    """Five more asked. If the database is locked or not reachable, they are not counted."""
    rows = MissedSearch.objects.filter(conference=conference)
    try:
        with impatient_write():
            if rows.filter(words=words).update(askers=F("askers") + MIN_SHOWN_COUNT, last_on=today):
                return
            # The least asked give way: the beginnings of words above all.
            surplus = rows.order_by("askers", "last_on").values_list("pk", flat=True)
            MissedSearch.objects.filter(pk__in=list(surplus[: max(0, rows.count() - MAX_MISSED_ROWS + 1)])).delete()
            row = MissedSearch(conference_id=conference, words=words, askers=MIN_SHOWN_COUNT, last_on=today)
            MissedSearch.objects.bulk_create([row], ignore_conflicts=True)
    except Error as error:
        logger.warning("A question that found nothing was not counted: %r", error)
