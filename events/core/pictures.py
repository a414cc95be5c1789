"""Logos, header pictures and icons of organisers: bounded, re-encoded, and on a ground on which they can be seen."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from PIL import Image, ImageOps

from events.core.graphics import PAPER_COLOURS, contrast
from events.core.photos import PHOTO_FORMATS, Photo, PhotoField, PhotoUpload, new_photo, webp_bytes

LOGO_SIZE_PX = (640, 320)
HEADER_WIDTH_PX = 1200
MIN_HEADER_WIDTH_PX, MIN_HEADER_HEIGHT_PX = 600, 100
HEADER_RATIO = 5 / 2
MAX_HEADER_BYTES = 90_000
HEADER_QUALITIES = (80, 70, 60, 50, 40, 30)
ICON_SIDE_PX = 512
MIN_ICON_SIDE_PX = 180
# WCAG 2 asks for this contrast of graphics.
MIN_PICTURE_CONTRAST = 3.0
# So much of a logo may be hard to see: the edge of a letter, a highlight.
MAX_FAINT_SHARE = 0.2
# A picture with less transparency than this has a ground of its own.
MIN_TRANSPARENT_SHARE = 0.03
SEEN_ALPHA = 128
SAMPLE_SIDE_PX = 64


class Ground(models.TextChoices):
    """What a picture needs behind it: nothing, or a light or dark plate in both schemes."""

    ANY = "", "Any"
    LIGHT = "light", "Light"
    DARK = "dark", "Dark"


GROUND_NOTES = {
    Ground.LIGHT: "parts of it are too dark for dark pages: there it has a white plate.",
    Ground.DARK: "parts of it are too light for light pages: there it has a dark plate.",
}


def as_logo(source: Any) -> Photo:
    """Return the picture with its transparency and without empty edges; raise UNREADABLE_PHOTO_ERRORS."""
    image = _opened(source)
    seen = image.getchannel("A").point(lambda alpha: 255 if alpha else 0).getbbox()
    image = image.crop(seen) if seen else image
    image.thumbnail(LOGO_SIZE_PX)
    note = GROUND_NOTES.get(ground_of(image))
    smaller = min({"lossless": True}, {"lossless": False}, key=lambda options: len(webp_bytes(image, **options)))
    return new_photo(image, *([note] if note else []), **smaller)


def as_header(source: Any) -> Photo:
    """Return the middle of the picture, at most two fifths as high as wide, in at most MAX_HEADER_BYTES."""
    image = _opened(source)
    image.thumbnail((HEADER_WIDTH_PX, image.height))
    image = _on(image, PAPER_COLOURS["light"])
    height = round(image.width / HEADER_RATIO)
    notes = []
    if image.height > height:
        top = (image.height - height) // 2
        image = image.crop((0, top, image.width, top + height))
        notes.append("it was higher than two fifths of its width: its top and bottom were cut off.")
    small = (quality for quality in HEADER_QUALITIES if len(webp_bytes(image, quality=quality)) <= MAX_HEADER_BYTES)
    quality = next(small, HEADER_QUALITIES[-1])
    return new_photo(image, *notes, quality=quality)


def as_icon(source: Any) -> Photo:
    """Return an opaque square: systems fill what is transparent with a colour of their own."""
    image = _opened(source)
    ground = ground_of(image)
    notes = ["it had transparent parts: they were filled."] if _transparent_share(image) else []
    if image.width != image.height:
        notes.append("it was no square: its shorter side was extended.")
    # Before the square, whose memory grows with the square of the longer side.
    image.thumbnail((ICON_SIDE_PX, ICON_SIDE_PX))
    side = max(image.size)
    square = Image.new("RGBA", (side, side))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    filled = _on(square, PAPER_COLOURS["dark" if ground == Ground.DARK else "light"])
    return new_photo(filled.resize((ICON_SIDE_PX, ICON_SIDE_PX), Image.Resampling.LANCZOS), *notes, lossless=True)


def ground_of(image: Image.Image) -> Ground:
    """Return the ground on which this RGBA picture is best seen."""
    sample = image.copy()
    sample.thumbnail((SAMPLE_SIDE_PX, SAMPLE_SIDE_PX))
    if _transparent_share(sample) < MIN_TRANSPARENT_SHARE:
        return Ground.ANY
    faint = {name: _faint_share(sample, colour) for name, colour in PAPER_COLOURS.items()}
    if max(faint.values()) <= MAX_FAINT_SHARE:
        return Ground.ANY
    return Ground.LIGHT if faint["light"] <= faint["dark"] else Ground.DARK


def _opened(source: Any) -> Image.Image:
    with Image.open(source, formats=PHOTO_FORMATS) as opened:
        return ImageOps.exif_transpose(opened).convert("RGBA")


def _on(image: Image.Image, colour: str) -> Image.Image:
    ground = Image.new("RGBA", image.size, colour)
    return Image.alpha_composite(ground, image).convert("RGB")


def _transparent_share(image: Image.Image) -> float:
    return sum(image.getchannel("A").histogram()[:SEEN_ALPHA]) / (image.width * image.height)


def _faint_share(image: Image.Image, background: str) -> float:
    """How much of what is seen has less contrast with the background than MIN_PICTURE_CONTRAST."""
    colours: Any = image.getcolors(image.width * image.height) or []
    seen = [(count, "#{:02x}{:02x}{:02x}".format(*rgba)) for count, rgba in colours if rgba[3] >= SEEN_ALPHA]
    faint: int = sum(count for count, colour in seen if contrast(colour, background) < MIN_PICTURE_CONTRAST)
    total: int = sum(count for count, _ in seen)
    return faint / max(1, total)


class LogoUpload(PhotoUpload):
    @staticmethod
    def encode(source: Any) -> Photo:
        return as_logo(source)


class SizedUpload(PhotoUpload):
    """A picture that would be blurred if it were smaller than ``min_size`` (width and height)."""

    min_size: ClassVar[tuple[int, int]] = (1, 1)

    def check_pixels(self, width: int, height: int) -> None:
        super().check_pixels(width, height)
        if width < self.min_size[0] or height < self.min_size[1]:
            least = f"{self.min_size[0]} × {self.min_size[1]}"
            raise ValidationError(
                f"This picture has {width} × {height} pixels and would be blurred: use one of {least} or more.", code="too_small"
            )


class HeaderUpload(SizedUpload):
    @staticmethod
    def encode(source: Any) -> Photo:
        return as_header(source)

    min_size = (MIN_HEADER_WIDTH_PX, MIN_HEADER_HEIGHT_PX)


class IconUpload(SizedUpload):
    @staticmethod
    def encode(source: Any) -> Photo:
        return as_icon(source)

    min_size = (MIN_ICON_SIDE_PX, MIN_ICON_SIDE_PX)


class LogoField(PhotoField):
    """A logo. ``<name>_ground`` of its model, declared after it, is what the logo needs behind it."""

    upload_class = LogoUpload

    def describe(self, row: models.Model, photo: Photo | None) -> None:
        super().describe(row, photo)
        setattr(row, f"{self.attname}_ground", _ground_of_photo(photo) if photo else Ground.ANY)


def _ground_of_photo(photo: Photo) -> Ground:
    photo.seek(0)
    return ground_of(_opened(photo))


class HeaderField(PhotoField):
    upload_class = HeaderUpload


class IconField(PhotoField):
    upload_class = IconUpload
