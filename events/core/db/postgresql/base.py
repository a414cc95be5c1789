"""The class that Django looks for in a database backend."""

from __future__ import annotations

import functools
import select
import threading
import time
from collections.abc import Callable, Generator
from typing import Any, Self

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool

from events.core.db.faults import DatabaseAwayError

SILENT_SECONDS = 1.0
"""A statement may last longer, if PostgreSQL answers others meanwhile."""
RETRY_SECONDS = 0.5
MAX_PREPARED = 500
"""For a connection. Statements of which each was made fewer than five times count too."""


class Doorway:
    """Whether the database of this process is away. Meanwhile one thread asks for it, and requests fail without waiting."""

    def __init__(self) -> None:
        self.is_away = False
        self._lock = threading.Lock()

    def refuse_while_away(self) -> None:
        if self.is_away:
            raise DatabaseAwayError("it did not answer a moment ago")

    def close_until(self, ask: Callable[[], None]) -> None:
        """Refuse until ``ask`` raises no error."""
        with self._lock:
            if self.is_away:
                return
            threading.Thread(target=self._open_after, args=(ask,), name="database-away", daemon=True).start()
            self.is_away = True

    def _open_after(self, ask: Callable[[], None]) -> None:
        try:
            while not _is_answered(ask):
                time.sleep(RETRY_SECONDS)
        finally:
            # Not before close_until has set it.
            with self._lock:
                self.is_away = False


def _is_answered(ask: Callable[[], None]) -> bool:
    try:
        ask()
    except psycopg.Error:
        return False
    return True


DOORWAY = Doorway()


def ask(address: str = "", **parameters: Any) -> None:
    """Raise an error unless PostgreSQL takes a connection."""
    psycopg.connect(address, **parameters).close()


class WatchedConnection(psycopg.Connection[Any]):
    """Ends when PostgreSQL takes statements and connections but answers neither; no option of psycopg or libpq does so.

    And keeps the plans of all statements that come often: psycopg's usual hundred are fewer than a busy hour has.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.prepared_max = MAX_PREPARED
        self.last_heard = float("-inf")

    @classmethod
    def connect(cls, *arguments: Any, **options: Any) -> Self:
        """Without compiling statements to machine code, which takes longer than any statement of a page (decision 039)."""
        connection = super().connect(*arguments, **options)
        # Not as an option of the connection, which PgBouncer refuses.
        connection.execute("SET jit = off")
        return connection

    @property
    def is_surely_open(self) -> bool:
        """Whether PostgreSQL answered within the last second and has not closed the connection since; asks nobody."""
        if self.closed or time.monotonic() - self.last_heard > SILENT_SECONDS:
            return False
        # What comes unasked is the end of the connection, or the reason for it.
        arrived = select.poll()
        arrived.register(self.fileno(), select.POLLIN)
        return not arrived.poll(0)

    def wait(self, gen: Generator[Any, Any, Any], *arguments: Any, **options: Any) -> Any:
        return super().wait(self._watched(gen), *arguments, **options)

    def _watched(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        last_heard = time.monotonic()
        try:
            wanted = next(steps)
            while True:
                # False after each tenth of a second in which nothing came.
                is_ready = yield wanted
                if is_ready:
                    last_heard = time.monotonic()
                elif time.monotonic() - last_heard > SILENT_SECONDS:
                    self._end_if_all_is_silent()
                    last_heard = time.monotonic()
                wanted = steps.send(is_ready)
        except StopIteration as end:
            self.last_heard = time.monotonic()
            return end.value

    def _end_if_all_is_silent(self) -> None:
        ask_it = functools.partial(ask, self.info.dsn, password=self.info.password)
        try:
            ask_it()
        except psycopg.errors.ConnectionTimeout:
            self.close()
            DOORWAY.close_until(ask_it)
            raise
        except psycopg.Error:
            # It refuses, perhaps because it has too many connections, but answers.
            return


class DatabaseWrapper(base.DatabaseWrapper):
    def __init__(self, settings_dict: dict[str, Any], *arguments: Any, **options: Any) -> None:
        super().__init__(settings_dict, *arguments, **options)
        if isinstance(pool := settings_dict["OPTIONS"].get("pool"), dict):
            pool["connection_class"] = WatchedConnection

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        DOORWAY.refuse_while_away()
        try:
            return self._living_connection(conn_params)
        except psycopg.Error:
            DOORWAY.close_until(functools.partial(ask, **conn_params))
            raise

    def _living_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.pool and self.pool.closed:
            # Before it opens. The pool would try for three seconds, log each attempt, and raise an error without the reason.
            ask(**conn_params)
        connection = super().get_new_connection(conn_params)
        if not self.pool or _is_alive(connection):
            return connection
        self.pool.putconn(connection)
        DOORWAY.refuse_while_away()
        # The pool would let the request wait for three seconds, also if connections are refused at once.
        ask(**conn_params)
        # When the database has restarted, all are lost. The pool's own check tries them one by one, with pauses.
        self.pool.drain()
        return super().get_new_connection(conn_params)


def _is_alive(connection: Any) -> bool:
    # To ask takes as long as one of the short statements of a request.
    if isinstance(connection, WatchedConnection) and connection.is_surely_open:
        return True
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.OperationalError:
        return False
    return True
