from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import modelform_factory
from PIL import Image

from events.models import Person
from tests.factories import make_conference, make_person

pytestmark = pytest.mark.django_db

ORIENTATION, GPS, MAKER = 0x0112, 0x8825, 0x010F
TOO_MANY = "The picture has more than 30 million pixels: save the photo smaller."
PhotoForm = modelform_factory(Person, fields=["photo", "photo_alt"])


def picture(kind: str = "JPEG", size: tuple[int, int] = (40, 20), orientation: int = 1) -> bytes:
    """A photo as a telephone makes it: who made it, where, and which side is up."""
    image = Image.new("RGB", size, "white")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    exif = Image.Exif()
    exif[MAKER], exif[ORIENTATION] = "Secret Phone", orientation
    exif.get_ifd(GPS)[1] = "N"
    buffer = io.BytesIO()
    image.save(buffer, kind, exif=exif)
    return buffer.getvalue()


def drawn(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "1", **more: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size).save(buffer, kind, **more)
    return buffer.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A small PNG that says it is that large."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    content = drawn()
    return content[:12] + header + struct.pack(">I", zlib.crc32(header)) + content[33:]


def upload(content: bytes, name: str = "IMG_0042 at home.jpg") -> Person:
    person = make_person(make_conference())
    person.photo = SimpleUploadedFile(name, content)
    person.photo_alt = "A portrait"
    person.save()
    return Person.objects.get(pk=person.pk)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_photo_is_encoded_anew_without_metadata(kind: str) -> None:
    person = upload(picture(kind))

    content = Path(person.photo.path).read_bytes()
    with Image.open(io.BytesIO(content)) as image:
        assert (image.format, image.size, dict(image.getexif())) == ("WEBP", (40, 20), {})
    assert b"Secret Phone" not in content


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_nothing_that_was_hidden_in_a_photo_is_kept(kind: str) -> None:
    words = b"<script>alert(1)</script>"
    told: dict[str, Any] = {"xmp": words, "icc_profile": words.ljust(128, b"!")} if kind != "PNG" else {"icc_profile": words * 9}

    person = upload(drawn(kind, mode="RGB", **told) + words)

    assert b"alert" not in Path(person.photo.path).read_bytes()


def test_photo_of_a_form_is_encoded_once() -> None:
    form = PhotoForm(
        {"photo_alt": "A portrait"}, {"photo": SimpleUploadedFile("a.jpg", picture())}, instance=make_person(make_conference())
    )

    cleaned = form.fields["photo"].clean(SimpleUploadedFile("a.jpg", picture())).read()
    form.save()

    assert Path(Person.objects.get().photo.path).read_bytes() == cleaned


def test_photo_gets_a_name_of_ours() -> None:
    names = {upload(picture()).photo.name for _ in range(2)}

    assert len(names) == 2
    assert {(name.startswith("people/"), name.endswith(".webp"), "IMG" in name) for name in names} == {(True, True, False)}


def test_photo_stands_upright() -> None:
    person = upload(picture(orientation=6))

    with Image.open(person.photo.path) as image:
        assert image.size == (20, 40)
        red, _, _ = image.convert("RGB").getpixel((10, 2))  # type: ignore[misc]
    assert red > 200


def test_large_photo_is_made_smaller() -> None:
    person = upload(picture(size=(4000, 1000)))

    with Image.open(person.photo.path) as image:
        assert image.size == (1600, 400)


def test_saving_again_keeps_the_file() -> None:
    person = upload(picture())
    before = person.photo.name

    person.affiliation = "Elsewhere"
    person.revise()

    assert Person.objects.get(pk=person.pk).photo.name == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("photo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", id="svg"),
        pytest.param("photo.jpg", b"<!doctype html><script>alert(1)</script>", id="page-in-disguise"),
        pytest.param("photo.png", picture("PNG")[:60], id="half-a-picture"),
        pytest.param("photo.html", picture(), id="picture-called-a-page"),
        pytest.param("photo.jpg", b"", id="nothing"),
        pytest.param("photo.jpg", picture(size=(900, 900))[:-200], id="end-cut-off"),
        pytest.param("photo.webp", picture("WEBP", size=(90, 90))[:-9], id="webp-cut-off"),
        pytest.param("photo.gif", drawn("GIF"), id="another-format"),
        pytest.param("photo.eps", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n", id="a-program"),
    ],
)
def test_form_takes_pictures_only(name: str, content: bytes) -> None:
    form = PhotoForm({"photo_alt": "A portrait"}, {"photo": SimpleUploadedFile(name, content)})

    assert list(form.errors) == ["photo"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(claiming(6000, 5001), TOO_MANY, id="a-row-more-than-enough"),
        pytest.param(claiming(11_000, 11_000), TOO_MANY, id="a-bomb"),
        pytest.param(claiming(2**31 - 1, 2**31 - 1), TOO_MANY, id="a-bomb-that-pillow-refuses"),
        pytest.param(picture() + bytes(16 * 2**20), "The file is larger than 16 MB: save the photo smaller.", id="bytes"),
    ],
)
def test_form_refuses_what_would_take_much_memory(content: bytes, said: str) -> None:
    form = PhotoForm({"photo_alt": "A portrait"}, {"photo": SimpleUploadedFile("a.png", content)})

    assert form.errors == {"photo": [said]}


def test_form_takes_as_many_pixels_as_it_says() -> None:
    form = PhotoForm({"photo_alt": "A portrait"}, {"photo": SimpleUploadedFile("a.png", drawn(size=(6000, 5000)))})

    assert form.errors == {}


@pytest.mark.django_db
def test_photo_without_words_is_named_after_the_person() -> None:
    person = make_person(make_conference(), "Ada Lovelace")
    form = PhotoForm({"photo_alt": ""}, {"photo": SimpleUploadedFile("a.jpg", picture())}, instance=person)

    assert (form.errors, form.instance.photo_alt) == ({}, "Photo of Ada Lovelace")
