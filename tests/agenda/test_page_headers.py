"""Every header and cookie that any code reads, in odd forms: what is not in the key changes no page kept for others."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from importlib import import_module
from pathlib import Path
from typing import Any

import django_htmx.middleware
import pytest
import time_machine
from django.conf import settings
from django.http import request as django_request
from django.test import Client, RequestFactory

from events.agenda import page_cache, page_keys
from events.agenda.visitor import FORMER_COOKIE, VISITOR_COOKIE
from events.core.byte_cache import PROCESS_CACHE
from tests.security.addresses import address, names
from tests.security.world import World
from tests.visitors import HTMX

pytestmark = pytest.mark.django_db
EVENTS = Path(page_cache.__file__).parents[1]
MODULES = [import_module(name.rpartition(".")[0]) for name in settings.MIDDLEWARE]
SOURCES = [
    *(path.read_text() for path in EVENTS.rglob("*.py")),
    *(path.read_text() for path in (EVENTS.parent / "templates").rglob("*.html")),
    *map(inspect.getsource, [*MODULES, django_request]),
]
NAMED_HEADER = re.compile(r"""headers(?:\.get\(|\[)\s*["']([A-Za-z-]+)["']|["']([A-Za-z-]+)["']\s+(?:not )?in request\.headers""")
META_HEADER = re.compile(r"""["']HTTP_([A-Z_]+)["']""")
HTMX_HEADER = re.compile(r"""_get_header_value\(["']([A-Za-z-]+)["']\)""")
COOKIE = re.compile(r"\b([A-Z]+_COOKIE(?:_NAME)?)\b")
# A cookie of these names is read by Django itself.
OF_DJANGO = {"SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"}


def read_headers() -> set[str]:
    """All headers whose names are in the code that a request passes."""
    found = {name for source in SOURCES for match in NAMED_HEADER.finditer(source) for name in match.groups() if name}
    found |= {match[1].replace("_", "-").title() for source in SOURCES for match in META_HEADER.finditer(source)}
    htmx = set(HTMX_HEADER.findall(inspect.getsource(django_htmx.middleware)))
    return found | htmx | {f"{name}-URI-AutoEncoded" for name in htmx}


def read_cookies() -> set[str]:
    """The names of all cookies whose constants are in our code, and of those of Django."""
    found = {"messages", *(getattr(settings, name) for name in OF_DJANGO)}
    for path in EVENTS.rglob("*.py"):
        for name, value in re.findall(r'^([A-Z]+_COOKIE) = "(\w+)"', path.read_text(), re.MULTILINE):
            assert COOKIE.fullmatch(name)
            found.add(value)
    return found


FORMS: dict[str, Callable[[str], str]] = {
    "plain": lambda value: value,
    "percent-encoded": lambda value: "".join(f"%{ord(character):02x}" for character in value),
    "upper-case": str.upper,
    "blanks": lambda value: f"  {value}\t",
    "doubled": lambda value: f"{value}, {value}",
    "empty": lambda value: "",
    "long": lambda value: value + "x" * 3000,
}
# Another host is refused.
NEVER_CACHED = {"Host"}
VALUES = {"HX-Current-URL": "https://x.example/", "Accept-Encoding": "gzip", "If-None-Match": "*", "User-Agent": "curl"}
COOKIE_VALUES = {
    "hallway_zone": "Europe/Vienna",
    "hallway_start": "expo",
    "hallway_walking": "dry",
    "hallway_attendance": "virtual",
    "hallway": "A" * 32,
    "hallway_former": "B" * 32,
}


def odd_requests(form: Callable[[str], str]) -> dict[str, dict[str, str]]:
    """By header or cookie, the headers of a request that has it in this form."""
    requests = {}
    for name in read_headers():
        value = VALUES.get(name, "true")
        encoded = {f"{name}-URI-AutoEncoded": "true"} if not name.endswith("-URI-AutoEncoded") else {}
        requests[name] = encoded | {name: form(value)}
    for name in read_cookies():
        requests[f"cookie {name}"] = {
            "Cookie": SimpleCookie({name: form(COOKIE_VALUES.get(name, "anything1"))}).output(header="").strip()
        }
    return requests


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**25
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


def kept_page(url: str, headers: dict[str, str]) -> tuple[Any, str] | None:
    """The key and the ETag of what this request leaves in an empty cache for others."""
    PROCESS_CACHE.clear()
    Client(raise_request_exception=False).get(url, headers=headers)
    keys = [key for key in PROCESS_CACHE.keys if key[0] == "page"]  # type: ignore[index]
    return (keys[0], PROCESS_CACHE.get(keys[0]).etag) if keys else None


def key_of(url: str, headers: dict[str, str]) -> Any:
    request: Any = RequestFactory().get(url, headers=headers)
    return page_keys.page_key(request, page_keys.page_query(request))


def combined(requests: list[dict[str, str]]) -> dict[str, str]:
    """One request with all of these headers and cookies."""
    cookies = "; ".join(headers["Cookie"] for headers in requests if "Cookie" in headers)
    return {name: value for headers in requests for name, value in headers.items()} | {"Cookie": cookies}


def test_code_is_searched_for_headers_and_cookies() -> None:
    known = {"HX-Request", "HX-Target", "HX-Request-URI-AutoEncoded", "Origin", "Sec-Fetch-Site", "If-None-Match", "User-Agent"}
    cookies = {
        VISITOR_COOKIE,
        FORMER_COOKIE,
        "hallway_zone",
        "hallway_start",
        "hallway_walking",
        "hallway_attendance",
        "messages",
        "sessionid",
    }

    assert known <= read_headers()
    assert cookies <= read_cookies()


# No process works on one test for minutes, while the others have nothing left to do.
PARTS = 4


@pytest.mark.parametrize(
    ("forms", "usuals", "part"),
    [
        (["percent-encoded"], [{}], None),
        *(pytest.param([*FORMS], [{}, HTMX], part, marks=pytest.mark.slow, id=f"all-{part}") for part in range(PARTS)),
    ],
)
def test_requests_with_equal_keys_get_equal_pages(
    forms: list[str], usuals: list[dict[str, str]], part: int | None, module_world: World
) -> None:
    odd = {name: odd_requests(FORMS[name]) for name in forms}
    cached = 0

    addresses = [address(name, module_world) for name in names()]
    for url in addresses if part is None else addresses[part::PARTS]:
        for usual in usuals:
            plain = kept_page(url, usual)
            if plain is None:
                continue
            cached += 1
            etags = dict([plain])
            named = {
                (form, name): usual | headers
                for form, requests in odd.items()
                for name, headers in requests.items()
                if name not in NEVER_CACHED
            }
            keys = {asked: key_of(url, headers) for asked, headers in named.items()}
            requests_by_key = Counter([*keys.values(), plain[0]])
            for form in odd:
                names_of_form = [name for of_form, name in named if of_form == form]
                # All that the key does not know is sent at once. What would decide which page the others ask for is sent
                # alone, and so is what the key knows, if another request has the same key.
                together = {
                    name for name in names_of_form if keys[form, name] == plain[0] and not name.lower().startswith("hx-request")
                }
                alone = [
                    named[form, name] for name in names_of_form if name not in together and requests_by_key[keys[form, name]] > 1
                ]
                for headers in [combined([named[form, name] for name in sorted(together)]), *alone]:
                    kept = kept_page(url, headers)
                    # Only what the key knows may have no page to keep.
                    assert kept is not None or headers in alone, (url, form, headers)
                    assert kept is None or etags.setdefault(*kept) == kept[1], (url, form, headers)
    assert cached >= 20 / (1 if part is None else PARTS)
