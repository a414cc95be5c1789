"""Mail about errors to ADMINS: at most one an hour of each kind, sent beside the request."""

from __future__ import annotations

import hashlib
import logging
import threading
import traceback
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.mail import get_connection
from django.utils.log import AdminEmailHandler

logger = logging.getLogger("events.mail")

ERROR_MAIL_INTERVAL_SECONDS = 3600


class OncePerHour(logging.Filter):
    """Lets one record of each kind through in an hour; CACHE_URL makes that one of all processes."""

    def filter(self, record: logging.LogRecord) -> bool:
        return bool(cache.add(f"error-mail-{error_kind(record)}", True, ERROR_MAIL_INTERVAL_SECONDS))


def error_kind(record: logging.LogRecord) -> str:
    """Errors raised at one place are of one kind, and so are messages written at one place."""
    place = (record.name, record.pathname, record.lineno)
    if record.exc_info and record.exc_info[2]:
        frame = traceback.extract_tb(record.exc_info[2])[-1]
        place = (getattr(record.exc_info[0], "__name__", ""), frame.filename, frame.lineno or 0)
    return hashlib.sha256(repr(place).encode()).hexdigest()[:32]


class ErrorMailHandler(AdminEmailHandler):
    """Django's, without the outbox: what has failed may be the database.

    A mail server that hangs keeps no visitor waiting. A letter that cannot be sent is lost; the log has the error too.
    """

    def send_mail(self, *args: Any, **kwargs: Any) -> None:
        threading.Thread(target=self._send, args=args, kwargs=kwargs, name="error-mail").start()

    def connection(self) -> Any:
        return get_connection(settings.LETTER_BACKEND)

    def _send(self, *args: Any, **kwargs: Any) -> None:
        try:
            super().send_mail(*args, **(kwargs | {"fail_silently": False}))
        except Exception as error:  # noqa: BLE001 - whatever fails, the log has the error
            logger.warning("A letter to ADMINS was not sent: %s", type(error).__name__)
