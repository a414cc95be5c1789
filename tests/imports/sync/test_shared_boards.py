"""Boards that an import gives to several posters of a session are among the new clashes."""

from __future__ import annotations

import dataclasses

import pytest

from events.imports.sync.engine import sync
from events.programme.data.schedule import EventTypeData
from tests.imports.sync.programmes import event, programme

pytestmark = pytest.mark.django_db


def test_board_given_twice_by_a_file_is_named_once() -> None:
    types = tuple(EventTypeData(key=kind, name=kind.title(), kind=kind) for kind in ("talk", "poster"))
    session = event("s", title="Posters")
    posters = [event(key, title=key.title(), type="poster", session="s", board=f"#{number}") for number, key in enumerate("abc")]
    data = programme(session, *posters, types=types)
    twice = dataclasses.replace(data, events=(session, posters[0], dataclasses.replace(posters[1], board="0"), posters[2]))

    first = sync(data, source="a")
    preview = sync(twice, source="a", dry_run=True)
    reports = [sync(twice, source="a") for _ in range(2)]

    sentence = "Board 0 has 2 posters in “Posters”: “A”, “B”. Give each its board."
    assert [it.clashes for it in (first, preview, *reports)] == [[], [sentence], [sentence], []]
