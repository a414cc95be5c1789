"""Rate limits: counters in the database, which all processes share, and the limit of each action."""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
import re
from collections.abc import Iterator, Mapping
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

    @classmethod
    def left(cls, what: str, who: str, *, most: int) -> int:
        """Return how many more attempts are within the limit. This counts none."""
        tally = cls.objects.filter(key=_key(f"{what}:{who}"), until__gt=timezone.now()).first()
        return max(0, most - (tally.count if tally else 0))

    @classmethod
    def clear(cls, what: str, who: str) -> None:
        with serialized_write():
            cls.objects.filter(key=_key(f"{what}:{who}")).delete()

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
NETWORK_COLUMNS = {"newcomers", "network"}
WIDE_NETWORK_FACTOR = 4
_MAILBOX_TAG = re.compile(r"\+.*")


@dataclass(frozen=True)
class Limit:
    """The maximum number of attempts ``within`` a time, by column; a column that is None is not counted.

    A venue with thousands of people is one ``network``. An identifier that ends in an IPv6 /64 also counts for its /48, which has
    65,536 of them and WIDE_NETWORK_FACTOR times the limit. All ``newcomers`` of a network count together: a browser without
    its cookie is new each time, and so is a script. Known visitors are counted apart ("known NETWORK"), so the numbers of the
    columns ``network`` and ``in_all`` are for newcomers and once more for known visitors.
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
        # Lists, not generators: every column counts even if an earlier one refuses, and none does if one is missing.
        allowed = [Tally.allows(what, one, most=most, within=self.within) for what, one, most in list(self._counters(who))]
        return all(allowed)

    def is_reached(self, **who: str) -> bool:
        return any(Tally.is_spent(what, one, most=most) for what, one, most in self._counters(who))

    def clear(self, **who: str) -> None:
        for what, one, _ in self._counters(who):
            Tally.clear(what, one)

    def _counters(self, who: Mapping[str, str | None]) -> Iterator[tuple[str, str, int]]:
        for column, most in self.columns.items():
            identifier = who[column]
            if identifier is None:
                continue
            yield f"{self.name} {column}", identifier, most
            if column in NETWORK_COLUMNS and (wide := _in_wide_network(identifier)):
                yield f"{self.name} {column}", wide, most * WIDE_NETWORK_FACTOR


def _in_wide_network(identifier: str) -> str:
    """Return the identifier with the IPv6 /64 it ends in replaced by its /48; "" if it ends in none."""
    rest, space, network = identifier.rpartition(" ")
    if ":" not in network or not network.endswith("/64"):
        return ""
    return f"{rest}{space}{ipaddress.IPv6Network(network).supernet(new_prefix=48)}"


# docs/operations.md has the same table; a test compares them.
# More people than reach a venue in an hour, behind one address.
NEW_AGENDAS = Limit("new agenda", network=6_000)
QUESTIONS = Limit("question", visitor=20, newcomers=200, network=2_000)
# A hall of newcomers may vote for several questions each.
VOTES = Limit("vote for a question", visitor=400, newcomers=20_000, network=40_000)
# Anybody can send 300 votes without a cookie in seconds. The others are stored, and do not count.
NEWCOMER_VOTES = Limit("vote of a newcomer that counts", newcomers=100)
# As votes for questions; counted for each poll.
POLL_VOTES = Limit("vote in a poll", visitor=400, newcomers=20_000, network=40_000)
# A hall that is here for the first time. An organiser opens a poll for minutes, and it moves nothing but its own bars.
NEWCOMER_POLL_VOTES = Limit("vote of a newcomer in a poll that counts", newcomers=1_000)
# Counted for each event, of all organisers together.
EVENT_MESSAGES = Limit("message to those who have an event", in_all=5, within=dt.timedelta(days=1))
# Others wait for a moderator. Counted for each event, as votes are for each question.
NEWCOMER_QUESTIONS = Limit("question of a newcomer shown at once", newcomers=20)
# In all, for one conference: more than chairs can read, and too few to fill a disk.
PROPOSALS = Limit("proposal", visitor=10, newcomers=300, network=2_000, in_all=3_000)
# Somebody else's address gets at most three mails, each of which needs a decision of a chair.
DECISION_MAILS = Limit("mail about a decision", mailbox=3)
# A programme that is moved again and again on one day is read on its pages.
ALERTS = Limit("mail at once about a change", visitor=10, within=dt.timedelta(days=1))
DIGESTS = Limit("mail about changes", visitor=1, within=dt.timedelta(hours=20))
# Of all organisers together: rooms fill up by thousands of reports.
NOTICE_CHECKS = Limit("look for what organisers are mailed about", in_all=1, within=dt.timedelta(minutes=1))
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
# Above it a right code is accepted all the same: a new device is a newcomer, whom strangers of its network could lock out.
# So the code alone must be hard to guess: of 2^60, with a thousand valid ones at any time, a thousand guesses a second for a
# week (2^10 · 2^29) have one chance in 1.9 million.
WRONG_DEVICE_CODES = Limit("wrong code for a device", visitor=30, network=2_000)

# In all, for one account, from all networks together.
STAFF_PASSWORDS = Limit("password of organisers", network=300, in_all=200)
# Each costs a quarter of a second of a processor.
STAFF_PASSWORDS_AT_ONCE = Limit("password of organisers at once", network=30, within=dt.timedelta(minutes=1))
# Of an account in one network, or in one browser that has signed in to it before.
STAFF_PASSWORDS_NEARBY = Limit("password of one organiser", visitor=10, within=dt.timedelta(minutes=15))
# Whoever tries has the password already.
STAFF_CODES = Limit("second factor of one organiser", visitor=10, within=dt.timedelta(minutes=15))
STAFF_CODES_A_DAY = Limit("second factor of one organiser in a day", visitor=100, within=dt.timedelta(days=1))
# Anybody may type an organiser's address.
STAFF_PASSWORD_MAILS = Limit("mail for a new password", mailbox=3, network=30)
INVITATIONS = Limit("invitation of an organiser", visitor=30)
# Longer than an authenticator app's code is valid.
USED_STAFF_CODES = Limit("use of one code", visitor=1, within=dt.timedelta(minutes=2))


def mailbox_key(address: str) -> str:
    """Return the same key for addresses that differ only in a tag or in dots."""
    name, _, domain = address.rpartition("@")
    return f"{_MAILBOX_TAG.sub('', name).replace('.', '')}@{domain}"
