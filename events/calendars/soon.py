"""Writing down later what a feed must not wait for: once in a while, from a thread of its own, and when the process ends."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from multiprocessing.util import Finalize

from django.db import connection

EVERY = 30.0


class Soon(ABC):
    """What is remembered in this process, under ``_lock``, until ``write`` is called; whoever adds to it winds the clock."""

    def __init__(self, every: float | None = EVERY) -> None:
        """``every`` is in seconds; with None nothing is written until somebody says so."""
        self.every = every
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._at_exit: Finalize | None = None

    @abstractmethod
    def write(self) -> None:
        """What was taken so far, now; never raises."""

    def _wind(self) -> None:
        if self.every is None or self._timer:
            return
        timer = threading.Timer(self.every, self._ring)
        timer.daemon = True
        try:
            timer.start()
        except RuntimeError:  # this machine has no thread to spare: whoever comes next tries again
            return
        self._timer = timer
        # Not atexit: that does not run in processes that were forked off, as the server's workers are.
        self._at_exit = self._at_exit or Finalize(None, self.write, exitpriority=100)

    def _ring(self) -> None:
        with self._lock:
            self._timer = None
        try:
            self.write()
        finally:
            connection.close()
