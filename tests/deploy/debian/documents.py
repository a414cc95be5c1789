"""What the documentation tells administrators to type."""

from __future__ import annotations

import re

from tests.processes import PROJECT

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def typed_lines(page: str, heading: str) -> list[list[str]]:
    """The lines after the prompt of root, of each block below this heading until the next one."""
    text = (PROJECT / f"docs/{page}.md").read_text()
    _, found, rest = text.partition(f"\n{heading}\n")
    assert found, f"docs/{page}.md has no heading “{heading}”"
    section = re.split(r"^#{2,3} ", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return [[line[2:] for line in block.splitlines() if line.startswith("# ")] for block in BLOCK.findall(section)]
