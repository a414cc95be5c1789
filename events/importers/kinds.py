"""What real schedules call their events, and how Hallway treats each."""

from __future__ import annotations

import re

_WORDS = {
    "service": r"registration|check-?in|info ?desk|cloak ?room|wardrobe",
    "break": r"breaks?|breakfast|lunch|coffee|tea|dinner|pause|doors open|intermission",
    "session": r"workshops?|tutorials?|sessions?|panels?|expo|hackathon|remarks",
    "invited-talk": r"invited( |-)(talk|speaker)s?|keynotes?",
    "poster": r"posters?",
    "social": r"socials?|party|meet-?ups?|reception|banquet|concert|performance|film|game|affinity|mixer|get-?together"
    r"|dj|bofs?|birds of a feather",
}
_PATTERNS = [(kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _WORDS.items()]


def kind_of(*labels: str) -> str:
    """The kind that the first telling label speaks of (a type's name, then a title); a talk where none does.

    >>> kind_of("Keynote"), kind_of("devroom"), kind_of("Poster Session"), kind_of("", "Coffee break")
    ('invited-talk', 'talk', 'session', 'break')
    """
    return next((kind for label in labels for kind, pattern in _PATTERNS if pattern.search(label)), "talk")
