"""Keeps the secret of a feed's address out of the logs."""

from __future__ import annotations

import logging
import re

SECRET = re.compile(r"(/feeds/)[^/\s?\"'<>]+")


class HideFeedTokens(logging.Filter):
    """A filter for every handler that writes request paths."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = SECRET.sub(r"\1[hidden].ics", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True
