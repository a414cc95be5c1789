"""Every limit that is counted over time: how often something may be done before one has to wait."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from events.models.crowd import PAUSE
from events.models.tallies import Tally
from events.schedule.crowd import LASTS

HOUR = dt.timedelta(hours=1)
_TAG = re.compile(r"\+.*")


@dataclass(frozen=True)
class Limit:
    """At most so many ``within`` this time; a column that is None is not counted.

    A venue with thousands of people is one ``network``. Those ``newcomers`` of a network whom the site does not know yet
    are counted together: without its cookie a browser is new each time, and so is a script.
    """

    name: str
    visitor: int | None = None
    mailbox: int | None = None
    newcomers: int | None = None
    network: int | None = None
    in_all: int | None = None
    within: dt.timedelta = HOUR

    @property
    def columns(self) -> dict[str, int]:
        every = {name: getattr(self, name) for name in ("visitor", "mailbox", "newcomers", "network", "in_all")}
        return {name: most for name, most in every.items() if most is not None}

    def allows(self, **who: str | None) -> bool:
        """Count one more by each column, and return whether all are within their limit; a refused one counts too.

        ``who`` names whom each column counts; None is not counted. KeyError if it leaves a column out.
        """
        counted = [(f"{self.name} {column}", who[column], most) for column, most in self.columns.items()]
        allowed = [Tally.allows(what, one, most=most, within=self.within) for what, one, most in counted if one is not None]
        return all(allowed)

    def is_reached(self, **who: str) -> bool:
        """Whether any column has reached its limit, without counting."""
        return any(Tally.is_spent(f"{self.name} {column}", who[column], most=most) for column, most in self.columns.items())


# docs/operations.md has the same table; a test compares them.
QUESTIONS = Limit("question", visitor=20, newcomers=200, network=2_000)
# A hall that votes for the first time counts as new once; from then on it is known.
VOTES = Limit("vote for a question", visitor=400, newcomers=2_000, network=40_000)
# In all: for one conference, more than chairs can read, and less than would fill a disk.
PROPOSALS = Limit("proposal", visitor=10, newcomers=300, network=2_000, in_all=3_000)
# Whoever types somebody else's address makes chairs decide on three of them before it is quiet.
DECISION_MAILS = Limit("mail about a decision", mailbox=3)
DIGESTS = Limit("mail about changes", visitor=1, within=dt.timedelta(hours=20))
SIGN_IN_CODES = Limit("mailed code", visitor=20, mailbox=10, network=2_000)
SEATS = Limit("place", network=1_200)
NEWCOMER_SEATS = Limit("place for a newcomer", newcomers=120)
NEWCOMER_SEATS_OF_A_LIST = Limit("place for a newcomer on one list", newcomers=20)
CROWD_REPORTS = Limit("report on a room", network=6_000)
# A wrong tap may be put right at once.
CROWD_REPORTS_AT_ONCE = Limit("report on a room at once", visitor=4, within=PAUSE)
# An agenda is made in a moment, and anybody can make a hundred: of those from one network so many count at one place.
CROWD_NEWCOMERS = Limit("report of a newcomer that counts", newcomers=2, within=LASTS)
DEVICE_CODES = Limit("code for a device", visitor=20)
DEVICE_CODE_TRIES = Limit("typed code for a device", visitor=30, network=2_000)
# A thousand codes alive at any time and 5,000 wrong ones an hour for a week: 2^10 · 2^20 guesses at 2^50 codes,
# which leaves a guesser one chance in a million for a whole conference.
WRONG_DEVICE_CODES = Limit("wrong code for a device", in_all=5_000)


def mailbox_key(address: str) -> str:
    """One mailbox, whatever tag or dots its address is written with."""
    name, _, domain = address.rpartition("@")
    return f"{_TAG.sub('', name).replace('.', '')}@{domain}"
