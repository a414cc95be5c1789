"""The order of a list of which several parts are known."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise


def merged_order(parts: Iterable[Sequence[str]]) -> list[str]:
    """Return each name once, in an order that keeps that of every part; where parts contradict each other, as they come.

    >>> merged_order([["Hall", "Attic"], ["Hall", "Cellar", "Attic"]])
    ['Hall', 'Cellar', 'Attic']
    """
    known = [list(dict.fromkeys(part)) for part in parts]
    names = list(dict.fromkeys(name for part in known for name in part))
    numbers = {name: number for number, name in enumerate(names)}
    sorter = TopologicalSorter[str](dict.fromkeys(names, ()))
    for before, after in (pair for part in known for pair in pairwise(part)):
        sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError:
        return names
    order: list[str] = []
    ready: list[int] = []
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, numbers[name])
        order.append(names[heapq.heappop(ready)])
        sorter.done(order[-1])
    return order
