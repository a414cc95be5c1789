"""What is at the public address, and what its clock says."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from events.doctor import public_address

Answers = dict[str, tuple[int, str, dict[str, str]]]
READY: Answers = {"/readyz": (200, "ready\n", {}), "/robots.txt": (200, "User-agent: *", {})}
Serve = Callable[[Answers], str]


@pytest.fixture
def serve(settings: Settings) -> Iterator[Serve]:
    """Answers from something at SITE_URL, whatever it is."""
    servers: list[HTTPServer] = []

    def start(answers: Answers) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, text, headers = answers[self.path]
                self.send_response_only(status)
                for name, value in ({"Date": format_datetime(timezone.now(), usegmt=True)} | headers).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.SITE_URL = f"http://127.0.0.1:{server.server_port}"
        return str(settings.SITE_URL)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.django_db(transaction=True)
def test_site_that_answers_is_good(live_server: LiveServer, settings: Settings) -> None:
    settings.SITE_URL = live_server.url

    assert public_address.address_problems() == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param((400, "Bad Request", {}), "answers 400: the proxy must forward the Host header", id="host"),
        pytest.param((502, "", {}), "answers 502: the proxy does not reach the server", id="server-away"),
        pytest.param((503, "nginx\n", {}), "answers 503: the proxy does not reach the server", id="proxy-refuses"),
        pytest.param(
            (503, "The disk is almost full: 4 MB are free.\n", {}),
            "says: The disk is almost full: 4 MB are free.",
            id="not-ready",
        ),
        pytest.param((301, "", {"Location": "https://b.example/"}), "redirects to https://b.example/: set SITE_URL", id="moved"),
        pytest.param((200, "Welcome to nginx!", {}), "answers 200 and is not this site", id="another-site"),
        pytest.param((404, "", {}), "answers 404 and is not this site", id="another-program"),
    ],
)
def test_answer_is_named_with_its_remedy(serve: Serve, answer: tuple[int, str, dict[str, str]], said: str) -> None:
    url = serve(READY | {"/readyz": answer})

    problems = public_address.address_problems()

    assert [problem.startswith(f"{url}/readyz {said}") for problem in problems] == [True], problems


def test_proxy_that_does_not_say_https_is_named(serve: Serve, settings: Settings) -> None:
    settings.SECURE = True
    url = serve(READY | {"/robots.txt": (301, "", {"Location": "https://schedule.example.org/robots.txt"})})

    assert public_address.address_problems() == [
        (
            f"{url}/robots.txt redirects to https://schedule.example.org/robots.txt: the server does not know that it is https. "
            "Set BEHIND_PROXY=true, and let the proxy set X-Forwarded-Proto."
        )
    ]


def test_nothing_at_the_address_is_named(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.SITE_URL = f"http://127.0.0.1:{listener.getsockname()[1]}"

    assert public_address.address_problems() == [
        (
            f"Nothing answers at {settings.SITE_URL}: [Errno 111] Connection refused. "
            "Correct SITE_URL or its name in DNS, or start the proxy and the server."
        )
    ]


def test_silence_ends_after_its_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_address, "ANSWER_TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.SITE_URL = f"http://127.0.0.1:{listener.getsockname()[1]}"

        problems = public_address.address_problems()

    assert problems == [
        (
            f"Nothing answers at {settings.SITE_URL}: no answer within 0.2 seconds. "
            "Start the server and the proxy, and open the port in the firewall."
        )
    ]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ssl.SSLCertVerificationError(1, "certificate has expired"), "Correct the certificate of the proxy."),
        (socket.gaierror(-2, "Name or service not known"), "Correct SITE_URL or its name in DNS"),
    ],
)
def test_error_before_an_answer_is_named(monkeypatch: pytest.MonkeyPatch, error: OSError, said: str) -> None:
    def fail(path: str) -> None:
        raise error

    monkeypatch.setattr(public_address, "_answer", fail)

    assert [said in problem for problem in public_address.address_problems()] == [True]


@pytest.mark.parametrize(("seconds", "count"), [(4, 0), (-4, 0), (60, 1), (-60, 1)])
def test_clock_that_differs_from_the_answer_is_named(serve: Serve, seconds: int, count: int) -> None:
    with time_machine.travel("2025-04-24T12:00:00Z", tick=False):
        theirs = format_datetime(timezone.now() + dt.timedelta(seconds=seconds), usegmt=True)
        url = serve(READY | {"/readyz": (200, "ready\n", {"Date": theirs})})

        problems = public_address.address_problems()

    said = "The clocks of this machine and of the answer from SITE_URL differ by 60 seconds."
    assert (url[:4], problems) == ("http", [f"{said} Turn on time synchronisation: timedatectl set-ntp true."] * count)


def test_answer_without_a_date_says_nothing_of_clocks(serve: Serve) -> None:
    serve(READY | {"/readyz": (200, "ready\n", {"Date": "soon"})})

    assert public_address.address_problems() == []
