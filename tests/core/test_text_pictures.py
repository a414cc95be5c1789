"""Markdown shows our own pictures by name, and nobody else's."""

from __future__ import annotations

import pytest

from events.core.text import markdown_to_html, picture_names

MAP = '<img src="/media/pages/x.webp" alt="Map">'


def test_image_with_the_name_of_a_picture_is_that_picture() -> None:
    assert markdown_to_html("Look: ![the words](map)", {"map": MAP}) == f"<p>Look: {MAP}</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/x.png)",
        "![x](map.png)",
        "![x](//evil.example/map)",
        '<img src="map" onerror="alert(1)">',
        '<p><img src="map" onerror="alert(1)"></p>',
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "\ue0000\ue001",
        "&#xE000;0&#xE001;",
    ],
)
def test_nothing_else_becomes_a_picture(text: str) -> None:
    assert "<img" not in markdown_to_html(text, {"map": MAP})


def test_mark_of_a_picture_cannot_be_imitated() -> None:
    html = markdown_to_html("![a](map) \ue0000\ue001 $x$ \ue0001\ue001", {"map": MAP})

    assert html.count("<img") == 1


def test_names_of_pictures_in_a_text() -> None:
    assert picture_names("![a](map) and ![b](exits), [c](link), `![d](code)`") == {"map", "exits"}
