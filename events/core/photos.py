"""Uploaded photos, re-encoded as WebP: only the pixels stay, metadata is dropped."""

from __future__ import annotations

import io
import secrets
import struct
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.db import models
from django.db.models.fields.files import ImageFieldFile
from PIL import Image, ImageOps

MAX_PHOTO_SIDE_PX = 1600
# Pillow reads other formats with external programs, or with less tested code.
PHOTO_FORMATS = ("JPEG", "PNG", "WEBP")
MAX_PHOTO_BYTES = 16 * 2**20
# A decoded pixel takes four bytes: a file of 150 kB may need a gigabyte.
MAX_PHOTO_PIXELS = 30_000_000
WEBP_QUALITY = 82
# What Pillow raises for files that are no picture, broken or cut off; and for those with very many pixels.
UNREADABLE_PHOTO_ERRORS = (OSError, ValueError, SyntaxError, struct.error)
DECOMPRESSION_BOMB_ERRORS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


SVG_HEAD_BYTES = 1024


class Photo(SimpleUploadedFile):
    """A re-encoded picture under a random name; ``notes`` are sentences on what was changed besides its format."""

    notes: tuple[str, ...] = ()


def new_photo(image: Image.Image, *notes: str, **options: Any) -> Photo:
    photo = Photo(f"{secrets.token_urlsafe(12)}.webp", webp_bytes(image, **options), "image/webp")
    photo.notes = notes
    return photo


def webp_bytes(image: Image.Image, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", **{"quality": WEBP_QUALITY, **options})
    return buffer.getvalue()


def as_webp(source: Any) -> Photo:
    """Return the picture upright, at most 1600 pixels a side, without metadata; raise UNREADABLE_PHOTO_ERRORS."""
    with Image.open(source, formats=PHOTO_FORMATS) as opened:
        # Decodes a JPEG of a camera at a reduced size.
        opened.draft("RGB", (MAX_PHOTO_SIDE_PX, MAX_PHOTO_SIDE_PX))
        image = opened.convert("RGB")
    image.thumbnail((MAX_PHOTO_SIDE_PX, MAX_PHOTO_SIDE_PX))
    return new_photo(ImageOps.exif_transpose(image))


class PhotoUpload(forms.ImageField):
    default_error_messages = {
        "svg": "An SVG drawing can contain scripts and is not taken: export it as PNG, 1000 pixels wide, and upload that.",
        "invalid_image": "This is not a complete JPEG, PNG or WebP picture: save the photo as one of these.",
        "too_large": f"The file is larger than {MAX_PHOTO_BYTES // 2**20} MB: save the photo smaller.",
        "too_many_pixels": f"The picture has more than {MAX_PHOTO_PIXELS // 10**6} million pixels: save the photo smaller.",
    }

    @staticmethod
    def encode(source: Any) -> Photo:
        return as_webp(source)

    def to_python(self, data: Any) -> Any:
        if data not in self.empty_values:
            self.check_size(data)
        return super().to_python(data)

    def check_size(self, file: UploadedFile[Any]) -> None:
        if (file.size or 0) > MAX_PHOTO_BYTES:
            raise self.refusal("too_large")
        try:
            with Image.open(file, formats=PHOTO_FORMATS) as opened:
                size = opened.size
        except DECOMPRESSION_BOMB_ERRORS as error:
            raise self.refusal("too_many_pixels") from error
        except UNREADABLE_PHOTO_ERRORS as error:
            raise self.refusal("svg" if is_svg(file) else "invalid_image") from error
        finally:
            file.seek(0)
        self.check_pixels(*size)

    def check_pixels(self, width: int, height: int) -> None:
        if width * height > MAX_PHOTO_PIXELS:
            raise self.refusal("too_many_pixels")

    def clean(self, data: Any, initial: Any = None) -> Any:
        file = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return file
        try:
            return self.encode(file)
        except UNREADABLE_PHOTO_ERRORS as error:
            raise self.refusal("invalid_image") from error

    def refusal(self, code: str) -> ValidationError:
        return ValidationError(self.error_messages[code], code=code)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return super().widget_attrs(widget) | {"accept": ",".join(f"image/{name.lower()}" for name in PHOTO_FORMATS)}


def is_svg(file: UploadedFile[Any]) -> bool:
    file.seek(0)
    return b"<svg" in file.read(SVG_HEAD_BYTES).lower()


class PhotoField(models.ImageField):
    """An image that is re-encoded before it is stored."""

    upload_class: ClassVar[type[PhotoUpload]] = PhotoUpload

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": self.upload_class, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        file: ImageFieldFile = getattr(model_instance, self.attname)
        if file and not file._committed:  # type: ignore[attr-defined]
            clean = file.file if isinstance(file.file, Photo) else self.upload_class.encode(file.file)
            self.describe(model_instance, clean)
            file.save(clean.name or "photo.webp", clean, save=False)
        elif not file:
            self.describe(model_instance, None)
        return file

    def describe(self, row: models.Model, photo: Photo | None) -> None:
        """Set ``<name>_width`` and ``<name>_height`` of the row, declared after this field, if it has them.

        Django's own fields for them open the file of every row that has none, and fail where the file is gone.
        """
        if hasattr(row, f"{self.attname}_width"):
            width, height = size_of_photo(photo) if photo else (None, None)
            setattr(row, f"{self.attname}_width", width)
            setattr(row, f"{self.attname}_height", height)


def size_of_photo(photo: Photo) -> tuple[int, int]:
    photo.seek(0)
    with Image.open(photo) as opened:
        return opened.size
