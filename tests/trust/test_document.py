"""docs/trust.md has a row for each number of the project's list, and names only tests and commands that there are."""

from __future__ import annotations

import re
from collections import Counter

from django.core.management import get_commands

from tests.imports.test_numbered_uploads import PICTURES, REFUSED, TAKEN
from tests.processes import PROJECT

TRUST = (PROJECT / "docs/trust.md").read_text()
CHECKS = [str(number) for number in range(1, 36)]
BAD_INPUTS = [f"B{number:02}" for number in range(1, 71)]
LOAD = [f"L{number}" for number in range(1, 11)]
FAULTS = [f"F{number}" for number in range(1, 27)]
TESTS = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TRUST)
TARGETS = re.findall(r"^([a-z-]+):.*## ", (PROJECT / "Makefile").read_text(), re.MULTILINE)


def rows(text: str) -> list[str]:
    return re.findall(r"^\| ([BLF]?\d+) \|", text, re.MULTILINE)


def section(title: str) -> str:
    return re.split(r"^##+ ", TRUST.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_number_has_one_row() -> None:
    assert Counter(rows(TRUST)) == Counter([*CHECKS, *BAD_INPUTS, *LOAD, *FAULTS])


def test_every_row_is_shown_or_says_why_not() -> None:
    lines = [line for line in TRUST.splitlines() if re.match(r"\| (F|L)?\d+ \|", line)]

    shown = re.compile(r"`tests/|`make |measured|Not held")
    assert [line for line in lines if not shown.search(line)] == []
    assert "TODO" not in TRUST


def test_numbers_of_files_are_those_of_the_test_that_uploads_them() -> None:
    refused, taken = rows(section("Files that are refused")), rows(section("Files that are read"))

    assert refused == sorted({name[:3] for name in REFUSED})
    assert taken == sorted({name[:3] for name in TAKEN})
    assert set(rows(section("Pictures and forms"))) > PICTURES


def test_every_test_that_is_named_exists() -> None:
    assert TESTS
    assert re.findall(r"`tests/[^`]*`", TRUST) == [f"`{path}::{name}`" for path, name in TESTS]
    missing = [
        f"{path}::{name}"
        for path, name in TESTS
        if not (PROJECT / path).exists() or f"\ndef {name}(" not in (PROJECT / path).read_text()
    ]

    assert missing == []


def test_every_command_that_is_named_exists() -> None:
    assert set(re.findall(r"`make ([a-z-]+)", TRUST)) <= set(TARGETS)
    assert set(re.findall(r"`manage\.py (\w+)", TRUST)) <= set(get_commands())
