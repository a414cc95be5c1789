"""Where a secret address could be left behind: reports of errors, mail to admins, and all that a server writes."""

from __future__ import annotations

import http.client
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.test import Client
from django.utils.log import AdminEmailHandler

from events.agenda.visitor import VISITOR_COOKIE
from events.calendars import feeds
from events.calendars import views as calendars_views
from tests.calendars.world import World
from tests.processes import PROJECT, database_url

PAGE = "/iclr-2025/agenda/calendar/"


@pytest.fixture
def world(db: None) -> World:
    """Of each test alone: one of them commits."""
    return World()


def secrets(world: World) -> list[str]:
    return [world.token, world.agenda.feed_token]


def broken(*args: Any, **kwargs: Any) -> Any:
    """Its variables hold whatever it was called with."""
    raise RuntimeError(f"broken with {args} and {kwargs}")


@contextmanager
def breaking(world: World) -> Iterator[Client]:
    """A visitor at a site whose feeds and calendar page fail."""
    visitor = world.visitor(raise_request_exception=False)
    with patch.object(feeds, "agenda_feed", broken), patch.object(calendars_views, "feed_links", broken):
        yield visitor


@pytest.mark.django_db
@pytest.mark.parametrize("debug", [False, True])
def test_page_about_an_error_has_no_token(world: World, settings: Any, debug: bool) -> None:
    settings.DEBUG = debug

    with breaking(world) as visitor:
        answers = [visitor.get(address) for address in (world.feed, PAGE)]

    assert [it.status_code for it in answers] == [500, 500]
    assert ["broken with" in it.text for it in answers] == [debug, debug]
    assert [secret for secret in secrets(world) for it in answers if secret in it.text] == []


@pytest.mark.django_db
@pytest.mark.parametrize("html", [False, True])
def test_mail_about_an_error_has_no_token(world: World, settings: Any, html: bool) -> None:
    settings.ADMINS = [("Ada", "ada@hallway.example")]
    handler = AdminEmailHandler(include_html=html)
    logger = logging.getLogger("django.request")

    logger.addHandler(handler)
    try:
        with breaking(world) as visitor:
            visitor.get(world.feed)
            visitor.get(PAGE)
    finally:
        logger.removeHandler(handler)

    texts = [str(it.message()) + str(it.subject) + "".join(str(part[0]) for part in it.alternatives) for it in mail.outbox]
    assert ["RuntimeError" in it for it in texts] == [True, True]
    assert [secret for secret in secrets(world) for text in texts if secret in text] == []


@contextmanager
def serving(log: Path, **environment: str) -> Iterator[http.client.HTTPConnection]:
    """The server as `make serve` starts it, but as talkative as it can be, writing into this file."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "granian", "conference.wsgi:application", "--interface", "wsgi", "--port", str(port)]
    talkative = ["--access-log", "--log-level", "debug", "--workers", "1", "--blocking-threads", "2", "--no-ws"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, *talkative],
            cwd=PROJECT,
            env=os.environ | environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            with closing(connected(process, port)) as connection:
                yield connection
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(30)


def connected(process: subprocess.Popen[bytes], port: int) -> http.client.HTTPConnection:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for _ in range(300):
        assert process.poll() is None
        with suppress(OSError):
            connection.connect()
            return connection
        time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.mark.django_db(transaction=True)
def test_nothing_that_a_server_writes_has_a_token(tmp_path: Path) -> None:
    world = World()
    old = world.feed
    hidden = secrets(world)
    world.agenda.reset_feed()
    hidden.append(world.agenda.feed_token)
    cookie = {"Cookie": f"{VISITOR_COOKIE}={world.token}"}
    log = tmp_path / "output"
    asked = [
        *[("GET", world.feed, cookie), ("HEAD", world.feed, {}), ("POST", world.feed, {}), ("PROPFIND", world.feed, {})],
        *[("GET", f"{world.feed}/", {}), ("GET", world.feed.removesuffix(".ics"), {}), ("GET", world.feed.upper(), {})],
        *[("GET", world.feed.replace("feeds", "feed"), {}), ("GET", world.feed.replace("feeds/", "feeds//"), {})],
        *[("GET", old, {"Referer": f"https://hallway.example{old}"}), ("GET", PAGE, cookie), ("POST", f"{PAGE}reset/", cookie)],
        *[("GET", f"{PAGE}?next={world.feed}", cookie), ("GET", f"/time-zone/?next=%2Ffeeds%2F{hidden[2]}.ics", {})],
    ]

    with serving(log, DATABASE_URL=database_url(), LOG_LEVEL="DEBUG", DEBUG="true") as server:
        for method, address, headers in asked:
            server.request(method, address, headers=headers)
            server.getresponse().read()

    said = log.read_text()
    assert said.count("/feeds/[hidden].ics") >= len(asked) // 2
    assert "Method Not Allowed (PROPFIND): /feeds/[hidden].ics" in said
    assert [secret for secret in hidden if secret.lower() in said.lower()] == []
