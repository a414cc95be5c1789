"""Styles of a drawing as attributes: pages allow no style, and drawing programs write little else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from events.importers.drawing.allowed import LOOKS

MOST_RULES = 2000
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{0,5000})\}")
_CLASS = re.compile(r"\.([\w-]{1,100})")
Looks = dict[str, str]


def looks_of(style: str) -> tuple[Looks, int]:
    """Of a ``style`` what is an attribute too, and how much is not."""
    found, lost = {}, 0
    for part in style.split(";"):
        name, _, value = part.partition(":")
        name = name.strip().lower()
        if name in LOOKS:
            found[name] = value.replace("!important", "").strip()
        else:
            lost += bool(name) and not _is_trifle(name)
    return found, lost


def _is_trifle(name: str) -> bool:
    """What changes nothing that a plan shows: fonts are ours, and editors write their own names."""
    return name.startswith(("-", "font-", "text-", "paint-", "line-", "white-", "enable-")) or name in _TRIFLES


_TRIFLES = frozenset(
    {"overflow", "isolation", "marker", "vector-effect", "shape-rendering", "color-interpolation", "mix-blend-mode"}
)


def rules_of(sheet: str) -> tuple[dict[str, Looks], int]:
    """By class, the looks of ``.class { … }``; and how many rules were of another sort."""
    by_class: dict[str, Looks] = {}
    lost = 0
    text = _COMMENT.sub("", sheet)
    for number, (selectors, body) in enumerate(_RULE.findall(text)):
        classes = list(_classes(selectors))
        looks, missing = looks_of(body)
        lost += missing + (not classes) + (number >= MOST_RULES)
        for name in classes if number < MOST_RULES else []:
            by_class.setdefault(name, {}).update(looks)
    # “@import url(…);” and whatever else stands outside of rules.
    return by_class, lost + bool(_RULE.sub("", text).strip())


def _classes(selectors: str) -> Iterator[str]:
    for selector in selectors.split(","):
        if found := _CLASS.fullmatch(selector.strip()):
            yield found[1]
