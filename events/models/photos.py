"""Photos, taken in as pixels only: whatever else an uploaded file holds is left behind."""

from __future__ import annotations

import io
import secrets
from typing import Any

from django.core.files.base import ContentFile
from django.db import models
from django.db.models.fields.files import ImageFieldFile
from PIL import Image, ImageOps

LONGEST_SIDE = 1600


def as_webp(source: Any) -> ContentFile[bytes]:
    """The picture upright, at most 1600 pixels a side, without metadata."""
    with Image.open(source) as opened:
        image = ImageOps.exif_transpose(opened).convert("RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=82)
    return ContentFile(buffer.getvalue(), name=f"{secrets.token_urlsafe(12)}.webp")


class PhotoField(models.ImageField):
    """An image that is re-encoded when it is saved, under a name of our own."""

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        file: ImageFieldFile = getattr(model_instance, self.attname)
        if file and not file._committed:  # type: ignore[attr-defined]
            clean = as_webp(file.file)
            file.save(clean.name or "photo.webp", clean, save=False)
        return file
