"""A bounded shelf of bytes in this process, with one builder at a time for each."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, Protocol, TypeVar


class Sized(Protocol):
    @property
    def size(self) -> int: ...


V = TypeVar("V", bound=Sized)


class Shelf(Generic[V]):
    """Values by key. When ``budget`` bytes are full, what was not asked for the longest goes first; 0 keeps nothing."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._builders: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def get_or_build(self, key: Hashable, is_good: Callable[[V], bool], build: Callable[[], V | None]) -> V | None:
        """The value, built by whoever comes first while the others wait; what cannot be kept (None) is not."""
        if not self.budget:
            return build()
        with self._alone(key):
            value = self.get(key)
            if value is None or not is_good(value):
                value = build()
                if value is not None:
                    self.put(key, value)
            return value

    def put(self, key: Hashable, value: V) -> None:
        # One that fills the shelf would leave no room for the others.
        if value.size > self.budget // 4:
            return
        with self._lock:
            old = self._values.pop(key, None)
            self._size += value.size - (old.size if old else 0)
            self._values[key] = value
            while self._size > self.budget:
                _, gone = self._values.popitem(last=False)
                self._size -= gone.size

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._size = 0

    @contextlib.contextmanager
    def _alone(self, key: Hashable) -> Iterator[None]:
        with self._lock:
            builder = self._builders.setdefault(key, threading.Lock())
        try:
            with builder:
                yield
        finally:
            with self._lock:
                self._builders.pop(key, None)
