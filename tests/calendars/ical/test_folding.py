from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.calendars.ical import LINE_FOLD, component, fold_line


@pytest.mark.parametrize(
    ("line", "folded"),
    [
        pytest.param("a" * 75, ["a" * 75], id="fits"),
        pytest.param("a" * 150, ["a" * 75, "a" * 74, "a"], id="the-space-counts"),
        pytest.param("a" * 74 + "é" + "b", ["a" * 74, "éb"], id="whole-characters"),
        pytest.param("a" * 74 + "\\,b", ["a" * 74, "\\,b"], id="whole-escapes"),
        pytest.param("a" * 73 + "\\\\\\\\b", ["a" * 73 + "\\\\", "\\\\b"], id="escaped-backslashes"),
        pytest.param("a" * 72 + "e\u0301b", ["a" * 72 + "e\u0301", "b"], id="accent-fits"),
        pytest.param("a" * 73 + "e\u0301b", ["a" * 73, "e\u0301b"], id="accent-goes-along"),
        pytest.param("a" * 70 + "👩‍👩b", ["a" * 70, "👩‍👩b"], id="joined-emoji"),
    ],
)
def test_fold_breaks_where_no_reader_notices(line: str, folded: list[str]) -> None:
    assert [part.decode() for part in fold_line(line.encode()).split(LINE_FOLD)] == folded


def test_fold_breaks_a_heap_of_accents_between_characters() -> None:
    line = "e" + "\u0301" * 100

    parts = fold_line(line.encode()).split(LINE_FOLD)

    assert "".join(part.decode() for part in parts) == line
    assert max(len(part) for part in parts) <= 75


@given(st.text(alphabet=st.sampled_from("a\\,é語👩\u200d\u0301"), max_size=300))
def test_fold_keeps_the_line_and_its_limit(line: str) -> None:
    # As in escaped text, backslashes come in pairs.
    escaped = line.replace("\\", "\\\\").encode()

    folded = fold_line(escaped)

    assert folded.replace(LINE_FOLD, b"") == escaped
    assert max(len(part) for part in folded.split(b"\r\n")) <= 75


def test_component_is_its_lines_folded_with_its_parts_and_without_empty_values() -> None:
    alarm = component("VALARM", {"ACTION": "DISPLAY"})

    event = component("VEVENT", {"SUMMARY": "x" * 100, "GEO": ""}, alarm)

    assert event.split(b"\r\n") == [
        b"BEGIN:VEVENT",
        b"SUMMARY:" + b"x" * 67,
        b" " + b"x" * 33,
        b"BEGIN:VALARM",
        b"ACTION:DISPLAY",
        b"END:VALARM",
        b"END:VEVENT",
        b"",
    ]
