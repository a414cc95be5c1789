"""How much a hall may send in an hour: a whole one comes from one address, and so does who would be a whole one."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.http import HttpResponse

from events.http import Request, address_of, visitor_token
from events.models import Agenda, Tally
from events.models.tries import network_of

HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True)
class Limits:
    """In an hour: of one visitor, from one network, and from it by those who were never here before."""

    what: str
    of_visitor: int
    from_network: int
    of_newcomers: int

    def allow(self, request: Request, agenda: Agenda | None) -> bool:
        """Count one more, and say whether it is within all of them."""
        network = network_of(address_of(request))
        counts = [
            agenda is None or Tally.allows(self.what, visitor_token(request), most=self.of_visitor, within=HOUR),
            # Without its cookie a browser is new each time, and so is a script.
            agenda is not None or Tally.allows(f"{self.what}-newcomer", network, most=self.of_newcomers, within=HOUR),
            Tally.allows(f"{self.what}-address", network, most=self.from_network, within=HOUR),
        ]
        return all(counts)


def later(response: HttpResponse) -> HttpResponse:
    response["Retry-After"] = str(int(HOUR.total_seconds()))
    return response
