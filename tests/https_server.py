"""An https server on this machine with a certificate of its own, and an internet that has this machine in it."""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from events.core.fetching import Internet

HOST = "schedule.example.org"
LOOPBACK = "127.0.0.1"
Answer = Callable[[BaseHTTPRequestHandler], None]


def make_certificate(folder: Path, *names: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hallway tests")])
    now = dt.datetime.now(dt.UTC)
    hosts: list[x509.GeneralName] = [x509.DNSName(each) for each in names]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=10_000))
        .not_valid_after(now + dt.timedelta(days=10_000))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([*hosts, x509.IPAddress(ipaddress.ip_address("192.0.2.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@dataclass
class HttpsServer:
    """Answers each path with what ``answers`` has for it; ``asked`` has the requests as path and headers."""

    port: int
    certificate: Path
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def internet(self, names: dict[str, list[str]] | None = None, **values: Any) -> Internet:
        """An internet in which HOST is this machine; everything else is checked as ever."""
        known = {HOST: [LOOPBACK]} | (names or {})

        def resolve(host: str, port: int) -> list[str]:
            if host not in known:
                raise socket.gaierror(socket.EAI_NONAME, "no such host")
            return known[host]

        rest: dict[str, Any] = {
            "also_allowed": frozenset({LOOPBACK}),
            "ports": frozenset({443, self.port}),
            "make_context": lambda: ssl.create_default_context(cafile=str(self.certificate)),
            "seconds": 5.0,
        }
        return Internet(resolve=resolve, **{**rest, **values})

    def url(self, path: str = "/schedule.xml", host: str = HOST) -> str:
        return f"https://{host}:{self.port}{path}"

    def serve(self, content: bytes | str, path: str = "/schedule.xml", status: int = 200, **headers: str) -> None:
        """Answer with a file; header names have underscores for hyphens. An ETag is compared with If-None-Match."""
        body = content.encode() if isinstance(content, str) else content

        def answer(request: BaseHTTPRequestHandler) -> None:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            is_same = bool(named.get("ETag")) and request.headers.get("If-None-Match") == named["ETag"]
            send(request, 304 if is_same else status, b"" if is_same else body, **named)

        self.answers[path] = answer


def send(request: BaseHTTPRequestHandler, status: int, body: bytes = b"", **headers: str) -> None:
    request.send_response(status)
    if "Content-Length" not in headers and status != 304:
        request.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)


@contextlib.contextmanager
def https_server(folder: Path, *names: str) -> Iterator[HttpsServer]:
    certificate = make_certificate(folder, *(names or (HOST, "other.example.org")))
    served = HttpsServer(0, certificate)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append((self.path, dict(self.headers.items())))
            # Whoever asks may leave before the answer ends.
            with contextlib.suppress(OSError):
                served.answers.get(self.path, lambda request: send(request, 404))(self)

        def log_message(self, *arguments: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        # Its end waits for theirs.
        daemon_threads = False

        def handle_error(self, *arguments: Any) -> None:
            """A refused certificate is an answer, too."""

        def shutdown_request(self, request: Any) -> None:
            # With the mark that this is the end, as servers do.
            with contextlib.suppress(OSError):
                request.unwrap()
            super().shutdown_request(request)

    server = Server((LOOPBACK, 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    served.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
