"""Any seed folder is read, or refused with a message: there is no other outcome."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.seeds.reader import parse_folder
from events.imports.formats.seeds.tables import CONFERENCE_TOML, CSV_FILES, PLACE_TOML, SeedTable
from events.programme.data.schedule import ScheduleData
from tests.imports.formats.seeds.seed_folders import CONFERENCE, PLACE, write_folder

FILES = ["conference.toml", "place.toml", "notes/a.md", *CSV_FILES]
# What organisers write, what spreadsheets make of it, and what neither should.
TRICKY = """
a|b|talk|session|hall|hall-1|2025-03-29|2025-03-30 02:30|02:30|10:00|10:00:00|yes|no|Al A; Bo (host)|((|)(|;;
paper https://a.org; x|https://[|١٢|1e309|nan|\x00|\ufeff|'''|0x1|
"""
CELLS = st.sampled_from(TRICKY.strip("\n").replace("\n", "|").split("|")) | st.text(max_size=20)


def outcome(files: dict[str, str | bytes]) -> ScheduleData | ScheduleParseError:
    with tempfile.TemporaryDirectory() as parent:
        try:
            return parse_folder(write_folder(Path(parent), files))
        except ScheduleParseError as error:
            return error


@pytest.mark.parametrize("file", FILES)
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(content=b"\xff\xfek\x00e\x00y\x00")
@example(content=b"key,title,type\na,\xed\xa0\x80,talk\n")
@example(content=b'"' + b"x" * 200_000)
@example(content=b"a = " + b"9" * 5000)
def test_bytes_are_read_or_refused(file: str, content: bytes) -> None:
    found = outcome({file: content})

    assert isinstance(found, ScheduleData) or found.file == file


def rows(table: SeedTable) -> st.SearchStrategy[list[dict[str, str]]]:
    required = st.fixed_dictionaries(dict.fromkeys(table.required, CELLS), optional=dict.fromkeys(table.optional, CELLS))
    return st.lists(required, min_size=1, max_size=3)


def as_csv(table: SeedTable, found: list[dict[str, str]]) -> str:
    def cell(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    lines = [",".join(cell(row.get(column, "")) for column in table.columns) for row in found]
    return "\n".join([",".join(table.columns), *lines])


@given(data=st.data())
def test_cells_are_read_or_refused(data: st.DataObject) -> None:
    file, table = data.draw(st.sampled_from(sorted(CSV_FILES.items())))

    found = outcome({file: as_csv(table, data.draw(rows(table))).encode("utf-8", "surrogatepass")})

    assert isinstance(found, ScheduleData) or found.file == file


@given(data=st.data())
def test_toml_values_are_read_or_refused(data: st.DataObject) -> None:
    values = st.sampled_from(
        ["1", "-1", "1e400", "nan", "true", "[]", "[1]", "{a=1}", "07:30:00", "2025-03-29", "9999-12-31", "0001-01-01"]
    )
    texts = CELLS.filter(lambda text: "'" not in text and text.isprintable()).map(lambda text: f"'{text}'")
    file, base, tables = data.draw(
        st.sampled_from([("conference.toml", CONFERENCE, CONFERENCE_TOML), ("place.toml", PLACE, PLACE_TOML)])
    )
    name = data.draw(st.sampled_from(sorted(tables)))
    lines = [f"{column} = {data.draw(values | texts)}" for column in tables[name].columns]

    found = outcome({file: "\n".join([base, f"[[{name}]]", *lines])})

    assert isinstance(found, ScheduleData) or found.file == file
