"""The site answers within a second while a proxy of deploy/ holds 200 slow clients; `make test-deploy` runs this."""

from __future__ import annotations

import contextlib
import http.client
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from events.web.overload import request_start
from tests.deploy.processes import DEPLOY, MISSING, ORGANISE, PROJECT, PROXIES, free_port, hallway, migrated, skip
from tests.deploy.slow_clients import OPENINGS, PAGES, answers, slow_clients

ROUNDS = 3
SECRETS = ["/feeds/s3cret1.ics", "/demo/shared/s3cret2/", "/account/digests/off/s3cret3/", "/demo/proposals/s3cret4/change/"]
SECRETS += ["/metrics/s3cret5/", "/demo/preview/s3cret6/", "/organise/new-password/s3cret7/", "/demo/sign-up/s3cret8/list.csv"]
# The page of a shared agenda leads to the second.
SECRETS += ["/demo/agenda/take/s3cret9/", "/demo/time-zone/?next=/demo/shared/s3cret0/"]
pytestmark = [pytest.mark.deploy, pytest.mark.alone]


@dataclass(frozen=True)
class Site:
    name: str
    folder: Path
    port: int
    upstream: int


def skip_if_missing(name: str) -> None:
    if name in MISSING:
        skip(f"{name} is not installed: apt install {name}")


def proxied(name: str, database: Path, folder: Path, text: str, **environment: str) -> Iterator[Site]:
    skip_if_missing(name)
    port, upstream = free_port(), free_port()
    start, _ = PROXIES[name]
    settings = {"SITE_URL": f"http://127.0.0.1:{port}", "BEHIND_PROXY": "true"}
    with hallway(database, folder, upstream, **settings, **environment), start(folder, text, port, upstream):
        yield Site(name, folder, port, upstream)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return migrated(tmp_path_factory.mktemp("database"))


@pytest.fixture(scope="module", params=PROXIES)
def site(request: pytest.FixtureRequest, database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    name: str = request.param
    yield from proxied(name, database, tmp_path_factory.mktemp(name), (DEPLOY / PROXIES[name][1]).read_text())


@pytest.mark.parametrize("kind", OPENINGS)
def test_site_answers_beside_slow_clients(site: Site, kind: str) -> None:
    with slow_clients(kind, site.port):
        found = answers(site.port, ROUNDS)

    assert found == ["200"] * len(PAGES) * ROUNDS


@pytest.mark.parametrize(
    ("name", "buffering", "instead"),
    [("caddy", "\t\tbuffer_requests\n", ""), ("nginx", "proxy_request_buffering on;", "proxy_request_buffering off;")],
)
def test_site_stops_if_the_proxy_passes_bodies_on_at_once(
    database: Path, tmp_path: Path, name: str, buffering: str, instead: str
) -> None:
    text = (DEPLOY / PROXIES[name][1]).read_text()
    assert buffering in text

    # With two workers, one of them may get all the slow bodies.
    for site in proxied(name, database, tmp_path, text.replace(buffering, instead), WORKERS="1"):
        with slow_clients("bodies", site.port, count=40):
            found = answers(site.port, 1)

    assert found == ["TimeoutError"] * len(PAGES)


UPLOAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{}\r\n--x--\r\n'
SIGN_IN, ADMIN_SIGN_IN = "/account/sign-in/", f"/{ORGANISE}login/"


def answer_to_upload(
    site_port: int, port: int, path: str, megabytes: int, content_type: str = "multipart/form-data; boundary=x"
) -> str:
    """The status, or the name of the error that a sender sees instead."""
    headers = {
        "Host": f"127.0.0.1:{site_port}",
        "Origin": f"http://127.0.0.1:{site_port}",
        "Content-Type": content_type,
        "Cookie": f"csrftoken={'a' * 32}",
    }
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as client:
        try:
            client.request("POST", path, UPLOAD.format("a" * (megabytes * 1_000_000)), headers)
            return str(client.getresponse().status)
        except OSError as error:
            return type(error).__name__


def test_bodies_are_small_but_for_organisers(site: Site) -> None:
    found = {
        (path, size): answer_to_upload(site.port, site.port, path, size)
        for path in [SIGN_IN, ADMIN_SIGN_IN]
        for size in (2, 5, 39)
    }

    # Caddy may close before all of it is sent.
    assert {found.pop((SIGN_IN, size)) for size in (5, 39)} <= {"413", "BrokenPipeError", "ConnectionResetError"}
    assert found == {(SIGN_IN, 2): "422", (ADMIN_SIGN_IN, 2): "422", (ADMIN_SIGN_IN, 5): "422", (ADMIN_SIGN_IN, 39): "422"}


@pytest.mark.parametrize("content_type", ["multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain"])
@pytest.mark.parametrize("straight", [False, True], ids=["proxy", "straight"])
def test_sender_of_a_refused_body_sees_the_refusal(site: Site, straight: bool, content_type: str) -> None:
    refusal = {"multipart/form-data; boundary=x": "422", "application/x-www-form-urlencoded": "400", "text/plain": "403"}
    port = site.upstream if straight else site.port

    found = [answer_to_upload(site.port, port, ADMIN_SIGN_IN, size, content_type) for size in (3, 20)]

    assert found == [refusal[content_type]] * 2


def test_processes_end_with_the_tests(tmp_path: Path) -> None:
    port = free_port()
    code = f"""if True:
        import pathlib, sys, time
        from tests.deploy.processes import running
        server = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "{port}"]
        with running(server, {port}, pathlib.Path({str(tmp_path / "log")!r})):
            print("ready", flush=True)
            time.sleep(60)
    """
    with subprocess.Popen([sys.executable, "-c", code], cwd=PROJECT, stdout=subprocess.PIPE) as tests:
        assert tests.stdout
        assert tests.stdout.readline() == b"ready\n"
        tests.kill()

    for _ in range(100):
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            time.sleep(0.1)
            continue
        return
    pytest.fail("the server goes on")


@pytest.mark.parametrize("name", PROXIES)
def test_proxy_writes_itself_who_asks_and_since_when(name: str, tmp_path: Path) -> None:
    skip_if_missing(name)
    port, (run, file) = free_port(), PROXIES[name]
    with (
        socket.create_server(("127.0.0.1", 0)) as upstream,
        run(tmp_path, (DEPLOY / file).read_text(), port, upstream.getsockname()[1]),
        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as client,
    ):
        sent = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Request-Start": "1"}
        client.request("GET", "/", headers=sent)
        connection, _ = upstream.accept()
        with connection:
            received = connection.recv(65536).decode()

    forwarded = dict(re.findall(r"(?im)^(x-forwarded-for|x-forwarded-proto): (.*?)\r$", received))
    assert {name.lower(): value for name, value in forwarded.items()} == {
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-proto": "http",
    }
    [start] = re.findall(r"(?im)^x-request-start: (.*?)\r$", received)
    assert abs((request_start(start) or 0) - time.time()) < 10


@pytest.mark.parametrize("name", PROXIES)
def test_secret_addresses_are_not_logged(name: str, tmp_path: Path) -> None:
    skip_if_missing(name)
    port, (start, file) = free_port(), PROXIES[name]
    # Nothing listens upstream, so each request is a fault, which proxies log.
    text = (DEPLOY / file).read_text().replace("lb_try_duration 60s", "lb_try_duration 0s")

    with start(tmp_path, text, port, free_port()):
        statuses = [status_of_secret(port, path) for path in SECRETS]

    written = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert statuses == [502] * len(SECRETS)
    assert (written.count("[hidden]") >= len(SECRETS), re.findall(r"s3cret\d", written)) == (True, [])


def test_secret_addresses_asked_by_http_are_not_logged(tmp_path: Path) -> None:
    skip_if_missing("nginx")
    plain, text = free_port(), (DEPLOY / "nginx.conf").read_text()
    redirecting = "listen 80;\n    listen [::]:80;\n    server_name schedule.example.org;"
    assert redirecting in text

    with PROXIES["nginx"][0](tmp_path, text.replace(redirecting, f"server_name _; listen {plain};"), free_port(), free_port()):
        statuses = [status_of_secret(plain, path) for path in SECRETS]

    written = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert statuses == [301] * len(SECRETS)
    assert (written.count("[hidden]") >= len(SECRETS), re.findall(r"s3cret\d", written)) == (True, [])


def status_of_secret(port: int, path: str) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as client:
        client.request("GET", path, headers={"Referer": f"http://127.0.0.1{path}"})
        return client.getresponse().status
