"""How often something was tried: counted in the database, so that all processes count together."""

from __future__ import annotations

import datetime as dt
import hashlib

from django.db import connection, models
from django.utils import timezone

from events.models.writing import short_write

COUNT_UP = """
INSERT INTO events_tally (key, count, until) VALUES (%(key)s, 1, %(until)s)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN events_tally.until <= %(now)s THEN 1 ELSE events_tally.count + 1 END,
  until = CASE WHEN events_tally.until <= %(now)s THEN excluded.until ELSE events_tally.until END
RETURNING count
"""


class Tally(models.Model):
    """``key`` is a hash: whose address or mailbox it was, nobody can read from it without knowing it."""

    key = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%Y-%m-%d %H:%M}"

    @classmethod
    def allows(cls, what: str, who: str, *, most: int, within: dt.timedelta) -> bool:
        """Count one more try, and say whether that is still within the limit; one that is refused counts too."""
        now = timezone.now()
        count = cls._count_up(f"{what}:{who}", now, now + within)
        if count == 1:
            cls.objects.filter(until__lt=now).delete()
        return count <= most

    @classmethod
    def is_spent(cls, what: str, who: str, *, most: int) -> bool:
        """Whether the limit is reached, without counting."""
        return cls.objects.filter(key=_key(f"{what}:{who}"), until__gt=timezone.now(), count__gte=most).exists()

    @staticmethod
    def _count_up(name: str, now: dt.datetime, until: dt.datetime) -> int:
        """One statement, so that two at the same time are two."""
        moment = connection.ops.adapt_datetimefield_value
        values = {"key": _key(name), "now": moment(now), "until": moment(until)}
        with short_write(), connection.cursor() as cursor:
            cursor.execute(COUNT_UP, values)
            return int(cursor.fetchone()[0])


def _key(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()
