"""Pictures of organisers are bounded and can be seen on light and on dark pages."""

from __future__ import annotations

import os

import pytest
from PIL import Image

from events.core.graphics import PAPER_COLOURS, colour_note, contrast, light_and_dark
from events.core.photos import Photo
from events.core.pictures import HEADER_QUALITIES, MAX_HEADER_BYTES, Ground, as_header, as_icon, as_logo, ground_of
from tests.pictures import drawn_on_nothing, picture, upload


def opened(photo: Photo) -> Image.Image:
    photo.seek(0)
    return Image.open(photo)


@pytest.mark.parametrize(
    ("colour", "ground"),
    [
        pytest.param("#16181d", Ground.LIGHT, id="black cannot be seen on dark pages"),
        pytest.param("#ffffff", Ground.DARK, id="white cannot be seen on light pages"),
        pytest.param("#d9480f", Ground.ANY, id="orange can be seen on both"),
    ],
)
def test_transparent_logo_says_on_which_ground_it_can_be_seen(colour: str, ground: Ground) -> None:
    logo = as_logo(drawn_on_nothing(colour))

    assert (ground_of(opened(logo).convert("RGBA")), bool(logo.notes)) == (ground, ground != Ground.ANY)


def test_opaque_picture_has_a_ground_of_its_own() -> None:
    assert ground_of(Image.new("RGBA", (40, 20), "#16181d")) == Ground.ANY


def test_logo_keeps_its_transparency_and_loses_its_empty_edges() -> None:
    logo = opened(as_logo(drawn_on_nothing("#d9480f", 2000, 1000)))

    assert (logo.format, logo.mode, max(logo.size) <= 640) == ("WEBP", "RGBA", True)
    assert logo.getchannel("A").getbbox() == (0, 0, *logo.size)


def test_header_is_cut_to_its_shape_and_says_so() -> None:
    header = as_header(picture(2400, 2400))

    assert (opened(header).size, header.notes) == (
        (1200, 480),
        ("it was higher than two fifths of its width: its top and bottom were cut off.",),
    )


def test_header_full_of_detail_is_small() -> None:
    noise = Image.frombytes("L", (300, 120), os.urandom(300 * 120)).resize((1200, 480))

    assert len(as_header(upload(noise.convert("RGB"), "noise.png")).read()) <= MAX_HEADER_BYTES
    assert list(HEADER_QUALITIES) == sorted(HEADER_QUALITIES, reverse=True)


def test_icon_is_an_opaque_square() -> None:
    icon = as_icon(drawn_on_nothing("#16181d"))

    assert (opened(icon).size, opened(icon).mode) == ((512, 512), "RGB")
    assert icon.notes == ("it had transparent parts: they were filled.", "it was no square: its shorter side was extended.")
    assert opened(icon).convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_colour_that_is_hard_to_read_is_said_with_its_replacement() -> None:
    light, dark = light_and_dark("#FFE600")

    assert colour_note("#FFE600") == (f"#FFE600 is hard to read as text on some grounds: it is shown as {light} on light pages.")
    assert dark == "#FFE600"
    assert min(contrast(light, PAPER_COLOURS["light"]), contrast(dark, PAPER_COLOURS["dark"])) >= 4.5
