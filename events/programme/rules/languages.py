"""Whether a programme is in more than one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping


def main_language(tag: str) -> str:
    """The language without its script, region and variant: “pt” of “pt-BR”."""
    return tag.partition("-")[0]


def counts_by_language(counts: Mapping[str, int]) -> Counter[str]:
    """Sum up counts by tag; those of events without a language are left out."""
    found: Counter[str] = Counter()
    for tag, count in counts.items():
        if tag:
            found[main_language(tag)] += count
    return found


def are_languages_worth_naming(counts: Mapping[str, int]) -> bool:
    """``counts`` are of events by tag, "" for none.

    A single language is worth naming only where it is the exception: most events have none, as they are in the conference's.
    """
    languages = counts_by_language(counts)
    return len(languages) > 1 or (len(languages) == 1 and counts.get("", 0) > languages.total())
