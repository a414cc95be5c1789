"""Hides secret addresses and tokens in logs, mail to admins and error reports."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re

from django.utils.safestring import SafeString, mark_safe
from django.views.debug import ExceptionReporter, SafeExceptionReporterFilter

# Also mistyped addresses, and addresses quoted inside others.
FEED_PATH_PATTERN = re.compile(r"(/feeds/)[^\s?\"'<>&]+|(%2Ffeeds%2F)[^\s?\"'<>&]+", re.IGNORECASE)
# Shared agendas, previews, codes for another device, proposals, guest lists, ends of digests, new passwords, figures; not our
# own files, in tracebacks.
SECRET_PATH_PATTERN = re.compile(
    r"((?:/|%2F)(?:shared|take|preview|proposals|sign-up|metrics|digests(?:/|%2F)off|new-password)(?:/|%2F))(?![a-z_]{1,31}\.(?:py|html)\b)[^\s?\"'<>&/]+",
    re.IGNORECASE,
)
# A token alone, as in a variable: 32 characters, in cookies after an "s"; nearly every token has a capital or a digit, and few
# words have.
BARE_TOKEN_PATTERN = re.compile(r"(?:(?<![A-Za-z0-9_-])|(?<=%2F))(?=[a-z_-]*[A-Z0-9])s?[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])")


def hide_secrets(text: str) -> str:
    addresses = FEED_PATH_PATTERN.sub(lambda match: f"{match[1] or match[2]}[hidden].ics", text)
    return BARE_TOKEN_PATTERN.sub("[hidden]", SECRET_PATH_PATTERN.sub(r"\1[hidden]", addresses))


class HideFeedTokens(logging.Filter):
    """Hides secrets in loggers that write request paths, before any handler gets the record."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = hide_secrets(message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True


class OneLinePerRefusal(logging.Filter):
    """Drops the traceback of a request that was answered with 4xx: it shows Django's code, and anybody can cause thousands."""

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class DiscreetFormatter(logging.Formatter):
    """Hides secrets in handlers: also in tracebacks and in records of other loggers."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_secrets(super().format(record))


class DiscreetFilter(SafeExceptionReporterFilter):
    """Hides the address of the cache too, which may have a password."""

    hidden_settings = re.compile(f"{SafeExceptionReporterFilter.hidden_settings.pattern}|LOCATION", re.IGNORECASE)


class JSONFormatter(logging.Formatter):
    """Writes one JSON object a line, with secrets hidden as above; a traceback is one text in it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": hide_secrets(record.getMessage()),
        }
        if status := getattr(record, "status_code", None):
            line["status"] = status
        if record.exc_info:
            line["traceback"] = hide_secrets(self.formatException(record.exc_info))
        return json.dumps(line)


class DiscreetReporter(ExceptionReporter):
    """Hides tokens in variables and cookies, in mail to admins and on the DEBUG page."""

    def get_traceback_html(self) -> SafeString:
        return mark_safe(hide_secrets(super().get_traceback_html()))

    def get_traceback_text(self) -> SafeString:
        return mark_safe(hide_secrets(super().get_traceback_text()))
