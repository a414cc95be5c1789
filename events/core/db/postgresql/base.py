"""The class that Django looks for in a database backend."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

from events.core.db.faults import DatabaseAwayError


class Doorway:
    """Connection attempts of this process. After a failed one, one thread at a time tries again, and the others fail at once."""

    def __init__(self) -> None:
        self.is_away = False
        self._retry = threading.Lock()

    @contextlib.contextmanager
    def attempt(self) -> Iterator[None]:
        is_retry = self.is_away
        if is_retry and not self._retry.acquire(blocking=False):
            raise DatabaseAwayError("another request is waiting for the database")
        try:
            yield
        except psycopg.Error:
            self.is_away = True
            raise
        else:
            self.is_away = False
        finally:
            if is_retry:
                self._retry.release()


DOORWAY = Doorway()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        with DOORWAY.attempt():
            connection = super().get_new_connection(conn_params)
            if not self.pool or _is_alive(connection):
                return connection
            # When the database has restarted, all are lost. The pool's own check tries them one by one, with pauses.
            self.pool.putconn(connection)
            self.pool.drain()
            return super().get_new_connection(conn_params)


def _is_alive(connection: Any) -> bool:
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.OperationalError:
        return False
    return True
