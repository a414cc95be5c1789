"""The palette in core.css: every pair that meets on a page can be read, in light and in dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "events" / "static" / "events" / "css" / "web" / "core.css"
HEX = r"#[0-9a-f]{6}"
DECLARATION = re.compile(rf"--(?:color-)?([a-z-]+):\s*(?:({HEX})|var\(--(on-dark-[a-z-]+)\));")

GROUNDS = ("paper", "raised", "sunken")
LINES = tuple(f"line-{kind}" for kind in ("invited", "session", "poster", "workshop", "social", "affinity", "break"))
INKS = ("ink", "ink-soft", "clash", "tight", "fine", *LINES)

TEXT_PAIRS = [
    *((ink, ground) for ink in INKS for ground in GROUNDS),
    ("on-signal", "signal"),
    ("signal", "plate"),
    ("on-plate", "plate"),
    ("on-sign", "sign"),
    ("on-sign-soft", "sign"),
    ("signal", "sign"),
    *((f"on-dark-{verdict}", "sign") for verdict in ("clash", "tight", "fine")),
]
GRAPHIC_PAIRS = [
    *(("edge", ground) for ground in GROUNDS),
    ("plate-rule", "plate"),
]


def palette(scheme: str) -> dict[str, str]:
    """The tokens of light pages, and over them those below ``prefers-color-scheme: dark``."""
    tokens = CORE.read_text().partition("/* 2. ")[0]
    light, _, dark = tokens.partition("@media screen and (prefers-color-scheme: dark)")
    colours: dict[str, str] = {}
    for name, hex_value, twin in DECLARATION.findall(light + (dark if scheme == "dark" else "")):
        colours[name] = hex_value or colours[twin]
    return colours


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def too_weak(pairs: list[tuple[str, str]], scheme: str, least: float) -> dict[tuple[str, str], float]:
    colours = palette(scheme)
    ratios = {pair: round(contrast(colours[pair[0]], colours[pair[1]]), 2) for pair in pairs}
    return {pair: ratio for pair, ratio in ratios.items() if ratio < least}


def test_contrast_of_black_on_white_is_the_maximum() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21.0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_text_is_at_least_four_and_a_half(scheme: str) -> None:
    assert too_weak(TEXT_PAIRS, scheme, 4.5) == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_of_graphics_is_at_least_three(scheme: str) -> None:
    assert too_weak(GRAPHIC_PAIRS, scheme, 3.0) == {}


def test_tokens_give_the_two_schemes_different_grounds() -> None:
    light, dark = palette("light"), palette("dark")

    assert [name for name in (*GROUNDS, *INKS) if light[name] == dark[name]] == []
