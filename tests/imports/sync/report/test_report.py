from __future__ import annotations

from typing import Any

import pytest

from events.imports.sync.report import ROW_CHANGED, ROW_CREATED, ImportDifference, ReportLine, SyncReport

LINES = [
    ReportLine(ROW_CREATED, "First"),
    ReportLine(ROW_CREATED, "Second"),
    ReportLine(ROW_CHANGED, "Third", differences=(ImportDifference("room", "A", "B"),)),
]


def report(*lines: ReportLine, **more: Any) -> dict[str, Any]:
    return SyncReport(lines=list(lines), **more).as_json(max_lines=2)


def test_lines_that_need_attention_come_first() -> None:
    stored = report(*LINES)

    assert ([line["title"] for line in stored["lines"]], stored["left_out"]) == (["Third", "First"], 1)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(report(*LINES[:1], ReportLine(ROW_CREATED, "Another"), LINES[2]), id="line"),
        pytest.param(report(*LINES, warnings=["a", "b", "c"]), id="warning"),
        pytest.param(report(*LINES, clashes=["a", "b", "c"]), id="clash"),
    ],
)
def test_reports_with_different_left_out_lines_differ(other: dict[str, Any]) -> None:
    assert report(*LINES)["rest"] != other["rest"]
    assert report(*LINES)["lines"] == other["lines"]


def test_complete_report_has_no_rest() -> None:
    assert report(*LINES[:2], warnings=["a", "b"])["rest"] == ""
