"""Content types that name a codec, which Django would use, or are malformed."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler

from conference.content_type import plain_content_type, with_plain_content_type

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("application/x-www-form-urlencoded; charset=UTF-8", "application/x-www-form-urlencoded"),
        ("text/html;charset=punycode", "text/html"),
        ("multipart/form-data; boundary=----Web1", 'multipart/form-data; boundary="----Web1"'),
        ('multipart/form-data; charset=rot13; boundary="a b"', 'multipart/form-data; boundary="a b"'),
        ("multipart/form-data; boundary=\"a\";charset*=punycode''x", 'multipart/form-data; boundary="a"'),
        ("multipart/form-data; boundary=ä", "multipart/form-data"),
        (f"multipart/form-data; boundary={'b' * 71}", "multipart/form-data"),
        ("Multipart/Form-Data; BOUNDARY=x", 'Multipart/Form-Data; boundary="x"'),
        ("a/b; x*=no-codec''%41", "a/b"),
        ("a" * 100_000, ""),
        ("; charset=hex", ""),
        ("nonsense", ""),
    ],
)
def test_content_type_keeps_its_kind_and_boundary(sent: str, read: str) -> None:
    assert plain_content_type(sent) == read


def answer(method: str, content_type: str, body: bytes = b"", **environ: Any) -> str:
    """The status of an answer of the whole site, as the server asks it."""
    statuses: list[str] = []
    request = {
        "REQUEST_METHOD": method,
        "PATH_INFO": "/healthz",
        "QUERY_STRING": "x=1",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
    }
    with_plain_content_type(WSGIHandler())(request | environ, lambda status, headers: statuses.append(status))
    return statuses[0]


@pytest.mark.parametrize("codec", ["rot13", "hex", "base64", "zip", "undefined", "idna", "punycode", "no-codec"])
@pytest.mark.parametrize("parameter", ["charset={}", "charset*={}''x", "x*={}''%41"])
def test_codec_in_a_content_type_is_no_error(codec: str, parameter: str) -> None:
    assert answer("GET", f"a/b; {parameter.format(codec)}") == "200 OK"


# The handler closes the connection, with which a test's own transaction would end.
@pytest.mark.django_db(transaction=True)
def test_field_of_a_form_is_read_as_utf_8_whatever_the_form_says() -> None:
    body = b'--B\r\nContent-Disposition: form-data; name="zone"\r\n\r\nAsia/Singapore-9\r\n--B--\r\n'

    status = answer("POST", "multipart/form-data; boundary=B; charset=undefined", body, PATH_INFO="/account/sign-in/")

    assert status == "403 Forbidden"


@pytest.mark.parametrize("name", ["name*=no-codec''x", "name*=rot13''x", "name=x; filename*=no-codec''x", "name*=undefined''%41"])
@pytest.mark.django_db(transaction=True)
def test_codec_in_the_name_of_a_field_is_refused(name: str) -> None:
    body = f"--B\r\nContent-Disposition: form-data; {name}\r\n\r\nx\r\n--B--\r\n".encode()

    assert answer("POST", "multipart/form-data; boundary=B", body, PATH_INFO="/account/") in {"400 Bad Request", "403 Forbidden"}
