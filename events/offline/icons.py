"""The icon of an installed conference: the arrow of a sign, under a stripe in the conference's colour."""

from __future__ import annotations

import io

from django.db.models.fields.files import ImageFieldFile
from PIL import Image, ImageDraw

from events.core.graphics import light_and_dark

SIGN_COLOUR, ARROW_COLOUR, STRIPE_COLOUR = "#16181d", "#fbfaf6", "#ffc61a"
# Drawn larger and reduced, which smooths the slanting lines.
ICON_SCALE = 4


FAVICON_SIZES = (16, 32, 48)


def icon_png(size: int, colour: str, picture: ImageFieldFile | None = None) -> bytes:
    out = io.BytesIO()
    image = (_own_icon(size, picture) if picture else None) or _icon(size, colour)
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _own_icon(size: int, picture: ImageFieldFile) -> Image.Image | None:
    """None if the file is gone."""
    try:
        with picture.storage.open(str(picture.name)) as file, Image.open(file) as stored:
            return stored.convert("RGB").resize((size, size), Image.Resampling.LANCZOS)
    except OSError:
        return None


def favicon_ico() -> bytes:
    largest = FAVICON_SIZES[-1]
    out = io.BytesIO()
    _icon(largest, "").save(out, "ICO", sizes=[(size, size) for size in FAVICON_SIZES])
    return out.getvalue()


def _icon(size: int, colour: str) -> Image.Image:
    """The whole square is filled and the arrow within its middle, because systems cut icons to a circle or a rounded square."""
    side = size * ICON_SCALE
    image = Image.new("RGB", (side, side), SIGN_COLOUR)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, side, side * 0.2), fill=light_and_dark(colour)[1] if colour else STRIPE_COLOUR)
    points = {name: (side * x, side * y) for name, (x, y) in ARROW_POINTS.items()}
    width = round(side * 0.1)
    draw.line([points["tail"], points["tip"]], fill=ARROW_COLOUR, width=width)
    draw.line([points["upper"], points["tip"], points["lower"]], fill=ARROW_COLOUR, width=width, joint="curve")
    return image.resize((size, size), Image.Resampling.LANCZOS)


ARROW_POINTS = {"tail": (0.24, 0.56), "tip": (0.74, 0.56), "upper": (0.53, 0.35), "lower": (0.53, 0.77)}
