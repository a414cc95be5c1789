"""The places in a public page where something of the visitor's own goes.

While a page is rendered for everybody, template tags leave marks around what differs; ``parts_of`` cuts the page
there. Marks carry a random word, so that no text of a page can pretend to be one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

_WORD = secrets.token_hex(8)
_PICK = re.compile(
    f"\x02{_WORD}pick:([0-9]+)\x1f(.*?)\x1e{_WORD}(.*?)\x03{_WORD}|\x02{_WORD}own:([a-z-]+):([^\x03\x1f]*)\x1f(.*?)\x03{_WORD}",
    re.DOTALL,
)

OwnPart = Callable[[HttpRequest, str], str]
OWN_PARTS: dict[str, OwnPart] = {}
"""By name, what renders a visitor's own part as HTML; empty for a visitor without an agenda."""
OPEN_PARTS: set[str] = set()
"""Those that go by what the browser remembers: somebody without an agenda has them too, and who chose nothing sees them blank."""

FLEETING_PARTS: set[str] = set()
"""Those made anew each time: a page has hundreds, and nearly all of them are blank."""


@dataclass(frozen=True, slots=True)
class Pick:
    """Something that looks different on what the visitor picked."""

    event: int
    off: bytes
    on: bytes


@dataclass(frozen=True, slots=True)
class Own:
    name: str
    argument: str
    # What it is for somebody of whom nothing is known.
    blank: bytes = b""

    @property
    def is_open(self) -> bool:
        return self.name in OPEN_PARTS

    @property
    def is_fleeting(self) -> bool:
        return self.name in FLEETING_PARTS


Part = bytes | Pick | Own


def own_part(name: str, *, for_all: bool = False, kept: bool = True) -> Callable[[OwnPart], OwnPart]:
    """Register what fills ``{% own name %}``; ``kept``, it is made once a minute for each visitor."""

    def register(function: OwnPart) -> OwnPart:
        OWN_PARTS[name] = function
        if for_all:
            OPEN_PARTS.add(name)
        if not kept:
            FLEETING_PARTS.add(name)
        return function

    return register


def own_html(request: HttpRequest, name: str, argument: str) -> str:
    """The visitor's own part, made once a request however often the page shows it."""
    made: dict[tuple[str, str], str] = request.__dict__.setdefault("own_parts", {})
    if (name, argument) not in made:
        made[name, argument] = OWN_PARTS[name](request, argument)
    return made[name, argument]


def mark_pick(event: int, off: str, on: str) -> str:
    return f"\x02{_WORD}pick:{event}\x1f{off}\x1e{_WORD}{on}\x03{_WORD}"


def blank_html(request: HttpRequest, name: str, argument: str) -> str:
    """What a hole holds for nobody in particular: ``request`` is shared, and tells of nobody."""
    return OWN_PARTS[name](request, argument) if name in OPEN_PARTS else ""


def mark_own(name: str, argument: str, blank: str = "") -> str:
    return f"\x02{_WORD}own:{name}:{argument}\x1f{blank}\x03{_WORD}"


def parts_of(page: str) -> tuple[Part, ...]:
    """The page cut at its marks."""
    parts: list[Part] = []
    last = 0
    for found in _PICK.finditer(page):
        parts.append(page[last : found.start()].encode())
        event, off, on, name, argument, blank = found.groups()
        parts.append(Pick(int(event), off.encode(), on.encode()) if event else Own(name, argument, blank.encode()))
        last = found.end()
    parts.append(page[last:].encode())
    return tuple(parts)


def filled(parts: Sequence[Part], picked: Container[int], own: Callable[[Own], bytes]) -> bytes:
    """The page for one visitor."""
    return b"".join(
        part if isinstance(part, bytes)
        else (part.on if part.event in picked else part.off) if isinstance(part, Pick)
        else own(part)
        for part in parts
    )  # fmt: skip
