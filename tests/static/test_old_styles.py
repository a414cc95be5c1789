"""What browsers of 2022 do not know is nowhere in the styles, or only where something else stands in for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "events" / "static" / "events" / "css"
TEMPLATE = Path(__file__).parents[2] / "templates" / "events" / "web" / "colours.css"
STYLES = {path.name: re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL) for path in [*CSS.rglob("*.css"), TEMPLATE]}

# Pattern to remedy.
FORBIDDEN = {
    r"light-dark\(": "a token with another value below prefers-color-scheme in core.css (Safari 17.5, Chrome 123)",
    r"@media[^{]*[<>]": "min-width or max-width (Safari 16.4, Chrome 104)",
    r"(?m)^\s*(?:translate|rotate):(?!.*--u)": "transform (Chrome 104)",
    r"color-mix\(": "a token with an alpha value (Safari 16.2, Chrome 111)",
}
# A viewport's height without a phone's bars: Chrome 108.
DYNAMIC = re.compile(r"^\s*([a-z-]+):.*\ddvh.*;$")


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_styles_use_what_old_browsers_know(pattern: str) -> None:
    found = [name for name, text in STYLES.items() if re.search(pattern, text)]

    assert found == [], f"Write {FORBIDDEN[pattern]}."


def test_relative_colours_stand_in_a_condition() -> None:
    lines = [line for text in STYLES.values() for line in text.splitlines() if "oklch(from" in line]

    assert len(lines) == 2
    assert lines[0].strip().startswith("@supports")


def test_dynamic_heights_follow_a_plain_one_of_the_same_property() -> None:
    alone = []
    for name, text in STYLES.items():
        before = ""
        for line in text.splitlines():
            if (found := DYNAMIC.match(line)) and not re.match(rf"\s*{found[1]}:.*\dvh", before):
                alone.append(f"{name}: {line.strip()}")
            before = line

    # The menu is fixed to all edges of the screen; its height says the same.
    assert alone == ["core.css: height: 100dvh;"]
