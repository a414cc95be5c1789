"""The cache of each process: it stores a limited number of bytes, and builds each missing value only once."""

from __future__ import annotations

import hashlib
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.db.models import Model

from events.core.fresh import nothing_is_kept

T = TypeVar("T")
# Bytes that an OrderedDict uses for each key.
CACHE_ENTRY_BYTES = 270


class CacheEntry(NamedTuple):
    value: Any
    version: Hashable
    size: int


class ByteCache:
    """An LRU cache limited to ``max_bytes``; 0 stores nothing. The first element of a key is its kind.

    A revision, a minute and whatever else only moves on are the ``version`` of an entry and not part of its key, so that a
    new version replaces the old one.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.size = 0
        self._entries: OrderedDict[Hashable, CacheEntry] = OrderedDict()
        self._lock = threading.Lock()
        self._builders: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, version: Hashable = None) -> Any:
        if nothing_is_kept():
            return None
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.version != version:
                return None
            self._entries.move_to_end(key)
            return entry.value

    def get_or_build(
        self, key: Hashable, build: Callable[[], T], is_current: Callable[[T], bool] = lambda _: True, *, version: Hashable = None
    ) -> T:
        """Return the cached value; the first caller builds it while the others wait. None is not stored."""
        if not self.max_bytes or nothing_is_kept():
            return build()
        with self._lock:
            builder = self._builders.setdefault(key, threading.Lock())
        try:
            with builder:
                value: T | None = self.get(key, version)
                if value is None or not is_current(value):
                    value = build()
                    if value is not None:
                        self.put(key, value, version)
                return value
        finally:
            with self._lock:
                self._builders.pop(key, None)

    def put(self, key: Hashable, value: Any, version: Hashable = None) -> None:
        if nothing_is_kept():
            return
        size = size_of(key) + size_of(value) + size_of(version) + CACHE_ENTRY_BYTES
        with self._lock:
            replaced = self._entries.pop(key, None)
            self.size -= replaced.size if replaced else 0
            # One value that fills the cache would leave no room for the others.
            if size > self.max_bytes // 4:
                return
            self.size += size
            self._entries[key] = CacheEntry(value, version, size)
            while self.size > self.max_bytes:
                self.size -= self._entries.popitem(last=False)[1].size

    @property
    def keys(self) -> list[Hashable]:
        with self._lock:
            return list(self._entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self.size = 0


def digest_of(text: str) -> bytes:
    """Return the part of a key that stands for a text of any length."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def size_of(value: Any) -> int:
    """Return the bytes used by a value, its contents, and the fields of dataclasses and models; 0 for what is there anyway."""
    if value is None or isinstance(value, bool | FunctionType):
        return 0
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(size_of(key) + size_of(item) for key, item in value.items())
    if isinstance(value, list | tuple | frozenset):
        return size + sum(map(size_of, value))
    if is_dataclass(value):
        return size + sum(size_of(getattr(value, field.name)) for field in fields(value))
    return size + size_of(vars(value)) if isinstance(value, Model) else size


PROCESS_CACHE = ByteCache(settings.PAGE_CACHE_MB * 2**20)
"""Everything that a process stores: pages, personal fragments, entries of calendars, days, announcements."""
