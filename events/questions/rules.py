"""Generated names of askers, and the length of a question in letters."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

PSEUDONYM_FIRST_WORDS = """
Amber Azure Basalt Beryl Brass Bronze Calm Cedar Chalk Cobalt Copper Coral Crimson Crystal Dusky Early Ebony Emerald Fern
Flint Frosty Gentle Gilded Golden Granite Green Indigo Ivory Jade Keen Late Lilac Lively Lunar Maple Marble Merry Misty Mossy
Nimble Northern Olive Opal Pearl Plum Polar Quiet Rapid Russet Sable Saffron Scarlet Silver Snowy Solar Steady Sunny Swift
Tawny Teal Topaz Velvet Violet Vivid
""".split()
PSEUDONYM_SECOND_WORDS = """
Acorn Alder Anchor Antler Aspen Badger Beacon Beaver Bramble Breeze Brook Canyon Cascade Cloud Clover Comet Compass Condor
Cricket Delta Dolphin Ember Falcon Fjord Gecko Glacier Harbour Heron Iris Island Kestrel Lagoon Lantern Lark Lichen Lotus Lynx
Magpie Marmot Meadow Meteor Monsoon Nebula Nutmeg Orchid Osprey Otter Pebble Pelican Petrel Plover Puffin Quartz Raven Reef
Robin Sparrow Summit Thicket Thistle Tundra Walrus Willow Zephyr
""".split()
PSEUDONYM_NUMBERS = range(10, 100)
_PSEUDONYM_PATTERN = re.compile(rf"(?:{'|'.join(PSEUDONYM_FIRST_WORDS)}) (?:{'|'.join(PSEUDONYM_SECOND_WORDS)}) [1-9][0-9]")


def pseudonym(key: str, *about: str) -> str:
    """Return two words and a number, always the same for the same ``about``, and not predictable without the key."""
    mac = hmac.new(key.encode(), "\x1f".join(("given name", *about)).encode(), hashlib.sha256).digest()
    rest, first = divmod(int.from_bytes(mac, "big"), len(PSEUDONYM_FIRST_WORDS))
    rest, second = divmod(rest, len(PSEUDONYM_SECOND_WORDS))
    return f"{PSEUDONYM_FIRST_WORDS[first]} {PSEUDONYM_SECOND_WORDS[second]} {PSEUDONYM_NUMBERS[rest % len(PSEUDONYM_NUMBERS)]}"


def is_pseudonym(name: str) -> bool:
    return bool(_PSEUDONYM_PATTERN.fullmatch(name))


def letter_count(text: str) -> int:
    """Count letters and digits. A Chinese, Japanese or Korean one counts as two."""
    letters = [character for character in text if unicodedata.category(character)[0] in "LN"]
    return len(letters) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in letters)
