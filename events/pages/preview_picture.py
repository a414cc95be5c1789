"""The picture of a shared link: title, time, place and people, as a sign."""

from __future__ import annotations

import functools
import hashlib
import io
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import groupby
from pathlib import Path

from django.core.files.storage import default_storage
from PIL import Image, ImageDraw, ImageFont

from events.core.graphics import PAPER_COLOURS, light_and_dark
from events.core.pictures import Ground

# What messengers and networks show without cutting it.
WIDTH, HEIGHT = 1200, 630
MARGIN_PX = 72
STRIPE_PX = 20
GROUND_COLOUR, TEXT_COLOUR, SOFT_COLOUR, STRIPE_COLOUR = "#16181d", "#fbfaf6", "#b9bdc7", "#ffc61a"
TITLE_SIZES = (88, 76, 66, 58, 50, 44)
MAX_TITLE_LINES = 4
TITLE_HEIGHT = 330
LINE_SIZE = 40
LOGO_BOX = (320, 76)
LOGO_PAD_PX = 10
BOLD, STRONG, REGULAR = 800, 600, 400
# Raise this number when the same words give another picture.
DRAWING_VERSION = 1
FONTS = Path(__file__).parents[1] / "static/events/fonts"
# As in core.css, each for letters that the others do not have.
FACES = ("overpass-latin-wght-normal.woff2", "overpass-latin-ext-wght-normal.woff2", "overpass-latin-rest-wght-normal.woff2")
NO_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class PreviewPicture:
    title: str
    time: str
    place: str
    people: str
    conference: str
    colour: str
    # The name of its file, and the ground that it needs.
    logo: str = ""
    logo_ground: str = ""

    @property
    def text(self) -> str:
        return " · ".join(filter(None, [self.title, self.time, self.place, self.people, self.conference]))

    @property
    def version(self) -> str:
        """A part of its address, so that whoever keeps a picture fetches a changed one."""
        return hashlib.sha256(repr((DRAWING_VERSION, astuple(self))).encode()).hexdigest()[:12]

    def png(self) -> bytes:
        image = Image.new("RGB", (WIDTH, HEIGHT), GROUND_COLOUR)
        draw = ImageDraw.Draw(image)
        stripe = light_and_dark(self.colour)[1] if self.colour else STRIPE_COLOUR
        draw.rectangle((0, 0, WIDTH, STRIPE_PX), fill=stripe)
        # Overpass has Latin letters only: a title in others would be boxes.
        title, head = (self.title, self.conference) if is_drawable(self.title) else (self.conference, "")
        y = MARGIN_PX
        logo_width = self._paste_logo(image)
        if head and is_drawable(head):
            _write(draw, (MARGIN_PX, y), _cut(head, LINE_SIZE, STRONG, logo_width), LINE_SIZE, STRONG, SOFT_COLOUR)
        y += LINE_SIZE + 24
        size, lines = _fitted(title)
        for line in lines:
            _write(draw, (MARGIN_PX, y), line, size, BOLD, TEXT_COLOUR)
            y += round(size * 1.12)
        rows = [(self.time, STRONG, stripe), (" • ".join(filter(None, [self.place, self.people])), REGULAR, TEXT_COLOUR)]
        y = HEIGHT - MARGIN_PX - LINE_SIZE - (len(rows) - 1) * 56
        for text, weight, colour in rows:
            if text and is_drawable(text):
                _write(draw, (MARGIN_PX, y), _cut(text, LINE_SIZE, weight), LINE_SIZE, weight, colour)
            y += 56
        out = io.BytesIO()
        # A few colours and their mixtures at the edges of letters: a quarter of the size.
        image.quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        return out.getvalue()

    def _paste_logo(self, image: Image.Image) -> int:
        """Draw the logo at the top right; return the width that it takes from the first line."""
        logo = _stored_logo(self.logo) if self.logo else None
        if logo is None:
            return 0
        logo.thumbnail(LOGO_BOX)
        left, top = WIDTH - MARGIN_PX - logo.width, STRIPE_PX + (MARGIN_PX + LINE_SIZE + 24 - STRIPE_PX - logo.height) // 2
        if self.logo_ground == Ground.LIGHT:
            box = (left - LOGO_PAD_PX, top - LOGO_PAD_PX, left + logo.width + LOGO_PAD_PX, top + logo.height + LOGO_PAD_PX)
            ImageDraw.Draw(image).rounded_rectangle(box, LOGO_PAD_PX, fill=PAPER_COLOURS["light"])
        image.paste(logo, (left, top), logo)
        return logo.width + 2 * LOGO_PAD_PX


def _stored_logo(name: str) -> Image.Image | None:
    """None if the file is gone."""
    try:
        with default_storage.open(name) as file, Image.open(file) as stored:
            return stored.convert("RGBA")
    except OSError:
        return None


@functools.cache
def _font(face: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    # The other engine refuses some texts, and is not everywhere.
    font = ImageFont.truetype(FONTS / face, size, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([weight])
    return font


@functools.lru_cache(maxsize=2000)
def _face(character: str) -> str:
    """The file that has this character; empty if none has it."""
    if character.isspace():
        return FACES[0]
    for face in FACES:
        font = _font(face, 20, REGULAR)
        if bytes(font.getmask(character)) != bytes(font.getmask(NO_CHARACTER)):
            return face
    return ""


def is_drawable(text: str) -> bool:
    return all(map(_face, text))


def _runs(text: str, size: int, weight: int) -> Iterator[tuple[str, ImageFont.FreeTypeFont]]:
    for face, characters in groupby(text, _face):
        yield "".join(characters), _font(face, size, weight)


def _length(text: str, size: int, weight: int) -> float:
    return sum(font.getlength(run) for run, font in _runs(text, size, weight))


def _write(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, weight: int, colour: str) -> None:
    x, y = at
    for run, font in _runs(text, size, weight):
        # From the line on which letters stand, which all faces share.
        draw.text((x, y + size), run, font=font, fill=colour, anchor="ls")
        x += font.getlength(run)


def _cut(text: str, size: int, weight: int, taken: int = 0) -> str:
    """As much of the text as is as wide as the picture, without what is taken of it."""
    width = WIDTH - 2 * MARGIN_PX - taken
    if _length(text, size, weight) <= width:
        return text
    while text and _length(f"{text}…", size, weight) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _fitted(title: str) -> tuple[int, list[str]]:
    """The largest size in which the title has room, and its lines; of a title that is too long, its beginning."""
    for size in TITLE_SIZES:
        lines = _wrapped(title, size)
        if len(lines) <= MAX_TITLE_LINES and len(lines) * size * 1.12 <= TITLE_HEIGHT:
            return size, lines
    size = TITLE_SIZES[-1]
    lines = _wrapped(title, size)
    return size, [*lines[: MAX_TITLE_LINES - 1], _cut(" ".join(lines[MAX_TITLE_LINES - 1 :]), size, BOLD)]


def _wrapped(title: str, size: int) -> list[str]:
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _length(longer, size, BOLD) > WIDTH - 2 * MARGIN_PX:
            lines.append(word)
        else:
            lines[-1] = longer
    return [_cut(line, size, BOLD) for line in lines]
