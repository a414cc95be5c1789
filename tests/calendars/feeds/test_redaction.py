from __future__ import annotations

import json
import logging
import re
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.agenda.models.visitors import TOKEN_PREFIX
from events.core.tokens import new_token
from events.web.redaction import SECRET_PATH_PATTERN, DiscreetFormatter, HideFeedTokens, JSONFormatter, hide_secrets
from tests.processes import PROJECT

PROXIES = ["Caddyfile", "nginx.conf"]
S3CRET = "zC6vDjg1tSAM0cwAxFYoAFrHJ-Oek32P"


@pytest.mark.parametrize(
    ("message", "args", "hidden"),
    [
        pytest.param(
            "Method Not Allowed (%s): %s",
            ("POST", "/feeds/s3cret.ics"),
            "Method Not Allowed (POST): /feeds/[hidden].ics",
            id="django",
        ),
        pytest.param(
            '"GET /feeds/s3cret.ics?x=1 HTTP/1.1" %s', (200,), '"GET /feeds/[hidden].ics?x=1 HTTP/1.1" 200', id="with-query"
        ),
        pytest.param(
            "%(method)s %(path)s", ({"method": "GET", "path": "/feeds/s3cret.ics"},), "GET /feeds/[hidden].ics", id="named"
        ),
        pytest.param("GET %s", ("/iclr-2025/agenda.ics",), "GET /iclr-2025/agenda.ics", id="no-secret"),
    ],
)
def test_filter_hides_the_token_of_a_feed(message: str, args: Any, hidden: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 1, message, args, None)

    kept = HideFeedTokens().filter(record)

    assert (kept, record.getMessage()) == (True, hidden)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        pytest.param("/feeds//s3cret.ics", "/feeds/[hidden].ics", id="slash-too-many"),
        pytest.param("/feeds/x/s3cret.ics", "/feeds/[hidden].ics", id="folder-too-many"),
        pytest.param("/FEEDS/s3cret.ics", "/FEEDS/[hidden].ics", id="shouted"),
        pytest.param(f"/feed/{S3CRET}.ics", "/feed/[hidden].ics", id="misspelt"),
        pytest.param(f"?u=x%2Ffeeds%2F{S3CRET}.ics&name=y", "?u=x%2Ffeeds%2F[hidden].ics&name=y", id="packed"),
        pytest.param(f"cid=webcal%3A%2F%2F{S3CRET}", "cid=webcal%3A%2F%2F[hidden]", id="packed-without-its-folder"),
        pytest.param("/iclr-2025/agenda/take/7GK2M-X4PQZ/?x=1", "/iclr-2025/agenda/take/[hidden]/?x=1", id="code"),
        pytest.param("/iclr-2025/shared/s3cr/copy/", "/iclr-2025/shared/[hidden]/copy/", id="to-read"),
        pytest.param("/iclr-2025/proposals/s3cr/change/", "/iclr-2025/proposals/[hidden]/change/", id="proposal"),
        pytest.param("next=%2Fd%2Fshared%2Fs3cr", "next=%2Fd%2Fshared%2F[hidden]", id="to-read-packed"),
        pytest.param("/iclr-2025/sign-up/s3cr/list.csv", "/iclr-2025/sign-up/[hidden]/list.csv", id="list-of-a-host"),
        pytest.param("/account/digests/off/12:a-b:c/", "/account/digests/off/[hidden]/", id="end-of-digests"),
        pytest.param("GET /metrics/s3cr/ HTTP", "GET /metrics/[hidden]/ HTTP", id="figures"),
        pytest.param("/iclr-2025/agenda/take/ HTTP", None, id="no-code"),
        pytest.param('File "/srv/hallway/events/proposals/models.py", line 3', None, id="file-of-ours"),
        pytest.param(f"/iclr-2025/proposals/{S3CRET}.py", "/iclr-2025/proposals/[hidden]", id="token-like-a-file"),
        pytest.param(f"token='{S3CRET}'", "token='[hidden]'", id="variable"),
        pytest.param(f"{{'hallway': '{S3CRET}', 'a': 'b'}}", "{'hallway': '[hidden]', 'a': 'b'}", id="cookie"),
        pytest.param(f"{{'__Host-hallway': 's{S3CRET}'}}", "{'__Host-hallway': '[hidden]'}", id="cookie-of-https"),
        pytest.param(f"Cookie: __Host-hallway=s{S3CRET}; a=b", "Cookie: __Host-hallway=[hidden]; a=b", id="header"),
        pytest.param("/iclr-2025/events/0b2f9a52-8f3c-4a0e-8d3c-1f2e3d4c5b6a/", None, id="guid"),
        pytest.param("test_of_a_name_with_32_characters_and_more", None, id="longer-name"),
        pytest.param("queries_of_a_name_with_no_capital", None, id="name"),
        pytest.param("/iclr-2025/ hallway", None, id="nothing"),
    ],
)  # fmt: skip
def test_hide_leaves_no_secret_and_everything_else(text: str, hidden: str | None) -> None:
    assert hide_secrets(text) == (text if hidden is None else hidden)


def test_proxies_hide_the_addresses_that_the_site_hides() -> None:
    [words] = re.findall(r"\(\?:(shared\|.*?)\)\(\?:/", SECRET_PATH_PATTERN.pattern)
    expected = set(words.replace("(?:/|%2F)", "/").split("|"))
    patterns = {name: re.findall(r"\((?:\?:)?(shared\|[^)]*)\)", (PROJECT / "deploy" / name).read_text()) for name in PROXIES}

    assert {name: len(found) for name, found in patterns.items()} == {"Caddyfile": 2, "nginx.conf": 3}
    assert [set(words.split("|")) for found in patterns.values() for words in found] == [expected] * 5


@given(
    st.text(alphabet=" \"'<>=,:;&?()[]{}\n/", max_size=5),
    st.text(alphabet=" \"'<>=,:;&?()[]{}\n/", max_size=5),
    st.sampled_from(["", TOKEN_PREFIX]),
)
def test_hide_finds_any_token_wherever_it_stands(before: str, after: str, prefix: str) -> None:
    token = prefix + new_token()

    assert token not in hide_secrets(f"{before}{token}{after}")


def test_formatter_hides_what_a_traceback_says() -> None:
    try:
        raise LookupError(f"no rows for {S3CRET}")
    except LookupError:
        record = logging.LogRecord("events", logging.ERROR, "", 1, "Failed at %s", ("/feeds/s3cret.ics",), sys.exc_info())

    said = DiscreetFormatter().format(record)

    assert said.startswith("Failed at /feeds/[hidden].ics\nTraceback")
    assert re.findall("LookupError: .*", said) == ["LookupError: no rows for [hidden]"]
    assert S3CRET not in said


def test_json_is_one_object_a_line_and_hides_as_much() -> None:
    try:
        raise ValueError(f"/feeds/{S3CRET}.ics\nand a second line")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("django.request", logging.ERROR, "", 1, "Fault: %s", (f"/feeds/{S3CRET}.ics",), error)
    record.status_code, record.created = 500, 1745487000.25

    written = JSONFormatter().format(record)

    line = json.loads(written)
    traceback = line.pop("traceback")
    assert (written.count("\n"), S3CRET in written) == (0, False)
    assert line == {
        "time": "2025-04-24T09:30:00.250+00:00",
        "level": "ERROR",
        "logger": "django.request",
        "message": "Fault: /feeds/[hidden].ics",
        "status": 500,
    }
    assert traceback.splitlines()[-2:] == ["ValueError: /feeds/[hidden].ics", "and a second line"]
