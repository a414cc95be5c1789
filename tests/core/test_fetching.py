"""Files from addresses that somebody named: where the server goes, for how long, and what it takes."""

from __future__ import annotations

import gzip
import socket
import ssl
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from events.core.fetching import PUBLIC_INTERNET, Fetched, FetchError, fetch
from tests.https_server import HOST, LOOPBACK, HttpsServer, https_server, send


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpsServer]:
    with https_server(tmp_path_factory.mktemp("https")) as server:
        yield server


@pytest.fixture
def server(running: HttpsServer) -> HttpsServer:
    running.answers.clear()
    running.asked.clear()
    return running


def problem(url: str, **values: Any) -> str:
    with pytest.raises(FetchError) as refused:
        fetch(url, **values)
    return str(refused.value)


def test_file_comes_with_its_validators(server: HttpsServer) -> None:
    server.serve("<schedule/>", ETag='"1"', Last_Modified="Thu, 24 Apr 2025 09:00:00 GMT")

    found = fetch(server.url(), internet=server.internet())

    assert found == Fetched("schedule.xml", b"<schedule/>", '"1"', "Thu, 24 Apr 2025 09:00:00 GMT")
    [(path, headers)] = server.asked
    assert (path, headers["Host"], headers["Accept-Encoding"]) == ("/schedule.xml", f"{HOST}:{server.port}", "gzip")
    assert "If-None-Match" not in headers


def test_same_file_is_not_sent_again(server: HttpsServer) -> None:
    server.serve("<schedule/>", ETag='"1"')

    found = fetch(server.url(), etag='"1"', last_modified="Thu, 24 Apr 2025 09:00:00 GMT", internet=server.internet())

    assert found is None
    assert server.asked[0][1]["If-Modified-Since"] == "Thu, 24 Apr 2025 09:00:00 GMT"


def test_answer_of_a_request_that_was_not_conditional_is_not_taken_for_the_same(server: HttpsServer) -> None:
    server.answers["/schedule.xml"] = lambda request: send(request, 304)

    assert problem(server.url(), internet=server.internet()).startswith(f"{HOST} answers 304")


@pytest.mark.parametrize("inside", ["10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1%eth0", "100.64.0.9"])
def test_name_that_leads_inside_is_never_connected_to(server: HttpsServer, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *arguments, **_: connected.append(arguments))

    # One address inside is enough, also beside one that may be reached.
    internet = server.internet({"inside.example.org": [LOOPBACK, inside]})
    found = problem(server.url(host="inside.example.org"), internet=internet)

    assert found == "inside.example.org is not on the public internet: name an address that everybody can open."
    assert (connected, server.asked) == ([], [])


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]"]
)
def test_this_machine_is_not_reached_by_any_spelling(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the resolver and the check of the real site."""
    connected: list[Any] = []
    monkeypatch.setattr(socket, "create_connection", lambda *arguments, **_: connected.append(arguments))

    found = problem(f"https://{host}/")

    assert found.endswith((": name an address that everybody can open.", ": correct the address."))
    assert connected == []


def test_only_tests_have_another_internet() -> None:
    assert (PUBLIC_INTERNET.also_allowed, PUBLIC_INTERNET.ports) == (frozenset(), frozenset({443}))
    context = PUBLIC_INTERNET.make_context()
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_name_is_resolved_once_and_the_checked_address_is_connected_to(
    server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name server that answers first with a public address and then with one inside gains nothing."""
    asked: list[str] = []
    connected: list[str] = []
    connect = socket.create_connection

    def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return [LOOPBACK] if len(asked) == 1 else ["10.0.0.1"]

    def watched(address: tuple[str, int], **values: Any) -> socket.socket:
        connected.append(address[0])
        return connect(address, **values)

    monkeypatch.setattr(socket, "create_connection", watched)
    server.serve("<schedule/>")
    internet = server.internet()
    object.__setattr__(internet, "resolve", resolve)

    fetch(server.url(), internet=internet)

    assert (asked, connected) == ([HOST], [LOOPBACK])


def test_no_proxy_of_the_environment_is_used(server: HttpsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.serve("<schedule/>")

    assert fetch(server.url(), internet=server.internet()) is not None


def test_certificate_of_another_name_is_refused(server: HttpsServer) -> None:
    server.serve("<schedule/>")
    internet = server.internet({"third.example.org": [LOOPBACK]})

    found = problem(server.url(host="third.example.org"), internet=internet)

    assert found.startswith("The certificate of third.example.org is not valid (")
    assert server.asked == []


def test_certificate_that_nobody_knows_is_refused(server: HttpsServer) -> None:
    found = problem(server.url(), internet=server.internet(make_context=ssl.create_default_context))

    assert found.startswith(f"The certificate of {HOST} is not valid (")


def test_unknown_host_is_named(server: HttpsServer) -> None:
    found = problem("https://nobody.example.org/", internet=server.internet())

    assert found == "There is no host nobody.example.org, or its name server does not answer: correct the address."


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirect_is_followed(server: HttpsServer, status: int) -> None:
    server.answers["/old"] = lambda request: send(request, status, Location="/schedule.xml")
    server.serve("<schedule/>")

    found = fetch(server.url("/old"), internet=server.internet())

    assert found is not None
    assert (found.name, found.content) == ("schedule.xml", b"<schedule/>")


def test_redirects_end_after_three(server: HttpsServer) -> None:
    server.answers["/old"] = lambda request: send(request, 302, Location="/old")

    assert problem(server.url("/old"), internet=server.internet()).startswith(f"{HOST} leads on more than 3 times")
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("location", "words"),
    [
        pytest.param("http://schedule.example.org/", "leads on to an address that is not fetched", id="to http"),
        pytest.param("https://inside.example.org:{port}/", "is not on the public internet", id="inside"),
        pytest.param("//inside.example.org:{port}/", "is not on the public internet", id="inside, without a scheme"),
        pytest.param("https://10.0.0.1/", "is not on the public internet", id="to a number"),
        pytest.param("https://schedule.example.org:22/", "leads on to an address that is not fetched", id="to another port"),
        pytest.param("file:///etc/passwd", "leads on to an address that is not fetched", id="to a file"),
        pytest.param("https://a:b@schedule.example.org/", "leads on to an address that is not fetched", id="with a password"),
        pytest.param("https://third.example.org:{port}/", "The certificate of third", id="to a certificate of another name"),
    ],
)
def test_each_redirect_is_checked_anew(server: HttpsServer, location: str, words: str) -> None:
    to = location.format(port=server.port)
    server.answers["/old"] = lambda request: send(request, 302, Location=to)
    names = {"inside.example.org": ["192.168.0.1"], "10.0.0.1": ["10.0.0.1"], "third.example.org": [LOOPBACK]}

    assert words in problem(server.url("/old"), internet=server.internet(names))
    assert [path for path, _ in server.asked] == ["/old"]


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "asks for a password"), (404, "nothing is there"), (500, "asked again later"), (204, "correct the address")],
)
def test_status_is_told_with_its_remedy(server: HttpsServer, status: int, words: str) -> None:
    server.serve("", status=status)

    found = problem(server.url(), internet=server.internet())

    assert found.startswith(f"{HOST} answers {status}: ")
    assert words in found


@pytest.mark.parametrize(("text", "seconds"), [("120", 120), ("9999999", 86_400), ("soon", 0), ("-5", 0), ("", 0)])
def test_host_that_asks_for_time_is_given_it(server: HttpsServer, text: str, seconds: int) -> None:
    server.serve("", status=503, Retry_After=text)

    with pytest.raises(FetchError) as refused:
        fetch(server.url(), internet=server.internet())

    assert refused.value.retry_after == seconds


def test_packed_file_is_unpacked(server: HttpsServer) -> None:
    text = b"<schedule/>" * 50_000
    server.serve(gzip.compress(text[:100]) + gzip.compress(text[100:]), Content_Encoding="gzip")

    found = fetch(server.url(), internet=server.internet())

    assert found is not None
    assert found.content == text


def test_bomb_is_not_unpacked_to_its_end(server: HttpsServer) -> None:
    server.serve(gzip.compress(b"\0" * 2**26), Content_Encoding="gzip")

    assert "is larger than 1 MB" in problem(server.url(), internet=server.internet(max_bytes=2**20))


def test_packing_that_was_not_asked_for_is_refused(server: HttpsServer) -> None:
    server.serve(b"...", Content_Encoding="br")

    assert "packs the file in a way that was not asked for (“br”)" in problem(server.url(), internet=server.internet())


@pytest.mark.parametrize("length", [str(2**40), None], ids=["announced", "without end"])
def test_large_file_is_given_up(server: HttpsServer, length: str | None) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        if length:
            request.send_header("Content-Length", length)
        request.end_headers()
        while True:
            request.wfile.write(b"x" * 2**16)

    server.answers["/schedule.xml"] = answer

    assert "is larger than 1 MB" in problem(server.url(), internet=server.internet(max_bytes=2**20))


def cut_at_length(request: BaseHTTPRequestHandler) -> None:
    send(request, 200, b"<schedule>", **{"Content-Length": "500"})


def cut_in_a_chunk(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wfile.write(b"20\r\n<schedule>")


def cut_in_the_packing(request: BaseHTTPRequestHandler) -> None:
    send(request, 200, gzip.compress(b"<schedule/>" * 1000)[:-20], **{"Content-Encoding": "gzip"})


def cut_without_a_mark(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    request.wfile.write(b"<schedule>")
    request.wfile.flush()
    # Without the end that TLS has, and leaving the socket as its server expects it.
    socket.socket.shutdown(request.connection, socket.SHUT_RDWR)


@pytest.mark.parametrize(
    "answer", [cut_at_length, cut_in_a_chunk, cut_in_the_packing, cut_without_a_mark], ids=lambda it: it.__name__
)
def test_file_that_is_cut_off_is_not_taken(server: HttpsServer, answer: Any) -> None:
    server.answers["/schedule.xml"] = answer

    assert problem(server.url(), internet=server.internet()) == f"The file of {HOST} was cut off: it is asked again later."


def slow_body(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Length", "1000")
    request.end_headers()
    for _ in range(100):
        request.wfile.write(b"x")
        time.sleep(0.1)


def slow_headers(request: BaseHTTPRequestHandler) -> None:
    for _ in range(100):
        request.wfile.write(b"H")
        time.sleep(0.1)


def silent(request: BaseHTTPRequestHandler) -> None:
    time.sleep(2)


def endless_promises(request: BaseHTTPRequestHandler) -> None:
    while True:
        request.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        time.sleep(0.05)


@pytest.mark.parametrize("answer", [slow_body, slow_headers, silent, endless_promises], ids=lambda it: it.__name__)
def test_time_is_that_of_the_whole_and_not_of_each_piece(server: HttpsServer, answer: Any) -> None:
    server.answers["/schedule.xml"] = answer
    began = time.monotonic()

    found = problem(server.url(), internet=server.internet(seconds=1.0))

    assert found == f"{HOST} did not send the file in time: it is asked again later."
    assert time.monotonic() - began < 8


def test_resolver_that_does_not_answer_is_not_waited_for(server: HttpsServer) -> None:
    internet = server.internet(seconds=0.3)
    object.__setattr__(internet, "resolve", lambda host, port: time.sleep(3) or [LOOPBACK])
    began = time.monotonic()

    assert "in time" in problem(server.url(), internet=internet)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "answer", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200\r\nA: " + b"x" * 70_000 + b"\r\n\r\n", b""], ids=["ssh", "long", "none"]
)
def test_what_is_no_web_server_is_told(server: HttpsServer, answer: bytes) -> None:
    server.answers["/schedule.xml"] = lambda request: request.wfile.write(answer)

    assert problem(server.url(), internet=server.internet()).endswith(": it is asked again later.")


def test_plain_http_behind_the_port_is_told(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as listener:
        server = HttpsServer(listener.getsockname()[1], tmp_path)
        internet = server.internet(make_context=ssl.create_default_context, seconds=1.0)

        assert problem(server.url(), internet=internet) == f"{HOST} did not send the file in time: it is asked again later."


def test_second_address_is_tried_where_the_first_does_not_answer(server: HttpsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.serve("<schedule/>")
    internet = server.internet({HOST: ["127.0.0.2", LOOPBACK]}, also_allowed=frozenset({LOOPBACK, "127.0.0.2"}))

    assert fetch(server.url(), internet=internet) is not None
