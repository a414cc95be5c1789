"""Invented titles, sentences and names, from a few words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_HOW = "Patient Sparse Honest Gentle Robust Latent Frugal Lazy Tidy Curious Deep Stable Swift Modular Quiet".split()
_WHAT = "Ladders Lanterns Harbours Kites Orchards Bridges Compasses Gardens Mosaics Rivers Looms Clocks Maps Shells".split()
_AIM = "Planning Reading Sorting Mixing Folding Weaving Pruning Steering Counting Listening Sketching Mending".split()
_FIELD = "reinforcement learning|graph networks|diffusion models|language models|causal inference|robust optimisation".split("|")
_SYLLABLES = ("ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "wo", "zu")
_ENDS = ("lin", "mar", "nok", "pel", "rus", "sta", "tov", "vex", "wyn")
_SENTENCES = (
    "We show that {how} {what} help {aim} in {field}.",
    "The cost grows as $O(n \\log n)$ with the number of {what}.",
    "Earlier work on {field} left {aim} aside, although {what} are everywhere.",
    "On three invented benchmarks, {how} {what} are better by {number} %.",
    "A proof for {how} {what} is given, and it needs no {field}.",
    "Unlike {what} in {field}, {how} {what} need no {aim}.",
)
T = TypeVar("T")


class Words:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def title(self) -> str:
        """“Patient Ladders for Planning with Sparse Kites in Graph Networks”."""
        pick = self.chance.choice
        return f"{pick(_HOW)} {pick(_WHAT)} for {pick(_AIM)} with {pick(_HOW)} {pick(_WHAT)} in {pick(_FIELD).title()}"

    def sentence(self) -> str:
        pick = self.chance.choice
        return pick(_SENTENCES).format(
            how=pick(_HOW).lower(), what=pick(_WHAT).lower(), aim=pick(_AIM).lower(), field=pick(_FIELD),
            number=self.chance.randint(2, 40),
        )  # fmt: skip

    def abstract(self) -> str:
        """About 1,300 characters, as real ones have."""
        return " ".join([*(self.sentence() for _ in range(20)), "All of this is made up for measuring."])

    def some(self, things: Sequence[T], *, least: int, most: int) -> list[T]:
        return self.chance.sample(things, self.chance.randint(least, most))

    def person(self, number: int) -> str:
        """The same name for the same number, another for every other: “Bade Lamenlin”."""
        first, last = number % 225, number // 225
        given = _SYLLABLES[first % 15] + _SYLLABLES[first // 15] + _ENDS[number % len(_ENDS)]
        family = _SYLLABLES[last % 15] + _SYLLABLES[last // 15 % 15] + _ENDS[last % len(_ENDS)]
        return f"{given.title()} {family.title()}"
