"""Every page that links lead to."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, urldefrag, urlencode, urljoin, urlsplit

from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from tests.security.markup import leads

MOST = 1500
ELSEWHERE = ("/static/", "/organise/")
# Of these only the first page is opened: their answers differ in nothing but the way back, or the page that is meant.
WITHOUT = {"next", "where"}


def crawl(client: Client, starts: Iterable[str]) -> dict[str, HttpResponse]:
    """What answers at each address that can be reached from these; those are asked for as htmx does too."""
    waiting = [bare(url) for url in starts]
    found = {f"{url} htmx": client.get(url, headers={"hx-request": "true"}) for url in waiting}
    while waiting:
        url = waiting.pop()
        if url in found:
            continue
        found[url] = whole(client.get(url))
        assert len(found) < MOST, "The crawl does not end: does a page link to ever new addresses?"
        if found[url].get("Content-Type", "").startswith("text/html"):
            waiting += [it for it in onward(url, found[url]) if it not in found]
    return found


def whole(response: HttpResponse) -> HttpResponse:
    """A file can be read once; its answer is looked at more often."""
    if not response.streaming:
        return response
    return HttpResponse(response.getvalue(), status=response.status_code, headers=dict(response.headers))


def onward(url: str, response: HttpResponse) -> list[str]:
    """Links of this site; from a page with filters to none with other filters, or they would never end."""
    here = [response["Location"]] if response.has_header("Location") else leads(response.text)
    targets = [bare(urljoin(url, it)) for it in here]
    ours = [it for it in targets if it.startswith("/") and not it.startswith(ELSEWHERE)]
    return [it for it in ours if not filters(it) or not filters(url)]


def filters(url: str) -> list[str]:
    """What narrows the page; the moment to look at does not."""
    return [name for name, _ in parse_qsl(urlsplit(url).query) if name != "at"]


def bare(url: str) -> str:
    """Path and query alone; another site's address stays whole."""
    parts = urlsplit(urldefrag(url).url)
    if parts.scheme or parts.netloc:
        return url
    query = [(name, value) for name, value in parse_qsl(parts.query) if name not in WITHOUT]
    return parts.path + (f"?{urlencode(query)}" if query else "")


def names_of(found: dict[str, HttpResponse]) -> set[str]:
    """The names in the URLconf of everything that was reached."""
    return {resolve(urlsplit(url.partition(" ")[0]).path).view_name for url in found}
