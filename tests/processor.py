"""Limits of processor time that a slow or shared machine does not break."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

USUAL_SECONDS = 0.08
"""Of the calculation below on the machine for which the limits of the tests were chosen."""


def slowness() -> float:
    """How many times as long as usual this machine takes now for a fixed calculation; at least 1."""
    began = time.process_time()
    sum(number * number for number in range(1_000_000))
    return max(1.0, (time.process_time() - began) / USUAL_SECONDS)


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail if what is inside takes more processor time than this, on a slow machine more by its slowness."""
    before, began = slowness(), time.process_time()
    yield
    took = time.process_time() - began
    assert took < seconds * max(before, slowness())
