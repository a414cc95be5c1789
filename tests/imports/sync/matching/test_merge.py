from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest

from events.imports.sync.merge import MergeResult, as_json, three_way_merge
from tests.factories import THURSDAY, at

KEPT, APPLIED, NOTHING = "kept", "applied", "nothing"


def outcome_of(found: MergeResult) -> str:
    if found.protected:
        return KEPT
    return APPLIED if found.apply else NOTHING


@pytest.mark.parametrize(
    ("last", "now", "row", "outcome"),
    [
        pytest.param("A", "A", "A", NOTHING, id="neither-changed"),
        pytest.param("A", "B", "A", APPLIED, id="the-file-changed"),
        pytest.param("A", "A", "C", KEPT, id="the-hand-changed"),
        pytest.param("A", "B", "C", KEPT, id="both-changed"),
        pytest.param("A", "B", "B", NOTHING, id="both-to-the-same"),
        pytest.param("A", "", "A", APPLIED, id="the-file-emptied"),
        pytest.param("A", "A", "", KEPT, id="the-hand-emptied"),
        pytest.param("", "B", "", APPLIED, id="the-file-filled"),
        pytest.param("", "", "C", NOTHING, id="the-hand-filled-what-the-file-never-said"),
        pytest.param(None, 0, None, APPLIED, id="nothing-is-not-zero"),
        pytest.param(False, True, False, APPLIED, id="yes-or-no"),
        pytest.param("A\nB", "A\nC", "A\r\nB", APPLIED, id="line-ends-are-no-edit"),
        pytest.param("A\nB", "A\nB", "A\r\nB", NOTHING, id="line-ends-are-no-change"),
    ],
)
def test_merge_of_three_values(last: Any, now: Any, row: Any, outcome: str) -> None:
    found = three_way_merge({"field": last}, {"field": now}, {"field": row})

    assert outcome_of(found) == outcome
    assert found.apply == ({"field": now} if outcome == APPLIED else {})
    assert found.protected == ({"field": (row, now)} if outcome == KEPT else {})
    assert found.remembered == {"field": now}


@pytest.mark.parametrize(
    ("now", "row", "outcome"),
    [
        pytest.param("B", "", APPLIED, id="empty"),
        pytest.param("B", "B", NOTHING, id="the-same"),
        pytest.param("B", "C", KEPT, id="something-else"),
        pytest.param(3, 0, APPLIED, id="zero"),
        pytest.param(3, None, APPLIED, id="none"),
        pytest.param(True, False, APPLIED, id="no"),
        pytest.param([["a"]], [], APPLIED, id="no-children"),
        pytest.param([["a"]], [["b"]], KEPT, id="other-children"),
        pytest.param("", "C", NOTHING, id="what-the-file-does-not-say"),
        pytest.param([], [["b"]], NOTHING, id="children-the-file-does-not-have"),
    ],
)
def test_merge_into_a_row_made_by_hand_fills_what_is_empty(now: Any, row: Any, outcome: str) -> None:
    assert outcome_of(three_way_merge({}, {"field": now}, {"field": row})) == outcome


TIMES = ("day", "start", "end")


@pytest.mark.parametrize(
    ("last", "now", "row", "stored"),
    [
        pytest.param("thu 9 10", "thu 7 8", "thu 9 10", "thu 7 8", id="the-file-moved-it"),
        pytest.param("thu 9 10", "thu 7 8", "thu 9.1 10", "thu 9.1 10", id="the-hand-moved-its-start"),
        pytest.param("thu 9 10", "thu 7 8", "thu 9 10.2", "thu 9 10.2", id="the-hand-prolonged-it"),
        pytest.param("thu 9 10", "fri 9 10", "thu 9.5 10.5", "thu 9.5 10.5", id="two-days"),
        pytest.param("thu 9 10", "thu 7 8", "thu 7 10", "thu 7 10", id="one-part-is-equal"),
        pytest.param("thu - -", "fri - -", "thu 9 10", "thu 9 10", id="the-hand-set-an-hour"),
        pytest.param("thu - -", "fri 9 10", "thu - -", "fri 9 10", id="the-file-set-an-hour"),
    ],
)
def test_fields_of_one_value_are_kept_or_taken_together(last: str, now: str, row: str, stored: str) -> None:
    values = [{**dict(zip(TIMES, text.replace("-", "").split(" "), strict=True)), "title": text} for text in (last, now, row)]

    found = three_way_merge(values[0], values[1], values[2] | {"title": last}, [TIMES])

    assert " ".join((values[2] | found.apply)[name] or "-" for name in TIMES) == stored
    assert found.apply["title"] == now
    assert bool(found.protected) is (stored == row)
    assert three_way_merge(found.remembered, values[1], {**values[2], **found.apply}, [TIMES]).apply == {}


def test_fields_of_one_value_that_the_file_does_not_have_are_passed_over() -> None:
    assert three_way_merge({"zone": "a"}, {"zone": "b"}, {"zone": "a"}, [("zone", "floor")]).apply == {"zone": "b"}


def test_merge_applies_the_value_and_stores_it_as_json() -> None:
    found = three_way_merge({"start": None}, {"start": at("09:00")}, {"start": None})

    assert found.apply == {"start": at("09:00")}
    assert found.remembered == {"start": "2025-04-24T01:00:00+00:00"}


def test_merge_compares_instants_not_their_zones() -> None:
    found = three_way_merge(
        {"start": "2025-04-24T01:00:00+00:00"}, {"start": at("09:00")}, {"start": at("09:00").astimezone(dt.UTC)}
    )

    assert outcome_of(found) == NOTHING


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (THURSDAY, "2025-04-24"),
        (at("09:00"), "2025-04-24T01:00:00+00:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (None, None),
        (1.5, 1.5),
        ([["ada", True]], [["ada", True]]),
    ],
)
def test_as_json(value: Any, json: Any) -> None:
    assert as_json(value) == json
