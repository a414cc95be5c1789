"""The GET parameters that cached pages read are those of ``PAGE_PARAMS``, which are all that reach their views."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import pytest
import time_machine
from django.http import HttpResponse, QueryDict
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve
from django.utils import timezone

from events.agenda import page_cache
from events.agenda.page_keys import PAGE_PARAMS, PART_PARAM
from events.core.clock import PageEnd
from tests.security.addresses import address, names
from tests.security.markup import elements
from tests.security.test_shared_pages import PART
from tests.security.world import World

pytestmark = pytest.mark.django_db
EVENTS = Path(page_cache.__file__).parents[1]
TEMPLATES = EVENTS.parent / "templates" / "events"
# These are read by pages that are not cached: directions, calendars, feeds, forms, notices, news, agendas compared.
READ_ELSEWHERE = {"from", "next", "download", "link", "for", "date", "a", "n", "leave", "level"}
VALUES = {"at": "2025-04-24T09:30", "start": "2025-04-24T09:00", "view": "grid", "sort": "topic", "page": "1", "q": "poster"}


@pytest.fixture(autouse=True)
def _clock() -> Iterator[None]:
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture(scope="module")
def module_world(module_rows: Callable[..., Any]) -> World:
    world: World = module_rows(World)
    return world


class RecordingQuery(QueryDict):
    """Notes each name that is looked up, also in copies."""

    read: set[str]

    def __getitem__(self, name: str) -> Any:
        type(self).read.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        type(self).read.add(str(name))
        return super().__contains__(name)

    def getlist(self, name: str, default: Any = None) -> Any:
        type(self).read.add(name)
        return super().getlist(name, default)


def cached_view(url: str) -> Callable[..., HttpResponse] | None:
    """The view inside ``page_cache``; None for pages that are not cached."""
    try:
        view: Any = resolve(urlsplit(url).path).func
    except Resolver404:
        return None
    while view is not None and view.__code__.co_name != "cached_view":
        view = getattr(view, "__wrapped__", None)
    return view.__wrapped__ if view is not None else None


def cached_urls(world: World) -> list[str]:
    return [url for name in names() if cached_view(url := address(name, world))]


def read_params(url: str) -> set[str]:
    """All names that the view of this page looks up, with and without parameters, whole and in part."""
    found: set[str] = set()
    values = {name: VALUES.get(name, "1") for name in PAGE_PARAMS}
    for query in ("", urlencode(values)):
        for part in ("", PART.get(resolve(url).view_name.removeprefix("events:"), "")):
            request: Any = RequestFactory().get(url)
            request.part = part
            request.resolver_match = resolve(url)
            request.shared, request.placeholders = True, []
            request.page_end = PageEnd.of_page_made(timezone.now())
            query_type = type("Recording", (RecordingQuery,), {"read": set()})
            request.GET = query_type(query)
            view = cached_view(url)
            assert view is not None
            query_type.read.clear()
            view(request, *request.resolver_match.args, **request.resolver_match.kwargs)
            found |= query_type.read
    return found


def test_cached_pages_read_exactly_the_known_parameters(module_world: World) -> None:
    urls = cached_urls(module_world)

    read = {url: read_params(url) for url in urls}

    assert len(urls) > 20
    # The name of the part is read by page_cache.
    views_read = PAGE_PARAMS - {PART_PARAM}
    assert {url: found - views_read for url, found in read.items() if found - views_read} == {}
    assert set().union(*read.values()) == views_read


def named_params(source: str) -> set[str]:
    """Names that Python code looks up in ``request.GET``, or in an argument that is a QueryDict."""
    found: set[str] = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            arguments = {it.arg for it in function.args.args + function.args.kwonlyargs if "QueryDict" in _text(it.annotation)}
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in {"get", "getlist"}:
                    where, what = node.func.value, node.args[:1]
                elif isinstance(node, ast.Subscript):
                    where, what = node.value, [node.slice]
                else:
                    continue
                if _text(where) in {"request.GET", *arguments}:
                    found |= {str(it.value) for it in what if isinstance(it, ast.Constant)}
    return found


def _text(node: ast.AST | None) -> str:
    return ast.unparse(node) if node else ""


def test_every_parameter_in_the_code_is_known_or_of_other_pages() -> None:
    sources = [path.read_text() for path in EVENTS.rglob("*.py") if "admin" not in path.parts]
    templates = [path.read_text() for path in TEMPLATES.rglob("*.html")]

    found = set().union(*map(named_params, sources))
    found |= {name for template in templates for name in re.findall(r"request\.GET\.(\w+)", template)}
    tags = [tag for template in templates for tag in re.findall(r"{% querystring (.*?)%}", template)]
    found |= {name for tag in tags for name in re.findall(r"(\w+)=", tag)}

    assert {"at", "letter", "page", "q", "view"} <= found
    assert found - READ_ELSEWHERE - PAGE_PARAMS == set()


@pytest.mark.parametrize("line", ['request.GET.get("odd")', 'request.GET["odd"]', 'query.getlist("odd")'])
def test_code_that_reads_a_parameter_is_found(line: str) -> None:
    assert named_params(f"def page(request, query: QueryDict) -> None:\n    {line}\n") == {"odd"}


def sent_params(url: str, html: str) -> set[str]:
    """Names of parameters in the links and forms of a page that lead to a cached page."""
    found, form = set(), ""
    for tag, attributes in elements(html):
        if tag == "form":
            form = urljoin(url, attributes.get("action", "")) if attributes.get("method", "get") == "get" else ""
        is_field = tag in {"input", "select", "textarea", "button"} and "name" in attributes and "form" not in attributes
        if form and cached_view(form) and is_field:
            found.add(attributes["name"])
        for link in (urljoin(url, attributes[it]) for it in ("href", "hx-get") if attributes.get(it)):
            if link.startswith("/") and cached_view(link):
                found |= {name for name, _ in parse_qsl(urlsplit(link).query, keep_blank_values=True)}
    return found


def test_links_and_forms_of_cached_pages_send_known_parameters(module_world: World) -> None:
    sent = {}
    for url in cached_urls(module_world):
        for query in ("", "?at=2025-04-24T09:30", "?q=poster&view=grid&type=poster"):
            page = Client().get(url + query)
            if page.status_code == 200 and page["Content-Type"].startswith("text/html"):
                sent[url + query] = sent_params(url, page.text)

    assert {url: found - PAGE_PARAMS for url, found in sent.items() if found - PAGE_PARAMS} == {}
    assert set().union(*sent.values()) >= {"at", "award", "day", "kind", "letter", "q", "room", "topic", "track", "type", "view"}
