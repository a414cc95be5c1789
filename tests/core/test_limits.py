"""The limits, and their table in the documentation."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest

from events.core import limits
from events.core.limits import LIMIT_WINDOW, Limit, Tally

PROJECT = Path(__file__).parents[2]
TABLE = [value for value in vars(limits).values() if isinstance(value, Limit)]
COLUMNS = ["visitor", "mailbox", "newcomers", "network", "in_all"]
WORDS = {
    LIMIT_WINDOW: "hour",
    dt.timedelta(hours=20): "20 hours",
    dt.timedelta(minutes=15): "15 minutes",
    dt.timedelta(minutes=2): "2 minutes",
    dt.timedelta(minutes=1): "minute",
    dt.timedelta(days=1): "day",
    dt.timedelta(seconds=30): "30 seconds",
}


def test_operations_document_has_every_limit() -> None:
    section = (PROJECT / "docs/operations.md").read_text().partition("## Limits\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!---|What )(.+) \|$", section, re.MULTILINE)

    documented = {name: cells for name, *cells in (row.split(" | ") for row in rows)}

    numbers = {it.name: [f"{it.columns[name]:,}" if name in it.columns else "–" for name in COLUMNS] for it in TABLE}
    assert documented == {it.name: [*numbers[it.name], WORDS[it.within]] for it in TABLE}
    assert len(rows) == len(TABLE)


def test_nothing_is_counted_outside_the_table() -> None:
    counting = {
        path.relative_to(PROJECT / "events").as_posix()
        for path in (PROJECT / "events").rglob("*.py")
        if "Tally.allows(" in path.read_text()
    }

    # A code that was mailed has five tries and one use.
    assert counting - {"accounts/sign_in.py"} == {"core/limits.py"}


@pytest.mark.django_db
def test_each_column_counts_apart_and_any_refuses() -> None:
    limit = Limit("thing", visitor=1, network=2)

    allowed = [limit.allows(visitor=visitor, network="n") for visitor in ("a", "a", "b")]

    assert allowed == [True, False, False]
    assert limit.allows(visitor="c", network="other")


@pytest.mark.django_db
def test_two_limits_do_not_count_together() -> None:
    assert [Limit(name, visitor=1).allows(visitor="a") for name in ("one", "two")] == [True, True]


@pytest.mark.django_db
def test_who_is_none_is_not_counted() -> None:
    limit = Limit("thing", visitor=0, network=9)

    assert (limit.allows(visitor=None, network=""), limit.allows(visitor="", network="")) == (True, False)


@pytest.mark.django_db
def test_column_that_is_left_out_is_an_error_and_counts_nothing() -> None:
    limit = Limit("thing", visitor=1, network=9)

    with pytest.raises(KeyError):
        limit.allows(visitor="a")

    assert limit.allows(visitor="a", network="")


@pytest.mark.django_db
def test_reaching_a_limit_is_seen_without_counting() -> None:
    limit = Limit("thing", in_all=1)

    seen = [limit.is_reached(in_all=""), limit.is_reached(in_all=""), limit.allows(in_all=""), limit.is_reached(in_all="")]

    assert seen == [False, False, True, True]


@pytest.mark.django_db
@pytest.mark.parametrize("before", ["", "list-7 "])
def test_ipv6_networks_of_one_subscriber_share_four_times_the_limit(before: str) -> None:
    limit = Limit("thing", newcomers=2)
    networks = [f"{before}2001:db8:7:{number:x}::/64" for number in range(9)]

    allowed = [limit.allows(newcomers=network) for network in networks]

    assert allowed == [True] * 8 + [False]
    assert limit.is_reached(newcomers=f"{before}2001:db8:7:ffff::/64")
    assert limit.allows(newcomers=f"{before}2001:db8:8::/64")


@pytest.mark.django_db
@pytest.mark.parametrize("network", ["192.0.2.7", "", "::/64", "2001:db8::/64", "x:y/64"])
def test_other_columns_count_what_looks_like_a_network_as_it_is(network: str) -> None:
    limit = Limit("thing", visitor=1)

    assert [limit.allows(visitor=network) for _ in range(2)] == [True, False]
    assert Tally.objects.count() == 1


def test_mailbox_is_one_with_tags_and_dots() -> None:
    assert {limits.mailbox_key(it) for it in ["ada.l@x.org", "adal+1@x.org", "a.d.a.l+b+c@x.org"]} == {"adal@x.org"}
