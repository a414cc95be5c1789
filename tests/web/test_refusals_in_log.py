"""A refused request is one line in the log: anybody can send a thousand of them."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings as project_settings
from django.test import Client

from tests.agenda.bookmarking import make_talk, url_of

pytestmark = pytest.mark.django_db


@contextmanager
def console() -> Iterator[io.StringIO]:
    """What the project's own handler writes meanwhile."""
    [handler] = [it for it in logging.getLogger("django").handlers if isinstance(it, logging.StreamHandler)]
    assert handler.name in project_settings.LOGGING["handlers"]
    before = handler.setStream(written := io.StringIO())
    try:
        yield written
    finally:
        handler.setStream(before)


@pytest.mark.parametrize(
    ("request_of", "line"),
    [
        pytest.param(
            {"path": "/", "headers": {"Host": "elsewhere.example"}},
            "Invalid HTTP_HOST header: 'elsewhere.example'. You may need to add 'elsewhere.example' to ALLOWED_HOSTS.",
            id="wrong-host",
        ),
        pytest.param(
            {"path": "/account/sign-in/", "data": {f"p{number}": "1" for number in range(6000)}},
            "The number of GET/POST parameters exceeded settings.DATA_UPLOAD_MAX_NUMBER_FIELDS.",
            id="too-many-parameters",
        ),
    ],
)
def test_refusal_is_one_line(request_of: dict[str, Any], line: str) -> None:
    with console() as written:
        response = Client(raise_request_exception=False).post(**request_of)

    assert (response.status_code, written.getvalue()) == (400, f"{line}\n")


FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=b"
UNREADABLE = "Bad request (Unable to parse request body): {path}"
TOO_MANY = "The number of GET/POST parameters exceeded settings.DATA_UPLOAD_MAX_NUMBER_FIELDS."
PART = b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n1\r\n'


@pytest.mark.parametrize(
    ("content_type", "body", "status", "line"),
    [
        pytest.param("multipart/form-data", b"x", 400, UNREADABLE, id="no-boundary"),
        pytest.param("multipart/form-data; boundary=\xff", b"x", 400, UNREADABLE, id="bad-boundary"),
        pytest.param(MULTIPART, PART % (b"a" * 20_000), 400, UNREADABLE, id="long-header-of-a-part"),
        pytest.param(MULTIPART, PART % b"on" * 5001 + b"--b--\r\n", 400, TOO_MANY, id="5001-parts"),
        pytest.param(FORM, b"on=1&" * 5001, 400, TOO_MANY, id="5001-fields"),
        pytest.param(FORM, b"on=1&" * 30_000, 400, TOO_MANY, id="30000-fields"),
        pytest.param(
            FORM, b"on=" + b"1" * 5_000_000, 400, "Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE.", id="5-megabytes"
        ),
        pytest.param(FORM, b"on=%ED%A0%80", 422, "Unprocessable Entity: {path}", id="lone-surrogate"),
        pytest.param(FORM, b"on=%00", 422, "Unprocessable Entity: {path}", id="nul"),
        pytest.param(MULTIPART, b"--b", 422, "Unprocessable Entity: {path}", id="no-parts"),
    ],
)
def test_form_that_cannot_be_read_is_one_line(content_type: str, body: bytes, status: int, line: str) -> None:
    path = url_of(make_talk())

    with console() as written:
        response = Client(raise_request_exception=False, enforce_csrf_checks=True).generic(
            "POST", path, body, content_type=content_type, headers={"Origin": "http://testserver"}
        )

    assert (response.status_code, written.getvalue()) == (status, line.format(path=path) + "\n")


def test_fault_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.web.middleware.resolve", lambda path: 1 / 0)

    with console() as written:
        response = Client(raise_request_exception=False).get("/feeds/x.ics")

    assert response.status_code == 500
    assert written.getvalue().startswith("Internal Server Error: /feeds/[hidden].ics\nTraceback")


def test_one_time_address_of_a_digest_is_hidden() -> None:
    with console() as written:
        Client().put("/account/digests/off/12:a1B2c3:signature/")

    assert written.getvalue() == "Method Not Allowed (PUT): /account/digests/off/[hidden]/\n"
