"""The memory that a refused file takes, measured in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from events.admin.spreadsheets.tables import read_table
from events.core.parsing.table_files import MAX_TABLE_LINES, TableError

READING = """
import re, sys
from pathlib import Path
import conference.settings
from events.admin.spreadsheets.tables import read_table
from events.core.parsing.table_files import TableError
content = eval(sys.argv[1])
try:
    read_table(content, ["title"])
except TableError as error:
    print(error)
# Not resource.getrusage: its maximum includes the process that started this one.
print(int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""
MAX_MEGABYTES = 200
TOO_MANY = "The file has {lines} lines, and 500,000 is the most: delete the empty ones, or split it."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("b'title\\n' + b'x,\\n' * 4_000_000", TOO_MANY.format(lines="4,000,001"), id="rows"),
        pytest.param("b'title\\r' + b'x,\\r' * 4_000_000", TOO_MANY.format(lines="4,000,001"), id="rows-of-old-macs"),
        pytest.param("b'title' + b'\\n' * 16_000_000", TOO_MANY.format(lines="16,000,000"), id="empty-lines"),
        pytest.param(
            "b'title\\n' + b'x' * 16_000_000",
            "Row 2: a cell is longer than 100,000 characters: shorten it, or close its quotation mark.",
            id="one-cell",
        ),
    ],
)
def test_huge_file_is_refused_within_200_megabytes(content: str, said: str) -> None:
    done = subprocess.run([sys.executable, "-c", READING, content], capture_output=True, text=True, check=True)

    message, megabytes = done.stdout.splitlines()
    assert message.startswith(said)
    assert int(megabytes) < MAX_MEGABYTES


def test_file_within_the_limit_of_lines_is_read() -> None:
    cell = '"' + "x\n" * 50 + '"\n'

    assert len(read_table(("title\n" + cell * 9_000).encode(), ["title"])) == 9_000


def test_lines_within_cells_count() -> None:
    with pytest.raises(TableError, match="has 500,001 lines"):
        read_table(b'title\n"' + b"\n" * (MAX_TABLE_LINES - 1) + b'"\n', ["title"])


def test_server_loads_what_reads_workbooks_only_for_a_workbook() -> None:
    loaded = "import sys, django; django.setup(); import conference.urls; print(*{'openpyxl', 'icalendar'} & sys.modules.keys())"

    found = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)

    assert found.stdout.split() == ["icalendar"]
