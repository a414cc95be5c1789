"""Rows that a module shares are as they were made in each of its tests. tests/test_marking.py refuses tests that commit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from events.models import Conference
from tests.factories import make_conference


@pytest.fixture(scope="module")
def conference(module_rows: Callable[..., Any]) -> Conference:
    return module_rows(lambda: make_conference(name="As made"))


@pytest.mark.parametrize("turn", ["first", "second"])
def test_each_test_finds_the_rows_as_they_were_made(db: None, conference: Conference, turn: str) -> None:
    assert Conference.objects.get().name == "As made"

    Conference.objects.update(name=turn)
    make_conference()


def test_only_what_a_test_registers_waits_for_its_commit(db: None, conference: Conference) -> None:
    before = len(connection.run_on_commit)

    transaction.on_commit(lambda: None)

    assert len(connection.run_on_commit) == before + 1


def test_database_stays_closed_to_a_test_that_does_not_ask_for_it(conference: Conference) -> None:
    with pytest.raises(RuntimeError, match="Database access not allowed"):
        Conference.objects.count()
