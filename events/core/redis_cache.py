"""Redis as a cache that no request depends on: without it, each process uses its own memory."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

logger = logging.getLogger("events.cache")

REDIS_TIMEOUT_SECONDS = 0.3
REDIS_RETRY_SECONDS = 5.0
"""So long after a failure nobody asks it again."""


def or_memory(name: str) -> Callable[..., Any]:
    """Return the method of Redis, which becomes that of this process's memory while Redis is away."""

    def ask(self: FallbackRedisCache, *args: Any, **kwargs: Any) -> Any:
        if not self.is_away:
            try:
                return getattr(RedisCache, name)(self, *args, **kwargs)
            except (RedisError, OSError) as error:
                self.note_failure(error)
        return getattr(self.memory, name)(*args, **kwargs)

    return ask


class FallbackRedisCache(RedisCache):
    """Django's, with short timeouts. What is in the cache may be missing at any time, as in any cache."""

    _away_until = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # redis-py would try again three times, with pauses.
        timeouts = {"socket_connect_timeout": REDIS_TIMEOUT_SECONDS, "socket_timeout": REDIS_TIMEOUT_SECONDS}
        options = {**timeouts, "retry": Retry(NoBackoff(), 0), **params.get("OPTIONS", {})}
        super().__init__(server, params | {"OPTIONS": options})
        self.memory = LocMemCache("hallway", params)

    add, get, set, touch, delete, has_key, incr = map(or_memory, "add get set touch delete has_key incr".split())
    get_many, set_many, delete_many, clear = map(or_memory, "get_many set_many delete_many clear".split())

    @property
    def is_away(self) -> bool:
        return time.monotonic() < FallbackRedisCache._away_until

    def note_failure(self, error: Exception) -> None:
        # For all threads: each has its own object.
        FallbackRedisCache._away_until = time.monotonic() + REDIS_RETRY_SECONDS
        logger.warning("Redis does not answer (%s); each process uses its own memory. Check CACHE_URL.", type(error).__name__)
