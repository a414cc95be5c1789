"""Photos, taken in as pixels only: whatever else an uploaded file holds is left behind."""

from __future__ import annotations

import io
import secrets
import struct
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import models
from django.db.models.fields.files import ImageFieldFile
from PIL import Image, ImageOps

LONGEST_SIDE = 1600
# Others are read by programs outside, or by code that sees few files.
FORMATS = ("JPEG", "PNG", "WEBP")
LARGEST = 16 * 2**20
# A pixel takes four bytes while it is read: what 150 kB promise may take a gigabyte.
MOST_PIXELS = 30_000_000
QUALITY = 82
# What Pillow says of files that are no picture, broken or cut off; and of those that open to very much.
UNREADABLE = (OSError, ValueError, SyntaxError, struct.error)
BOMB = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class Photo(SimpleUploadedFile):
    """A picture that has been encoded anew, under a name of our own."""


def as_webp(source: Any) -> Photo:
    """The picture upright, at most 1600 pixels a side, without metadata; UNREADABLE for whatever is none."""
    with Image.open(source, formats=FORMATS) as opened:
        # A photo of a camera is read smaller than it is.
        opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
        image = opened.convert("RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    image = ImageOps.exif_transpose(image)
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=QUALITY)
    return Photo(f"{secrets.token_urlsafe(12)}.webp", buffer.getvalue(), "image/webp")


class PhotoUpload(forms.ImageField):
    """Takes a photo that can be read whole; what is none, or takes too much memory, is refused in words."""

    default_error_messages = {
        "invalid_image": "This is no whole JPEG, PNG or WebP picture: save the photo as one of these.",
        "too_large": f"The file is larger than {LARGEST // 2**20} MB: save the photo smaller.",
        "too_many_pixels": f"The picture has more than {MOST_PIXELS // 10**6} million pixels: save the photo smaller.",
    }

    def to_python(self, data: Any) -> Any:
        if data not in self.empty_values:
            self.check_size(data)
        return super().to_python(data)

    def check_size(self, file: UploadedFile[Any]) -> None:
        if (file.size or 0) > LARGEST:
            raise self.refusal("too_large")
        try:
            with Image.open(file, formats=FORMATS) as opened:
                pixels = opened.width * opened.height
        except BOMB as error:
            raise self.refusal("too_many_pixels") from error
        except UNREADABLE as error:
            raise self.refusal("invalid_image") from error
        finally:
            file.seek(0)
        if pixels > MOST_PIXELS:
            raise self.refusal("too_many_pixels")

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return file
        try:
            return as_webp(file)
        except UNREADABLE as error:
            raise self.refusal("invalid_image") from error

    def refusal(self, code: str) -> ValidationError:
        return ValidationError(self.error_messages[code], code=code)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return super().widget_attrs(widget) | {"accept": ",".join(f"image/{name.lower()}" for name in FORMATS)}


class PhotoField(models.ImageField):
    """An image that is re-encoded before it is kept, under a name of our own."""

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": PhotoUpload, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        file: ImageFieldFile = getattr(model_instance, self.attname)
        if file and not file._committed:  # type: ignore[attr-defined]
            clean = file.file if isinstance(file.file, Photo) else as_webp(file.file)
            file.save(clean.name or "photo.webp", clean, save=False)
        return file
