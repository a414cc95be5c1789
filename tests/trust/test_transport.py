"""Requests that no browser sends, to the real server: each is answered, and the next one too."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.trust.served import GUID, Site, serving_site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving_site(tmp_path_factory.mktemp("site")) as site:
        yield site


def status(site: Site, request: bytes) -> int:
    """The status that a request is answered with; 0 if the connection is closed without an answer."""
    with socket.create_connection(("127.0.0.1", site.port), 30) as connection:
        connection.settimeout(30)
        try:
            connection.sendall(request)
            answer = connection.recv(4096)
        except ConnectionError:
            return 0
    return int(answer.split()[1]) if answer else 0


def request(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def to_bookmark(*headers: str, body: bytes = b"") -> bytes:
    path = f"/demo/events/{GUID}/bookmark/"
    return request("POST", path, "Origin: http://localhost", *headers, body=body)


FORM = "Content-Type: application/x-www-form-urlencoded"
MULTIPART = "Content-Type: multipart/form-data; boundary=x"
FIELDS = b"&".join(b"a%d=1" % number for number in range(10_000))
CUT = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf'


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        pytest.param(request("TRACE", "/demo/"), {405}, id="TRACE"),
        pytest.param(request("NONSENSE", "/demo/"), {403}, id="an unknown method"),
        pytest.param(request("PUT", "/demo/"), {403}, id="PUT"),
        pytest.param(to_bookmark(FORM), {422}, id="no Content-Length"),
        pytest.param(to_bookmark(FORM, "Content-Length: x"), {400}, id="a Content-Length that is no number"),
        pytest.param(to_bookmark(FORM, "Content-Length: -1"), {400}, id="a negative Content-Length"),
        pytest.param(request("GET", "/demo/", *[f"X-{n}: x" for n in range(1000)]), {431}, id="1,000 headers"),
        pytest.param(request("GET", f"/demo/?q={'x' * 8_000}"), {200, 400, 414}, id="an address of 8 kB"),
        pytest.param(request("GET", f"/demo/{'x' * 70_000}/"), {404, 414}, id="an address of 70 kB"),
        pytest.param(to_bookmark(FORM, f"Content-Length: {len(FIELDS)}", body=FIELDS), {400}, id="10,000 fields"),
        pytest.param(
            request("GET", "/demo/", "Cookie: " + "; ".join(f"c{n}=1" for n in range(5_000))), {200}, id="5,000 cookies"
        ),
        pytest.param(to_bookmark(MULTIPART, f"Content-Length: {len(CUT)}", body=CUT), {422}, id="a form cut off"),
        pytest.param(to_bookmark("Content-Type: application/json", "Content-Length: 1", body=b"{"), {422}, id="JSON"),
        pytest.param(request("GET", "/demo/", f"Accept-Language: {'x' * 600}"), {200}, id="a language of 600 letters"),
        pytest.param(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 200, {0, 400}, id="TLS where there is none"),
    ],
)
def test_strange_request_is_answered_and_the_site_goes_on(site: Site, sent: bytes, expected: set[int]) -> None:
    answer = status(site, sent)

    assert answer in expected
    assert status(site, request("GET", "/healthz")) == 200


def test_none_of_them_is_an_error_of_ours(site: Site) -> None:
    status(site, request("GET", "/never-was/"))

    log = site.log.read_text()
    assert "Not Found" in log
    assert "Internal Server Error" not in log
    assert "Traceback" not in log
