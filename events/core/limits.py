"""Rate limits: counters in the database, which all processes share, and the limit of each action."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from dataclasses import dataclass

from django.db import connection, models
from django.utils import timezone

from events.core.db.writing import serialized_write

COUNT_UP_SQL = """
INSERT INTO events_tally (key, count, until) VALUES (%(key)s, 1, %(until)s)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN events_tally.until <= %(now)s THEN 1 ELSE events_tally.count + 1 END,
  until = CASE WHEN events_tally.until <= %(now)s THEN excluded.until ELSE events_tally.until END
RETURNING count
"""


class Tally(models.Model):
    """The number of attempts until a time; ``key`` is a hash, which does not reveal a network or mailbox."""

    key = models.CharField(max_length=64, unique=True)
    count = models.PositiveIntegerField(default=0)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%Y-%m-%d %H:%M}"

    @classmethod
    def allows(cls, what: str, who: str, *, most: int, within: dt.timedelta) -> bool:
        """Count one more attempt and return whether it is within the limit; refused ones count too."""
        now = timezone.now()
        count = cls._count_up(f"{what}:{who}", now, now + within)
        if count == 1:
            cls.objects.filter(until__lt=now).delete()
        return count <= most

    @classmethod
    def is_spent(cls, what: str, who: str, *, most: int) -> bool:
        return cls.objects.filter(key=_key(f"{what}:{who}"), until__gt=timezone.now(), count__gte=most).exists()

    @staticmethod
    def _count_up(name: str, now: dt.datetime, until: dt.datetime) -> int:
        # One statement, so that two simultaneous attempts count as two.
        to_column = connection.ops.adapt_datetimefield_value
        values = {"key": _key(name), "now": to_column(now), "until": to_column(until)}
        with serialized_write(), connection.cursor() as cursor:
            cursor.execute(COUNT_UP_SQL, values)
            return int(cursor.fetchone()[0])


def _key(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()


LIMIT_WINDOW = dt.timedelta(hours=1)
_MAILBOX_TAG = re.compile(r"\+.*")


@dataclass(frozen=True)
class Limit:
    """The maximum number of attempts ``within`` a time, by column; a column that is None is not counted.

    A venue with thousands of people is one ``network``. All ``newcomers`` of a network count together: a browser without
    its cookie is new each time, and so is a script.
    """

    name: str
    visitor: int | None = None
    mailbox: int | None = None
    newcomers: int | None = None
    network: int | None = None
    in_all: int | None = None
    within: dt.timedelta = LIMIT_WINDOW

    @property
    def columns(self) -> dict[str, int]:
        limits = {name: getattr(self, name) for name in ("visitor", "mailbox", "newcomers", "network", "in_all")}
        return {name: limit for name, limit in limits.items() if limit is not None}

    def allows(self, **who: str | None) -> bool:
        """Count one more attempt in each column and return whether all are within their limit; refused ones count too.

        ``who`` has an identifier for each column; None is not counted. Raises KeyError if a column is missing.
        """
        counted = [(f"{self.name} {column}", who[column], limit) for column, limit in self.columns.items()]
        # A list, not a generator: every column counts even if an earlier one refuses.
        allowed = [Tally.allows(what, one, most=limit, within=self.within) for what, one, limit in counted if one is not None]
        return all(allowed)

    def is_reached(self, **who: str) -> bool:
        return any(Tally.is_spent(f"{self.name} {column}", who[column], most=limit) for column, limit in self.columns.items())


# docs/operations.md has the same table; a test compares them.
QUESTIONS = Limit("question", visitor=20, newcomers=200, network=2_000)
# Everybody in a hall may vote for the first time at once; later votes are from known agendas.
VOTES = Limit("vote for a question", visitor=400, newcomers=2_000, network=40_000)
# In all, for one conference: more than chairs can read, and too few to fill a disk.
PROPOSALS = Limit("proposal", visitor=10, newcomers=300, network=2_000, in_all=3_000)
# Somebody else's address gets at most three mails, each of which needs a decision of a chair.
DECISION_MAILS = Limit("mail about a decision", mailbox=3)
DIGESTS = Limit("mail about changes", visitor=1, within=dt.timedelta(hours=20))
SIGN_IN_CODES = Limit("mailed code", visitor=20, mailbox=10, network=2_000)
SEATS = Limit("place", network=1_200)
NEWCOMER_SEATS = Limit("place for a newcomer", newcomers=120)
NEWCOMER_SEATS_OF_A_LIST = Limit("place for a newcomer on one list", newcomers=20)
CROWD_REPORTS = Limit("report on a room", network=6_000)
# A wrong tap may be corrected at once.
CROWD_REPORTS_AT_ONCE = Limit("report on a room at once", visitor=4, within=dt.timedelta(seconds=30))
# Anybody can make a hundred agendas: of the new ones of one network, two count for each room.
CROWD_NEWCOMERS = Limit("report of a newcomer that counts", newcomers=2, within=dt.timedelta(minutes=15))
DEVICE_CODES = Limit("code for a device", visitor=20)
DEVICE_CODE_TRIES = Limit("typed code for a device", visitor=30, network=2_000)
# With a thousand valid codes at any time and 5,000 wrong ones an hour for a week, 2^10 · 2^20 guesses at 2^50 codes have
# one chance in a million for a whole conference.
WRONG_DEVICE_CODES = Limit("wrong code for a device", in_all=5_000)


def mailbox_key(address: str) -> str:
    """Return the same key for addresses that differ only in a tag or in dots."""
    name, _, domain = address.rpartition("@")
    return f"{_MAILBOX_TAG.sub('', name).replace('.', '')}@{domain}"
