"""Keeps the secrets of agendas out of what is written about requests: logs, mail to admins, reports of errors."""

from __future__ import annotations

import logging
import re

from django.utils.safestring import SafeString, mark_safe
from django.views.debug import ExceptionReporter

# In whatever way the address was mistyped, or packed into another one.
ADDRESS = re.compile(r"(/feeds/)[^\s?\"'<>&]+|(%2Ffeeds%2F)[^\s?\"'<>&]+", re.IGNORECASE)
# Agendas that others may read, codes for another device, and what somebody proposed.
SECRET_PAGE = re.compile(r"((?:/|%2F)(?:shared|take|proposals|sign-up)(?:/|%2F))[^\s?\"'<>&/]+", re.IGNORECASE)
# A token standing by itself, as in a variable: 32 of these, of which hardly ever none is a capital or a digit.
TOKEN = re.compile(r"(?:(?<![A-Za-z0-9_-])|(?<=%2F))(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])")


def hide(text: str) -> str:
    addresses = ADDRESS.sub(lambda match: f"{match[1] or match[2]}[hidden].ics", text)
    return TOKEN.sub("[hidden]", SECRET_PAGE.sub(r"\1[hidden]", addresses))


class HideFeedTokens(logging.Filter):
    """For loggers that write request paths, so that no handler of theirs gets to see one."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = hide(message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True


class DiscreetFormatter(logging.Formatter):
    """For handlers: it sees the traceback too, and what other loggers say."""

    def format(self, record: logging.LogRecord) -> str:
        return hide(super().format(record))


class DiscreetReporter(ExceptionReporter):
    """What an error looked like, for mail to admins and for the page of DEBUG: its variables have tokens, its cookies too."""

    def get_traceback_html(self) -> SafeString:
        return mark_safe(hide(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return mark_safe(hide(super().get_traceback_text()))
