"""JSON with many and unusual characters: read in little memory, or refused with a message."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from events.core.parsing.errors import ScheduleParseError
from events.core.parsing.safe_json import MAX_JSON_BYTES, load_json

ROOT = Path(__file__).parents[3]
# One character of four bytes in twenty-five megabytes of texts, as mathematics has it.
LARGE = b'["\xf0\x9d\x92\x9f", ' + b", ".join([b'"' + b"a" * 1500 + b'"'] * 17_000) + b"]"
CHILD = """
import re, sys
from pathlib import Path
from events.core.parsing.safe_json import load_json

assert len(load_json(sys.stdin.buffer.read(), file="large.json")) == 17_001
print(int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1]) / 1024)
"""


@pytest.mark.parametrize(
    "text",
    ["🎉", "𝒟ata", "é–𝔸" * 3, "\\", '"', "🎉" * 100_001],
    ids=["emoji", "script", "mixed", "backslash", "quote", "many emoji"],
)
def test_characters_of_every_width_are_read(text: str) -> None:
    content = json.dumps({text: [text]}, ensure_ascii=False).encode()

    assert load_json(content, file="x.json") == {text: [text]}


def test_one_wide_character_does_not_widen_all_others() -> None:
    run = subprocess.run([sys.executable, "-c", CHILD], input=LARGE, capture_output=True, check=True, cwd=ROOT, timeout=60)

    assert float(run.stdout) < 150


def test_a_text_of_millions_is_refused() -> None:
    with pytest.raises(ScheduleParseError, match=r"^x\.json: holds a text of two million characters: remove it$"):
        load_json(b'["' + b"a" * 2_000_001 + b'"]', file="x.json")


def test_a_file_larger_than_any_programme_is_refused() -> None:
    with pytest.raises(ScheduleParseError, match=r"^x\.json: is larger than 30 MB"):
        load_json(b" " * (MAX_JSON_BYTES + 1), file="x.json")
