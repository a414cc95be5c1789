"""Pictures that organisers upload."""

from __future__ import annotations

import io
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw

CLEAR = (0, 0, 0, 0)


def picture(width: int = 400, height: int = 200, colour: Any = "#1747b8", name: str = "picture.png") -> SimpleUploadedFile:
    return upload(Image.new("RGB", (width, height), colour), name)


def drawn_on_nothing(colour: str, width: int = 400, height: int = 200) -> SimpleUploadedFile:
    """A logo of this colour in the middle of a transparent picture."""
    image = Image.new("RGBA", (width, height), CLEAR)
    ImageDraw.Draw(image).ellipse((width * 0.1, height * 0.1, width * 0.9, height * 0.9), fill=colour)
    return upload(image, "logo.png")


def svg_picture() -> SimpleUploadedFile:
    content = b"<?xml version='1.0'?><svg onload='alert(1)' xmlns='http://www.w3.org/2000/svg'/>"
    return SimpleUploadedFile("logo.svg", content, "image/svg+xml")


def upload(image: Image.Image, name: str) -> SimpleUploadedFile:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return SimpleUploadedFile(name, buffer.getvalue(), "image/png")
