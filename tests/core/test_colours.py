from __future__ import annotations

import colorsys
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.core.graphics import MIN_CONTRAST, PAPER_COLOURS, contrast, light_and_dark

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def hue(colour: str) -> float:
    return colorsys.rgb_to_hls(*(int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)))[0]


@pytest.mark.parametrize(
    ("a", "b", "ratio"),
    [
        ("#000000", "#FFFFFF", 21.0),
        ("#FFFFFF", "#000000", 21.0),
        ("#1747B8", "#1747b8", 1.0),
        ("#777777", "#FFFFFF", 4.48),
        ("#767676", "#FFFFFF", 4.54),
    ],
)
def test_contrast_is_that_of_wcag(a: str, b: str, ratio: float) -> None:
    assert round(contrast(a, b), 2) == ratio


@given(colour=COLOURS)
def test_every_colour_has_twins_that_can_be_read(colour: str) -> None:
    light, dark = light_and_dark(colour)

    assert contrast(light, PAPER_COLOURS["light"]) >= MIN_CONTRAST
    assert contrast(dark, PAPER_COLOURS["dark"]) >= MIN_CONTRAST


@given(colour=COLOURS)
def test_twins_are_colours_and_nothing_else(colour: str) -> None:
    assert [bool(re.fullmatch("#[0-9A-Fa-f]{6}", twin)) for twin in light_and_dark(colour)] == [True, True]


@given(colour=COLOURS)
def test_colour_that_can_be_read_stays_as_it_is(colour: str) -> None:
    light, dark = light_and_dark(colour)

    assert (light == colour) == (contrast(colour, PAPER_COLOURS["light"]) >= MIN_CONTRAST)
    assert (dark == colour) == (contrast(colour, PAPER_COLOURS["dark"]) >= MIN_CONTRAST)


@pytest.mark.parametrize("colour", ["#FFFF00", "#00FF00", "#1747B8", "#FF0066"])
def test_twins_keep_their_hue(colour: str) -> None:
    assert [round(abs(hue(twin) - hue(colour)), 1) for twin in light_and_dark(colour)] == [0, 0]


def test_twins_of_the_extremes() -> None:
    assert light_and_dark("#000000")[0] == "#000000"
    assert light_and_dark("#ffffff")[1] == "#ffffff"
