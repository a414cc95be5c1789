"""A file from an address that somebody named: https, public machines only, within a time and a size.

The name is resolved once, every address of it is checked, and the connection goes to a checked address, so that no second answer
of its name server leads elsewhere. Each redirect begins anew. http.client asks no proxy of the environment.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import queue
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, cast
from urllib.parse import urljoin

from django.conf import settings
from django.utils import timezone

from events.core.parsing.errors import MAX_UPLOAD_BYTES
from events.core.web_addresses import HTTPS_PORT, AddressRefusedError, WebAddress, is_public, parse_web_address

MAX_REDIRECTS = 3
FETCH_SECONDS = 30.0
CONNECT_SECONDS = 8.0
"""For each of the addresses of a name."""
MAX_TRIED_ADDRESSES = 4
PIECE_BYTES = 64 * 1024
MAX_VALIDATOR_CHARS = 300
MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60
REDIRECTS = frozenset({301, 302, 303, 307, 308})
STATUS_REMEDIES = {
    401: "it asks for a password: use an address that opens without one",
    403: "it asks for permission: use an address that anybody can open",
    404: "nothing is there: correct the address, or ask whoever publishes the programme",
    410: "nothing is there any more: ask whoever publishes the programme for its new address",
    429: "it is asked too often: it is asked again later",
}


class FetchError(Exception):
    """Nothing was fetched; the message names the host, what happened and the remedy."""

    def __init__(self, problem: str, *, retry_after: int = 0) -> None:
        self.retry_after = retry_after
        super().__init__(problem)


@dataclass(frozen=True)
class Fetched:
    """``etag`` and ``last_modified`` are sent with the next request, which then needs no content if nothing changed."""

    name: str
    content: bytes
    etag: str
    last_modified: str


def resolve(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


@dataclass(frozen=True)
class Internet:
    """What can be reached, and how. Another than PUBLIC_INTERNET is for tests, which have a server on their own machine."""

    resolve: Callable[[str, int], list[str]] = resolve
    also_allowed: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset({HTTPS_PORT})
    make_context: Callable[[], ssl.SSLContext] = ssl.create_default_context
    seconds: float = FETCH_SECONDS
    max_bytes: int = MAX_UPLOAD_BYTES

    def allows(self, address: str) -> bool:
        return is_public(address) or address in self.also_allowed


PUBLIC_INTERNET = Internet()


def fetch(url: str, *, etag: str = "", last_modified: str = "", internet: Internet = PUBLIC_INTERNET) -> Fetched | None:
    """Return the file, or None if it is that of ``etag`` or ``last_modified`` still. Raise FetchError."""
    headers = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    headers = {name: value for name, value in headers.items() if value}
    deadline = _Deadline(internet.seconds)
    for tried in range(MAX_REDIRECTS + 1):
        try:
            address = parse_web_address(url, ports=internet.ports)
        except AddressRefusedError as error:
            # What an address leads to may have a key in it, and problems are mailed.
            text = f"{address.host} leads on to an address that is not fetched: use the https address at which the file is."
            raise FetchError(text if tried else str(error)) from error
        with _told(address), _asked(address, headers, internet, deadline) as response:
            if response.status not in REDIRECTS:
                return _answer(response, address, internet.max_bytes, is_conditional=bool(headers))
            url = urljoin(url, response.headers.get("Location", ""))
    raise FetchError(f"{address.host} leads on more than {MAX_REDIRECTS} times: use the address at which the file is.")


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds that are left; raise TimeoutError if there are none."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


@contextlib.contextmanager
def _told(address: WebAddress) -> Iterator[None]:
    """Say in a sentence what went wrong on the way."""
    host = address.host
    try:
        yield
    except TimeoutError as error:
        raise FetchError(f"{host} did not send the file in time: it is asked again later.") from error
    except socket.gaierror as error:
        raise FetchError(f"There is no host {host}, or its name server does not answer: correct the address.") from error
    except ssl.SSLCertVerificationError as error:
        remedy = "whoever runs it must correct it"
        raise FetchError(f"The certificate of {host} is not valid ({_one_line(error.verify_message)}): {remedy}.") from error
    except http.client.IncompleteRead as error:
        raise _cut_off_error(host) from error
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        # Python 3.11.2, that of Debian 12, has no SSLEOFError for it.
        if isinstance(error, ssl.SSLEOFError) or getattr(error, "reason", "") == "UNEXPECTED_EOF_WHILE_READING":
            raise _cut_off_error(host) from error
        raise FetchError(f"{host} does not answer as a web server ({type(error).__name__}): it is asked again later.") from error


def _cut_off_error(host: str) -> FetchError:
    return FetchError(f"The file of {host} was cut off: it is asked again later.")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:100]


@contextlib.contextmanager
def _asked(
    address: WebAddress, headers: dict[str, str], internet: Internet, deadline: _Deadline
) -> Iterator[http.client.HTTPResponse]:
    context = internet.make_context()
    # Python 3.11.2, that of Debian 12, would take any end for the end of the file. OpenSSL before 3 has no such option.
    context.options &= ~getattr(ssl, "OP_IGNORE_UNEXPECTED_EOF", 0)
    with _connected(address, internet, deadline) as plain:
        plain.settimeout(deadline.left())
        # An end without its mark is not taken for the end of the file.
        secure = context.wrap_socket(plain, server_hostname=address.host, suppress_ragged_eofs=False)
        connection = http.client.HTTPSConnection(address.host, address.port, context=context)
        connection.auto_open = 0
        connection.sock = cast(Any, _TimedSocket(secure, deadline))
        try:
            about = {"User-Agent": f"Hallway (+{settings.SITE_URL})", "Accept-Encoding": "gzip", "Connection": "close"}
            connection.request("GET", address.target, headers={**about, **headers})
            yield connection.getresponse()
        finally:
            connection.close()
            secure.close()


def _connected(address: WebAddress, internet: Internet, deadline: _Deadline) -> socket.socket:
    problem: OSError = ConnectionError()
    for ip in _checked_addresses(address, internet, deadline)[:MAX_TRIED_ADDRESSES]:
        try:
            return socket.create_connection((ip, address.port), timeout=min(deadline.left(), CONNECT_SECONDS))
        except OSError as error:
            problem = error
    raise problem


def _checked_addresses(address: WebAddress, internet: Internet, deadline: _Deadline) -> list[str]:
    """All addresses of the name, or none: a name with one inside is not one of the public internet."""
    found = _resolved(address, internet, deadline)
    if not found or not all(internet.allows(each) for each in found):
        raise FetchError(f"{address.host} is not on the public internet: name an address that everybody can open.")
    return found


def _resolved(address: WebAddress, internet: Internet, deadline: _Deadline) -> list[str]:
    """In a thread, because the system's resolver takes the time that it likes."""
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(internet.resolve(address.host, address.port))
        except (OSError, UnicodeError) as error:
            answers.put(error)

    threading.Thread(target=ask, name="resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=deadline.left())
    except queue.Empty as error:
        raise TimeoutError from error
    if isinstance(answer, Exception):
        raise answer
    return answer


@dataclass
class _TimedSocket:
    """What http.client uses of a socket. Each step has the time that is left of the whole, not a time of its own."""

    secure: ssl.SSLSocket
    deadline: _Deadline

    def sendall(self, data: bytes) -> None:
        self.secure.settimeout(self.deadline.left())
        self.secure.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self))

    def close(self) -> None:
        """Closed by whoever opened it, after the response was read."""


class _TimedReader(io.RawIOBase):
    def __init__(self, timed: _TimedSocket) -> None:
        super().__init__()
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._timed.secure.settimeout(self._timed.deadline.left())
        return self._timed.secure.recv_into(buffer)


def _answer(response: http.client.HTTPResponse, address: WebAddress, max_bytes: int, *, is_conditional: bool) -> Fetched | None:
    if response.status == 304 and is_conditional:
        return None
    if response.status != 200:
        raise _status_error(response, address.host)
    content = _BoundedBody(response, address.host, max_bytes).read()
    validators = {name: response.headers.get(name, "") for name in ("ETag", "Last-Modified")}
    # A longer one would be cut, and then be that of no file.
    etag, last_modified = (value if len(value) <= MAX_VALIDATOR_CHARS else "" for value in validators.values())
    return Fetched(address.file_name, content, etag, last_modified)


def _status_error(response: http.client.HTTPResponse, host: str) -> FetchError:
    again = "it is asked again later" if response.status >= 500 else "correct the address, or ask whoever publishes the programme"
    remedy = STATUS_REMEDIES.get(response.status, again)
    return FetchError(f"{host} answers {response.status}: {remedy}.", retry_after=_retry_after(response))


def _retry_after(response: http.client.HTTPResponse) -> int:
    """Seconds that the host asks for, by their number or by a date; 0 if none or neither."""
    text = response.headers.get("Retry-After", "").strip()
    if not text.isdecimal():
        try:
            text = str(int((parsedate_to_datetime(text) - timezone.now()).total_seconds()))
        except (ValueError, TypeError):
            return 0
    return min(max(int(text[:9]), 0), MAX_RETRY_AFTER_SECONDS)


@dataclass
class _BoundedBody:
    """The content of a response, unpacked; both as it comes and unpacked it has at most ``max_bytes``."""

    response: http.client.HTTPResponse
    host: str
    max_bytes: int
    content: bytearray = field(default_factory=bytearray)

    def read(self) -> bytes:
        encoding = self.response.headers.get("Content-Encoding", "identity").strip().lower()
        if encoding not in {"identity", "", "gzip", "x-gzip"}:
            raise FetchError(f"{self.host} packs the file in a way that was not asked for (“{_one_line(encoding)[:20]}”).")
        pieces = self._pieces()
        for piece in self._unpacked(pieces) if "gzip" in encoding else pieces:
            self._check_size(len(self.content) + len(piece))
            self.content += piece
        return bytes(self.content)

    def _check_size(self, size: int) -> None:
        if size > self.max_bytes:
            raise FetchError(f"The file of {self.host} is larger than {self.max_bytes // 2**20} MB: name that of one programme.")

    def _pieces(self) -> Iterator[bytes]:
        expected, received = self.response.length, 0
        self._check_size(expected or 0)
        # Counted here: Python 3.11 does not count what read1 returns.
        while expected is None or received < expected:
            piece = self.response.read1(PIECE_BYTES if expected is None else min(PIECE_BYTES, expected - received))
            if not piece:
                break
            received += len(piece)
            self._check_size(received)
            yield piece
        if expected is not None and received < expected:
            raise _cut_off_error(self.host)

    def _unpacked(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        inflater = zlib.decompressobj(wbits=31)
        for piece in pieces:
            rest = piece
            if inflater.eof:
                inflater = zlib.decompressobj(wbits=31)
            while True:
                unpacked = inflater.decompress(rest, PIECE_BYTES)
                yield unpacked
                rest = inflater.unconsumed_tail
                if inflater.eof and inflater.unused_data:
                    rest, inflater = inflater.unused_data, zlib.decompressobj(wbits=31)
                elif not rest and len(unpacked) < PIECE_BYTES:
                    break
        if not inflater.eof:
            raise _cut_off_error(self.host)
