"""What every answer goes through."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from events.web.middleware import private_by_default

rf = RequestFactory()


@pytest.mark.parametrize("path", ["/", "/nothing/", "/feeds/nothing.ics"])
@pytest.mark.django_db
def test_every_page_has_the_same_policy(client: Client, path: str) -> None:
    assert set(client.get(path)["Content-Security-Policy"].split("; ")) == {
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    }


@pytest.mark.parametrize(
    ("headers", "caching"),
    [({}, "private, no-cache"), ({"Cache-Control": "public, max-age=300"}, "public, max-age=300")],
    ids=["says-nothing", "says-so"],
)
def test_pages_are_private_unless_their_view_says_otherwise(headers: dict[str, str], caching: str) -> None:
    middleware = private_by_default(lambda _: HttpResponse(headers=headers))

    assert middleware(rf.get("/"))["Cache-Control"] == caching
