"""Styles of a drawing as attributes: pages allow no style, and drawing programs write little else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from events.importers.drawing.allowed import LOOKS

MOST_RULES = 2000
# A rule may be used thousands of times, and each time it is written out.
LONGEST_LOOK = 200
_CLASS = re.compile(r"\.([\w-]{1,100})")
Looks = dict[str, str]


def looks_of(style: str) -> tuple[Looks, int]:
    """Of a ``style`` what is an attribute too, and how much is not."""
    found, lost = {}, 0
    for part in style.split(";"):
        name, _, value = part.partition(":")
        name = name.strip().lower()
        value = value.replace("!important", "").strip()
        if name in LOOKS and len(value) <= LONGEST_LOOK:
            found[name] = value
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
    *rules, rest = _without_comments(sheet).split("}")
    # “@import url(…);” and whatever else stands outside of rules.
    lost = bool(rest.strip()) + max(0, len(rules) - MOST_RULES)
    for rule in rules[:MOST_RULES]:
        before, _, body = rule.rpartition("{")
        other, _, selectors = before.rpartition(";")
        classes = list(_classes(selectors))
        looks, missing = looks_of(body)
        lost += missing + (bool(selectors.strip()) and not classes) + bool(other.strip())
        for name in classes:
            by_class.setdefault(name, {}).update(looks)
    return by_class, lost


def _without_comments(sheet: str) -> str:
    """Cut rather than searched by a pattern, which would look for the end of each beginning anew."""
    first, *others = sheet.split("/*")
    return first + "".join(it.partition("*/")[2] for it in others)


def _classes(selectors: str) -> Iterator[str]:
    for selector in selectors.split(","):
        if found := _CLASS.fullmatch(selector.strip()):
            yield found[1]
