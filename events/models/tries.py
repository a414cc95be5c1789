"""How often codes may be tried: 50 bits and these limits leave a guesser one chance in a million for a whole conference."""

from __future__ import annotations

import datetime as dt
import ipaddress

from events.models.tallies import Tally

# A thousand codes alive at any time and 5,000 wrong ones an hour for a week: 2^10 · 2^20 guesses at 2^50 codes.
WRONG_IN_ALL = 5_000
# A venue is a few addresses for thousands of people.
BY_ADDRESS = 2_000
BY_VISITOR = 30
CODES_MADE = 20
HOUR = dt.timedelta(hours=1)


def may_try(visitor: str, address: str) -> bool:
    """Count one more code that somebody typed, and say whether it may be looked at."""
    allowed = Tally.allows("code by address", network_of(address), most=BY_ADDRESS, within=HOUR)
    if visitor:
        allowed &= Tally.allows("code by visitor", visitor, most=BY_VISITOR, within=HOUR)
    return allowed and not Tally.is_spent("wrong code", "", most=WRONG_IN_ALL)


def count_wrong() -> None:
    Tally.allows("wrong code", "", most=WRONG_IN_ALL, within=HOUR)


def may_make(visitor: str) -> bool:
    """Count one more code that a visitor asked for; each that is alive is one more to guess."""
    return Tally.allows("code made", visitor, most=CODES_MADE, within=HOUR)


def network_of(address: str) -> str:
    """Whom an address belongs to: whoever has one of IPv6 has 2^64 of them."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((known, 64), strict=False)) if known.version == 6 else str(known)
