"""Files in forms that have no field for them."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile, TemporaryUploadedFile
from django.test import Client

from events.models import Agenda
from events.web.uploads import MAX_BODY_BYTES
from tests.agenda.bookmarking import make_talk, url_of

pytestmark = pytest.mark.django_db

WORDS = "This form takes no files, so nothing was read or saved."
# More than what Django keeps in memory.
BIG = b"x" * (3 * 2**20)


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of every file that is written to the temporary folder."""
    names: list[str] = []
    usual = TemporaryUploadedFile.__init__

    def noted(self: Any, name: str, *args: Any, **kwargs: Any) -> None:
        names.append(name)
        usual(self, name, *args, **kwargs)

    monkeypatch.setattr(TemporaryUploadedFile, "__init__", noted)
    return names


@pytest.mark.parametrize("size", [1, len(BIG)], ids=["small", "big"])
@pytest.mark.parametrize(
    "path", ["bookmark", "/demo/time-zone/", "/account/sign-in/", "/organise/login/", "/organise/", "/nowhere/"]
)
def test_file_of_a_stranger_is_refused_and_not_stored(path: str, size: int, stored: list[str]) -> None:
    talk = make_talk()
    url = url_of(talk) if path == "bookmark" else path

    response = Client().post(url, {"on": "1", "file": SimpleUploadedFile("a.bin", BIG[:size])})

    assert (response.status_code, WORDS in response.text) == (422, True)
    assert (stored, Agenda.objects.count()) == ([], 0)


class Body:
    """The form that ``begin`` opens, whose rest is ``x``, up to a length."""

    def __init__(self, begin: bytes, length: int) -> None:
        self.begin, self.length, self.read_bytes, self.largest = begin, length, 0, 0

    def readline(self, size: int = -1) -> bytes:
        return self.read(min(size, 1000) if size > 0 else 1000)

    def read(self, size: int = -1) -> bytes:
        self.largest = max(self.largest, size)
        size = min(size if size >= 0 else self.length, self.length - self.read_bytes)
        begin = self.begin if not self.read_bytes else b""
        self.read_bytes += size
        return (begin + b"x" * size)[:size]

    def post(self, content_type: str, **environ: Any) -> Any:
        environ |= {"wsgi.input": self, "CONTENT_LENGTH": str(self.length), "CONTENT_TYPE": content_type}
        return Client(enforce_csrf_checks=True, raise_request_exception=False).generic("POST", "/account/sign-in/", **environ)


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=b"
FILE = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'


@pytest.mark.parametrize(
    ("begin", "content_type", "environ", "code"),
    [
        pytest.param(FILE, MULTIPART, {}, 422, id="unwanted-file"),
        pytest.param(b"mailbox=", FORM, {"HTTP_ORIGIN": "https://elsewhere.example"}, 403, id="other-site"),
        pytest.param(b"mailbox=", FORM, {"HTTP_HOST": "elsewhere.example"}, 400, id="other-host"),
        pytest.param(b"", "multipart/form-data", {}, 400, id="no-boundary"),
    ],
)
def test_refused_body_is_read_to_the_end_in_parts(
    begin: bytes, content_type: str, environ: dict[str, str], code: int, stored: list[str]
) -> None:
    body = Body(begin, 5_000_000)

    response = body.post(content_type, **environ)

    assert (response.status_code, body.read_bytes, stored) == (code, 5_000_000, [])
    assert body.largest <= 2**16


@pytest.mark.parametrize(("begin", "content_type", "code"), [(FILE, MULTIPART, 422), (b"mailbox=", FORM, 403)])
def test_end_of_an_endless_body_is_not_waited_for(begin: bytes, content_type: str, code: int, stored: list[str]) -> None:
    body = Body(begin, 10**10)

    response = body.post(content_type)

    assert (response.status_code, stored) == (code, [])
    assert MAX_BODY_BYTES <= body.read_bytes <= MAX_BODY_BYTES + 2**20


def test_sender_who_has_left_is_no_fault() -> None:
    class Left(Body):
        def read(self, size: int = -1) -> bytes:
            raise OSError("connection reset")

    response = Left(b"", 5_000_000).post(FORM, HTTP_HOST="elsewhere.example")

    assert response.status_code == 400


def test_form_without_a_file_may_be_multipart() -> None:
    talk = make_talk()

    response = Client().post(url_of(talk), {"on": "1"})

    assert (response.status_code, Agenda.objects.count()) == (302, 1)


@pytest.mark.parametrize(("path", "code"), [("/organise/events/conference/programme/", 422), ("/demo/time-zone/", 422)])
def test_staff_sends_files_to_the_admin_only(path: str, code: int, stored: list[str]) -> None:
    make_talk()
    client = Client()
    client.force_login(User.objects.create_superuser("organiser"))

    response = client.post(path, {"file": SimpleUploadedFile("a.bin", BIG)})

    assert (response.status_code, stored) == (code, ["a.bin"] if path.startswith("/organise/") else [])


def test_user_who_is_no_staff_sends_no_file_to_the_admin(stored: list[str]) -> None:
    client = Client()
    client.force_login(User.objects.create_user("somebody"))

    response = client.post("/organise/events/conference/programme/", {"file": SimpleUploadedFile("a.bin", BIG)})

    assert (response.status_code, stored) == (422, [])
