"""The kinds of events by the names of their types, and by titles that say nothing else."""

from __future__ import annotations

import re

_KIND_WORDS = {
    "service": r"registration|check-?in|info ?desk|cloak ?room|wardrobe",
    "break": r"breaks?|meals?|breakfast|lunch|coffee|tea|dinner|pause|doors open|intermission",
    "session": r"workshops?|tutorials?|sessions?|panels?|expo|hackathon|remarks",
    "invited-talk": r"invited( |-)(talk|speaker)s?|keynotes?",
    "poster": r"posters?",
    "social": r"socials?|party|meet-?ups?|reception|banquet|concert|performance|film|game|affinity|mixer|get-?together"
    r"|dj|bofs?|birds of a feather",
}
_KIND_PATTERNS = {kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in _KIND_WORDS.items()}


def event_kind(*labels: str) -> str:
    """Return the kind that the first of the labels (a type's name, then a title) names; a talk if none does.

    >>> event_kind("Keynote"), event_kind("devroom"), event_kind("Poster Session"), event_kind("", "Coffee break")
    ('invited-talk', 'talk', 'session', 'break')
    """
    return next((kind for label in labels for kind, pattern in _KIND_PATTERNS.items() if pattern.search(label)), "talk")


_TITLE_MODIFIERS = re.compile(
    r"\b(?:the|an?|and|welcome|opening|closing|conference|gala|networking|social|morning|mid-?morning|noon|afternoon|evening"
    r"|main|plenary|parallel|general|invited|open|oral|demo|student|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|early|late|time|session|sessions|day|part|no|[ivx]+|[a-h])\b|[0-9]+|[^\w\s]",
    re.IGNORECASE,
)
MAX_KIND_TITLE_WORDS = 6


def title_kind(title: str) -> str:
    """Return the kind that a short title is, also before a colon; a talk for a title that says anything else.

    >>> title_kind("Poster session 2"), title_kind("Welcome reception"), title_kind("Keynote: Ada Example")
    ('session', 'social', 'invited-talk')
    >>> title_kind("Tea pets"), title_kind("On the performance of databases")
    ('talk', 'talk')
    """
    label = re.split(r":\s|\s[–—-]\s", re.sub(r"\([^()]*\)", " ", title[:300]), maxsplit=1)[0]
    if not label.strip() or len(label.split()) > MAX_KIND_TITLE_WORDS:
        return "talk"
    kind = event_kind(label)
    for pattern in _KIND_PATTERNS.values():
        label = pattern.sub(" ", label)
    return kind if not _TITLE_MODIFIERS.sub(" ", label).strip() else "talk"


_MEAL = r"(?:breakfast|brunch|lunch|dinner|supper|coffee|tea)"
_MEAL_PATTERN = re.compile(
    rf"(?:(?:early|late|mid-?morning|morning|afternoon|evening)\s+)?{_MEAL}(?:\s*(?:/|&|,|and|or)\s*{_MEAL})*(?:\s+(?:break|time))?",
    re.IGNORECASE,
)


def is_meal(title: str) -> bool:
    """Whether the title names a meal and nothing else, as programmes do that file meals under “No track”."""
    return _MEAL_PATTERN.fullmatch(title.strip()) is not None


KIND_NAMES = {
    "invited-talk": ("Invited talk", "Invited talks"),
    "session": ("Session", "Sessions"),
    "talk": ("Talk", "Talks"),
    "poster": ("Poster", "Posters"),
    "social": ("Social", "Socials"),
    "break": ("Break", "Breaks"),
    "service": ("Opening hours", "Opening hours"),
}
