"""seeds/README.md and the parser know the same files, columns and words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from events.imports.formats.seeds.tables import (
    APPEARANCE_ROLES,
    AUDIENCES,
    AWARD_LEVELS,
    CONFERENCE_TOML,
    CSV_FILES,
    EVENT_KINDS,
    EVENT_STATUSES,
    LEG_MODES,
    PLACE_TOML,
    SIGNUP_STATES,
    STARTING_POINT_KINDS,
    TYPE_COLOURS,
    SeedTable,
)
from events.programme.data.schedule import LINK_KINDS

SEEDS = Path(__file__).parents[4] / "seeds"
README = (SEEDS / "README.md").read_text(encoding="utf-8")
TABLES = {**CONFERENCE_TOML, **PLACE_TOML, **CSV_FILES}


def documented() -> dict[str, list[tuple[str, bool]]]:
    """Every heading of a table, with the columns of the table below it and whether they are required."""
    found: dict[str, list[tuple[str, bool]]] = {}
    heading = ""
    for line in README.splitlines():
        if title := re.fullmatch(r"#+ `\[?\[?([\w.]+)\]?\]?`", line):
            heading = title[1]
        elif row := re.fullmatch(r"\| `(\w+)` \|.*\| (yes|no) \|", line):
            found.setdefault(heading, []).append((row[1], row[2] == "yes"))
    return found


def columns(name: str, table: SeedTable) -> set[tuple[str, bool]]:
    # Its section says so: all columns of events.csv, and the type may be left out.
    known = {*CSV_FILES["events.csv"].columns} if name == "socials.csv" else set()
    return {(column, column in table.required) for column in table.columns if column not in known}


def test_readme_documents_every_table() -> None:
    assert sorted(documented()) == sorted(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_readme_documents_every_column_once(name: str) -> None:
    rows = documented()[name]

    assert sorted(rows) == sorted(columns(name, TABLES[name]))


def test_socials_take_every_column_of_events() -> None:
    assert set(CSV_FILES["events.csv"].columns) - set(CSV_FILES["socials.csv"].columns) == set()


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("kind", EVENT_KINDS),
        ("colour", TYPE_COLOURS),
        ("status", EVENT_STATUSES),
        ("signup_state", SIGNUP_STATES),
        ("people", APPEARANCE_ROLES),
        ("for", AUDIENCES),
        ("level", AWARD_LEVELS),
        ("links", LINK_KINDS),
        ("mode", LEG_MODES),
        ("kind", STARTING_POINT_KINDS),
    ],
)
def test_readme_lists_the_allowed_values_of_a_column(column: str, words: tuple[str, ...]) -> None:
    rows = [line for line in README.splitlines() if line.startswith(f"| `{column}` |")]

    assert any(all(f"`{word}`" in row for word in words) for row in rows)


@pytest.mark.parametrize("path", sorted(SEEDS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_readme_says_where_every_file_is_from(path: Path) -> None:
    section = README.partition(f"\n## `{path.parent.name}`\n")[2].partition("\n## ")[0]

    assert f"`{path.name}{'/' if path.is_dir() else ''}`" in section
