"""Events that feeds had to leave out: remembered in this process, and written down for organisers soon after."""

from __future__ import annotations

import datetime as dt
import logging

from events.calendars.soon import EVERY, Soon
from events.models import CalendarProblem, Event
from events.models.writing import short_write

MOST = 1_000
LONGEST = 300

NO_END = "It does not end after it starts. Give it another time."
UNREADABLE = "Its row cannot be read: it was written past Hallway, with what is no text or no date. Take it from a backup."

logger = logging.getLogger("events.calendars")


def in_words(error: Exception | str) -> str:
    """Why an entry cannot be written, and what to do about it."""
    said = str(error)
    if "does not end after it starts" in said:
        return NO_END
    start = "Its entry cannot be written ("
    rest = "). Type its texts and addresses again, or tell whoever runs this site."
    plain = "".join(it if it.isprintable() else " " for it in said)
    return f"{start}{plain[: LONGEST - len(start) - len(rest)]}{rest}"


class Problems(Soon):
    """The newest problem of each event. A feed never waits for it, nor suffers from its troubles."""

    def __init__(self, every: float | None = EVERY) -> None:
        super().__init__(every)
        self._found: dict[int, str] = {}

    def take(self, pk: int, problem: str) -> None:
        with self._lock:
            if pk in self._found or len(self._found) < MOST:
                self._found[pk] = problem
            self._wind()

    def write(self) -> None:
        """What was taken so far, now. What cannot be written is in the log all the same."""
        with self._lock:
            found, self._found = self._found, {}
        try:
            if found:
                store(found)
        except Exception as error:  # noqa: BLE001 - whatever the database has, calendars get their answers
            logger.error("What calendars leave out cannot be written down for organisers: %r", error)

    def clear(self) -> None:
        with self._lock:
            self._found = {}


def store(found: dict[int, str]) -> None:
    """Of the events that are there still; and no longer of those that were revised since."""
    with short_write():
        revised = _revised(sorted(found))
        CalendarProblem.objects.bulk_create(
            [CalendarProblem(event_id=pk, problem=found[pk][:LONGEST], revised_at=at) for pk, at in revised.items()],
            update_conflicts=True,
            unique_fields=["event"],
            update_fields=["problem", "revised_at", "noticed_at"],
        )
        older = dict(CalendarProblem.objects.exclude(event__in=found).values_list("event", "revised_at"))
        now = _revised(sorted(older))
        # What cannot even say when it was revised is as broken as it was.
        gone = [pk for pk, then in older.items() if now.get(pk) not in (None, then)]
        CalendarProblem.objects.filter(event__in=gone).delete()


def _revised(pks: list[int]) -> dict[int, dt.datetime | None]:
    """None where not even that can be read."""
    there = Event.objects.filter(pk__in=pks).order_by("pk")
    return dict.fromkeys(there.values_list("pk", flat=True)) | dict(there.values_list("pk", "revised_at"))


PROBLEMS = Problems()
