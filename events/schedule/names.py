"""Generated names for those who ask questions."""

from __future__ import annotations

import hashlib
import hmac
import re

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
_GIVEN = re.compile(rf"(?:{'|'.join(FIRST)}) (?:{'|'.join(SECOND)}) [1-9][0-9]")


def given_name(key: str, *about: str) -> str:
    """Two words and a number, always the same about the same; without the key nobody works them out."""
    mac = hmac.new(key.encode(), "\x1f".join(("given name", *about)).encode(), hashlib.sha256).digest()
    rest, first = divmod(int.from_bytes(mac, "big"), len(FIRST))
    rest, second = divmod(rest, len(SECOND))
    return f"{FIRST[first]} {SECOND[second]} {NUMBERS[rest % len(NUMBERS)]}"


def is_given(name: str) -> bool:
    return bool(_GIVEN.fullmatch(name))
