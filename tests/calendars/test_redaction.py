from __future__ import annotations

import logging
from typing import Any

import pytest

from events.calendars.redaction import HideFeedTokens


@pytest.mark.parametrize(
    ("message", "args", "hidden"),
    [
        pytest.param(
            "Method Not Allowed (%s): %s",
            ("POST", "/feeds/s3cret.ics"),
            "Method Not Allowed (POST): /feeds/[hidden].ics",
            id="django",
        ),
        pytest.param(
            '"GET /feeds/s3cret.ics?x=1 HTTP/1.1" %s', (200,), '"GET /feeds/[hidden].ics?x=1 HTTP/1.1" 200', id="with-query"
        ),
        pytest.param(
            "%(method)s %(path)s", ({"method": "GET", "path": "/feeds/s3cret.ics"},), "GET /feeds/[hidden].ics", id="named"
        ),
        pytest.param("GET %s", ("/iclr-2025/agenda.ics",), "GET /iclr-2025/agenda.ics", id="no-secret"),
    ],
)
def test_filter_hides_the_token_of_a_feed(message: str, args: Any, hidden: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, message, args, None)

    kept = HideFeedTokens().filter(record)

    assert (kept, record.getMessage()) == (True, hidden)
