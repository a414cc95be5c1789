from __future__ import annotations

from typing import Any

import pytest

from events.sync.report import CHANGED, CREATED, Difference, Line, SyncReport

LINES = [Line(CREATED, "First"), Line(CREATED, "Second"), Line(CHANGED, "Third", differences=(Difference("room", "A", "B"),))]


def report(*lines: Line, **more: Any) -> dict[str, Any]:
    return SyncReport(lines=list(lines), **more).as_json(most_lines=2)


def test_lines_that_need_a_look_are_kept_first() -> None:
    kept = report(*LINES)

    assert ([line["title"] for line in kept["lines"]], kept["left_out"]) == (["Third", "First"], 1)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(report(*LINES[:1], Line(CREATED, "Another"), LINES[2]), id="line"),
        pytest.param(report(*LINES, warnings=["a", "b", "c"]), id="warning"),
        pytest.param(report(*LINES, clashes=["a", "b", "c"]), id="clash"),
    ],
)
def test_what_there_is_no_room_for_tells_reports_apart(other: dict[str, Any]) -> None:
    assert report(*LINES)["rest"] != other["rest"]
    assert report(*LINES)["lines"] == other["lines"]


def test_report_that_is_kept_whole_has_no_rest() -> None:
    assert report(*LINES[:2], warnings=["a", "b"])["rest"] == ""
