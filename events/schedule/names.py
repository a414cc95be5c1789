"""Names for those who ask: given ones that say nothing, and own ones that are nobody else's."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from itertools import permutations

from events.schedule.lookalikes import looks_of, near, strokes

FIRST = """
Amber Azure Basalt Beryl Brass Bronze Calm Cedar Chalk Cobalt Copper Coral Crimson Crystal Dusky Early Ebony Emerald Fern
Flint Frosty Gentle Gilded Golden Granite Green Indigo Ivory Jade Keen Late Lilac Lively Lunar Maple Marble Merry Misty Mossy
Nimble Northern Olive Opal Pearl Plum Polar Quiet Rapid Russet Sable Saffron Scarlet Silver Snowy Solar Steady Sunny Swift
Tawny Teal Topaz Velvet Violet Vivid
""".split()
SECOND = """
Acorn Alder Anchor Antler Aspen Badger Beacon Beaver Bramble Breeze Brook Canyon Cascade Cloud Clover Comet Compass Condor
Cricket Delta Dolphin Ember Falcon Fjord Gecko Glacier Harbour Heron Iris Island Kestrel Lagoon Lantern Lark Lichen Lotus Lynx
Magpie Marmot Meadow Meteor Monsoon Nebula Nutmeg Orchid Osprey Otter Pebble Pelican Petrel Plover Puffin Quartz Raven Reef
Robin Sparrow Summit Thicket Thistle Tundra Walrus Willow Zephyr
""".split()
NUMBERS = range(10, 100)
_FIGURES = re.compile(r"\d+")
_GIVEN = re.compile(rf"(?:{'|'.join(FIRST)}) (?:{'|'.join(SECOND)}) [1-9][0-9]")
OFFICES = """
admin administrator announcer chair chairman chairperson chairwoman committee conference hallway helpdesk host moderator
official operator organisation organiser organization organizer panel panelist panellist reviewer secretary speaker sponsor
staff support team volunteer
""".split()
_OFFICES = frozenset(strokes("".join(looks_of(it + more))) for it in OFFICES for more in ("", "s"))
# A name by itself only: as two letters before a surname they are somebody's initials.
_SHORT_OFFICES = frozenset("".join(looks_of(it)) for it in ("ac", "mc", "mod", "mods", "pc", "sac"))
# They make nobody somebody else: "Prof. Bengio" is Bengio.
_TITLES = frozenset("".join(looks_of(it)) for it in "dr mr mrs ms phd prof professor real sir the".split())
# So long that nobody's name has them in it.
_LONG_OFFICES = tuple(it for it in _OFFICES if len(it) >= 8)
MOST_WORDS = 4
SHORTEST_SIGN = 3


def given_name(key: str, *about: str) -> str:
    """Two words and a number, always the same about the same; without the key nobody works them out."""
    mac = hmac.new(key.encode(), "\x1f".join(("given name", *about)).encode(), hashlib.sha256).digest()
    rest, first = divmod(int.from_bytes(mac, "big"), len(FIRST))
    rest, second = divmod(rest, len(SECOND))
    return f"{FIRST[first]} {SECOND[second]} {NUMBERS[rest % len(NUMBERS)]}"


def is_given(name: str) -> bool:
    return bool(_GIVEN.fullmatch(name))


def passes_for_given(name: str) -> bool:
    """Whether somebody's own name would be read as one that is given."""
    words = looks_of(name)
    # Word by word first: of two that meet, letters that stand close are not one.
    looks = {"".join(words), "".join(strokes(it) for it in words), strokes("".join(words))}
    return any(_begins_as_given(look) for look in looks)


def _begins_as_given(look: str) -> bool:
    rests = [look[len(first) :] for first in _FIRST_LOOKS if look.startswith(first)]
    return any(rest.startswith(_SECOND_LOOKS) for rest in rests)


def _looks(words: list[str]) -> tuple[str, ...]:
    plain = {"".join(looks_of(it)) for it in words}
    return tuple(plain | {strokes(it) for it in plain})


_FIRST_LOOKS, _SECOND_LOOKS = _looks(FIRST), _looks(SECOND)


def is_office(name: str) -> bool:
    """Whether it claims to speak for the house."""
    words = [strokes(it) for it in looks_of(name)]
    whole = strokes("".join(looks_of(name)))
    return whole in _OFFICES | _SHORT_OFFICES or not _OFFICES.isdisjoint(words) or any(it in whole for it in _LONG_OFFICES)


def says_conference(name: str, conferences: Iterable[str]) -> bool:
    """Whether one of these is in it, with its year or without: "ICLR News" for "ICLR 2025"."""
    mine = looks_of(name)
    runs = {"".join(mine[at:end]) for at in range(len(mine)) for end in range(at + 1, len(mine) + 1)}
    signs = {"".join(looks_of(_FIGURES.sub(" ", it))) for it in conferences}
    return any(len(it) >= SHORTEST_SIGN and it in runs for it in signs)


def like_any(name: str, others: Iterable[str], *, close: bool = False) -> bool:
    """Whether it would be read as the name of one of these; ``close``, also by one word of it."""
    words = looks_of(name)
    mine = [it for it in words if it not in _TITLES] or words
    return any(_is_like(mine, looks_of(other)) or (close and _is_word_of(mine, looks_of(other))) for other in others)


def _is_like(mine: list[str], theirs: list[str]) -> bool:
    if not mine or not theirs:
        return False
    return _runs_alike(strokes("".join(mine)), theirs) or _words_alike(mine, theirs)


def _runs_alike(run: str, theirs: list[str]) -> bool:
    """Written in one run, in any order, with more around it or one word as its initial."""
    orders = permutations(theirs) if len(theirs) <= MOST_WORDS else (theirs, theirs[::-1])
    for order in orders:
        whole = strokes("".join(order))
        if near(run, whole) or (len(theirs) > 1 and len(whole) >= 6 and whole in run):
            return True
        if len(order) == 2 and run in {strokes(order[0][0] + order[1]), strokes(order[0] + order[1][0])}:
            return True
    return False


def _words_alike(mine: list[str], theirs: list[str]) -> bool:
    """Each word of the shorter name has its own in the longer; an initial stands for a word, but not for all of them."""
    shorter, longer = sorted((mine, theirs), key=len)
    if len(shorter) < 2:
        return False
    left, whole = [strokes(it) for it in longer], 0
    # Whole words first, so that no initial takes the place of one.
    for word in sorted((strokes(it) for it in shorter), key=len, reverse=True):
        found = next((it for it in left if near(word, it)), None) or next((it for it in left if _is_initial(word, it)), None)
        if found is None:
            return False
        whole += near(word, found) and len(word) > 1
        left.remove(found)
    return whole > 0


def _is_initial(a: str, b: str) -> bool:
    return min(len(a), len(b)) == 1 and a[0] == b[0]


def _is_word_of(mine: list[str], theirs: list[str]) -> bool:
    return len(mine) == 1 and len(mine[0]) > 1 and any(near(strokes(mine[0]), strokes(it)) for it in theirs)
