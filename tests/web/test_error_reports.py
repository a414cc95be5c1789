"""What is sent to Sentry, as bytes on the wire: the error and its place, and none of a visitor's words."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import brotli

from tests.processes import PROJECT

# A server process with a view that fails, and a visitor whose request is full of secrets.
SERVER = """
import io, logging, sys
import django
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

django.setup()
from events.search.following import BackgroundComparison
# On a slow machine it would report that there are no tables.
BackgroundComparison.start = lambda self: None
from conference.wsgi import application
import conference.urls

@csrf_exempt
def failing_view(request, token):
    name, mailbox = request.POST["name"], "canary-mail@example.org"
    logging.getLogger("events.rooms").error("Room %s has no floor.", name, extra={"canary-extra": name})
    logging.getLogger("django.request").error(f"canary-other-logger {request.path}")
    try:
        raise KeyError(name)
    except KeyError as error:
        raise ValueError(f"{name} <{mailbox}> {request.path} {request.COOKIES}") from error

for route in ("feeds/<str:token>.test", "demo/shared/<str:token>/"):
    conference.urls.urlpatterns.insert(0, path(route, failing_view))
for address in ("/feeds/canary-token.test", "/demo/shared/canary-token/"):
    body = b"name=canary-form&password=canary-password"
    answers = []
    list(application({
        "REQUEST_METHOD": "POST", "PATH_INFO": address, "QUERY_STRING": "q=canary-query", "SERVER_NAME": "localhost",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http", "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr, "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "HTTP_HOST": "localhost", "HTTP_COOKIE": "hallway=canary-cookie; sessionid=canary-session",
        "HTTP_USER_AGENT": "canary-agent", "HTTP_REFERER": "http://localhost/canary-referer/", "REMOTE_ADDR": "203.0.113.99",
        "HTTP_X_FORWARDED_FOR": "203.0.113.99", "HTTP_AUTHORIZATION": "Basic canary-authorization",
        "HTTP_SENTRY_TRACE": "771a43a4192642f0b136d5159a501700-1234567890abcdef-1",
        "HTTP_BAGGAGE": "sentry-release=canary-baggage",
    }, lambda status, headers: answers.append(status)))
    print(*answers)
"""
SECRETS = re.compile(r"canary[\w-]*|203\.0\.113\.99|password|k{50}")


@contextmanager
def ingest() -> Iterator[tuple[str, list[str]]]:
    """A server that takes what is sent, headers too; the address of a project in it."""
    taken: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            unpacked = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers["Content-Encoding"], bytes)(body)
            taken.append(f"{self.path}\n{self.headers}\n{unpacked.decode()}")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{'a' * 32}@127.0.0.1:{server.server_port}/7", taken
        finally:
            server.shutdown()
            thread.join()


def run(code: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "conference.settings", "SECRET_KEY": "k" * 50}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, cwd=PROJECT, env=environment | settings, capture_output=True, text=True, check=False, timeout=120
    )


def events(taken: list[str]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for text in taken for line in text.splitlines() if line.startswith("{")]
    return [line for line in lines if "exception" in line or "logentry" in line]


def test_sentry_gets_the_error_and_nothing_of_a_visitor(tmp_path: Path) -> None:
    with ingest() as (dsn, taken):
        done = run(SERVER, "canary-argument", SENTRY_DSN=dsn, DATABASE_URL=f"sqlite:///{tmp_path}/site.sqlite3")

    assert done.stdout.split("\n") == ["500 Internal Server Error", "500 Internal Server Error", ""], done.stderr
    sent = "".join(taken)
    assert sorted(set(SECRETS.findall(sent))) == []
    found = events(taken)
    errors = [[value["type"] for value in event["exception"]["values"]] for event in found if "exception" in event]
    assert errors == [["KeyError", "ValueError"]] * 2
    assert [event["logentry"] for event in found if "logentry" in event] == [{"message": "Room %s has no floor."}] * 2
    assert '"function":"failing_view"' in sent.replace(" ", "")
    assert {event.get("transaction") for event in found} == {"__main__.failing_view"}


def test_fault_of_a_command_is_reported() -> None:
    code = "import django; django.setup(); raise RuntimeError('canary-text')"
    with ingest() as (dsn, taken):
        done = run(code, SENTRY_DSN=dsn)

    assert "RuntimeError: canary-text" in done.stderr
    assert SECRETS.findall("".join(taken)) == []
    assert [event["exception"]["values"][0]["type"] for event in events(taken)] == ["RuntimeError"]


def test_library_is_loaded_only_with_the_setting() -> None:
    done = run("import django, sys; django.setup(); print('sentry_sdk' in sys.modules)")

    assert done.stdout == "False\n", done.stderr


def test_missing_package_is_named() -> None:
    missing = (
        "import sys, importlib.util as u; find = u.find_spec; u.find_spec = lambda n: None if n == 'sentry_sdk' else find(n)"
    )

    done = run(f"{missing}; import django; django.setup()", SENTRY_DSN="https://key@sentry.example.org/1")

    assert "SENTRY_DSN is set, but sentry-sdk is not installed: run make install with this setting.\n" in done.stderr
