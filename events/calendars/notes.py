"""Who came for a feed and what it was told: remembered in this process, and written down every half minute."""

from __future__ import annotations

import datetime as dt
import logging
from typing import NamedTuple

from django.utils import timezone

from events.calendars.clients import kind_of
from events.calendars.soon import EVERY, Soon
from events.models import Agenda, FeedFetch
from events.models.writing import short_write

MOST = 10_000
AT_ONCE = 500

logger = logging.getLogger("events.calendars")


class Visit(NamedTuple):
    """The serial says which of the agenda's addresses it was: what is told of one that was replaced is of no use."""

    at: dt.datetime
    serial: int
    agenda_revision: int
    conference_revision: int


Visits = dict[tuple[int, str], Visit]


class Notes(Soon):
    """The last visit of each kind of calendar to each feed. A calendar never waits for it, nor suffers from its troubles."""

    def __init__(self, every: float | None = EVERY) -> None:
        super().__init__(every)
        self._visits: Visits = {}
        self._in_trouble = False

    def take(self, agenda: Agenda, user_agent: str) -> None:
        key = (agenda.pk, kind_of(user_agent))
        visit = Visit(timezone.now(), agenda.feed_serial, agenda.revision, agenda.conference.revision)
        with self._lock:
            if key in self._visits or len(self._visits) < MOST:
                self._visits[key] = visit
            self._wind()

    def write(self) -> None:
        """What was taken so far, now; what cannot be written waits for the next time."""
        with self._lock:
            visits, self._visits = self._visits, {}
        keys = sorted(visits)
        try:
            for begin in range(0, len(keys), AT_ONCE):
                store({key: visits[key] for key in keys[begin : begin + AT_ONCE]})
        except Exception as error:  # noqa: BLE001 - whatever the database has, calendars get their answers
            self._put_back(visits)
            if not self._in_trouble:
                logger.error("Visits of calendars cannot be written down, and wait: %r", error)
            self._in_trouble = True
        else:
            self._in_trouble = False

    def _put_back(self, visits: Visits) -> None:
        with self._lock:
            self._visits = visits | self._visits
            self._wind()

    def clear(self) -> None:
        with self._lock:
            self._visits = {}


def store(visits: Visits) -> None:
    """None of an agenda that is gone, of an address that was replaced, or older than what another process wrote."""
    pks = {pk for pk, _ in visits}
    with short_write():
        # Held, so that none of them is reset or deleted meanwhile, and each process takes them in the same order.
        held = Agenda.objects.filter(pk__in=pks).order_by("pk").select_for_update(no_key=True)
        serials = dict(held.values_list("pk", "feed_serial"))
        written = {(it.agenda_id, it.client): it.at for it in FeedFetch.objects.filter(agenda__in=pks)}
        rows = [
            FeedFetch(
                agenda_id=pk,
                client=client,
                at=visit.at,
                agenda_revision=visit.agenda_revision,
                conference_revision=visit.conference_revision,
            )
            for (pk, client), visit in visits.items()
            if serials.get(pk) == visit.serial and written.get((pk, client), visit.at) <= visit.at
        ]
        FeedFetch.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["agenda", "client"],
            update_fields=["at", "agenda_revision", "conference_revision"],
        )


NOTES = Notes()
