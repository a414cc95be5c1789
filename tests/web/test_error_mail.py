"""Mail about errors: one an hour of each kind, without secrets, beside the request, and without the database."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from events.pages.views import site
from events.web.error_mail import ErrorMailHandler, OncePerHour
from tests.processes import PROJECT

ADDRESS = "ada@hallway.example"
NOON = "2025-04-24T12:00:00+00:00"


@pytest.fixture(autouse=True)
def handler(settings: Any) -> Iterator[ErrorMailHandler]:
    """As the settings install it for a site with ADMINS."""
    settings.ADMINS = [(ADDRESS, ADDRESS)]
    handler = ErrorMailHandler()
    handler.setLevel("ERROR")
    handler.addFilter(OncePerHour())
    loggers = [logging.getLogger(name) for name in ("django", "events")]
    for logger in loggers:
        logger.addHandler(handler)
    yield handler
    for logger in loggers:
        logger.removeHandler(handler)


def letters() -> list[Any]:
    for thread in threading.enumerate():
        if thread.name == "error-mail":
            thread.join(10)
    return mail.outbox


def broken(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("broken")


def also_broken(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("broken too")


def visit(failure: Callable[..., Any]) -> int:
    with patch.object(site, "HttpResponse", failure):
        return Client(raise_request_exception=False).get("/robots.txt").status_code


def test_hundred_equal_errors_are_one_letter_an_hour() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        first = {visit(broken) for _ in range(100)}
        sent = [len(letters())]
        visit(also_broken)
        sent.append(len(letters()))
        clock.shift(3601)
        visit(broken)
        sent.append(len(letters()))

    assert (first, sent) == ({500}, [1, 2, 3])
    assert [(it.to, it.from_email.partition("@")[0]) for it in mail.outbox] == [([ADDRESS], "Hallway <hallway")] * 3
    assert mail.outbox[0].subject == "[127.0.0.1] ERROR (EXTERNAL IP): Internal Server Error: /robots.txt"
    assert "RuntimeError at /robots.txt\nbroken\n" in mail.outbox[0].body


def test_letter_asks_no_database(django_db_blocker: Any) -> None:
    with django_db_blocker.unblock(), CaptureQueriesContext(connection) as queries:
        visit(broken)

    assert (len(letters()), len(queries)) == (1, 0)


def test_letter_has_no_password_of_the_site_and_no_secret_address(settings: Any) -> None:
    settings.CACHES = settings.CACHES | {"other": {"BACKEND": "…", "LOCATION": "redis://:s3cret@cache.example"}}
    request = RequestFactory().get("/feeds/abc.ics", headers={"cookie": "hallway=sABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"})

    try:
        broken()
    except RuntimeError:
        logging.getLogger("django.request").exception("Internal Server Error: %s", request.path, extra={"request": request})

    (letter,) = letters()
    assert [secret for secret in ("s3cret", "abc.ics", "ABCDEFGH") if secret in letter.subject + letter.body] == []
    assert "/feeds/[hidden].ics" in letter.body


def test_warnings_are_not_mailed() -> None:
    logging.getLogger("events.mail").warning("Not important")

    assert letters() == []


class NoMailServer(BaseEmailBackend):
    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError("ada@hallway.example")


def test_mail_server_that_is_away_costs_a_line_in_the_log(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.LETTER_BACKEND = f"{__name__}.NoMailServer"
    logging.getLogger("events").addHandler(caplog.handler)

    assert visit(broken) == 500
    letters()

    logging.getLogger("events").removeHandler(caplog.handler)
    assert "A letter to ADMINS was not sent: ConnectionRefusedError" in caplog.messages


TWICE = """
import logging
for _ in range(2):
    logging.getLogger("events.anything").error("Not ready: /feeds/abc.ics")
logging.getLogger("django.request").error("Another")
"""


def manage(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "manage.py", *command)
    environment = {"PATH": os.environ["PATH"], "SECRET_KEY": "k" * 50} | settings
    return subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(("admins", "count"), [("ada@hallway.example,grace@hallway.example", 2), ("", 0)])
def test_setting_sends_them_to_its_addresses(tmp_path: Path, admins: str, count: int) -> None:
    done = manage("shell", "--no-imports", "-c", TWICE, ADMINS=admins, MAIL_URL=f"filemail:///{tmp_path}/letters")

    found = [path.read_text() for path in sorted(tmp_path.glob("letters/*"))]
    assert (done.returncode, len(found)) == (0, count)
    assert sorted(text.count("To: ada@hallway.example, grace@hallway.example") for text in found) == [1] * count
    assert [text for text in found if "abc.ics" in text] == []


def test_site_does_not_start_with_an_admin_without_an_address() -> None:
    done = manage("check", ADMINS="ada@hallway.example,Grace")

    assert done.returncode == 1
    assert "ADMINS has “Grace”: write mail addresses, separated by commas." in done.stderr
