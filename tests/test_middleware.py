"""What every answer goes through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from csp.constants import NONCE
from csp.decorators import csp_exempt, csp_update
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from events.middleware import OnePolicy, private_by_default

rf = RequestFactory()
POLICY = "Content-Security-Policy"


def rules_of(view: Callable[[HttpRequest], HttpResponse]) -> set[str]:
    return set(OnePolicy(view)(rf.get("/")).headers.get(POLICY, "").split("; "))


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse("page")


def test_every_page_has_the_same_policy() -> None:
    assert rules_of(page) == {
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    }


def test_view_may_change_the_policy() -> None:
    assert rules_of(csp_update({"img-src": ["https://example.org"]})(page)) == rules_of(page) - {"img-src 'self' data:"} | {
        "img-src 'self' data: https://example.org"
    }
    assert rules_of(csp_exempt()(page)) == {""}
    assert rules_of(lambda _: HttpResponse(headers={POLICY: "sandbox"})) == {"sandbox"}


def test_word_that_a_page_allows_its_script_by_is_in_its_policy(settings: Any) -> None:
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {"script-src": [NONCE]}}
    told: list[str] = []

    def page_with_a_script(request: HttpRequest) -> HttpResponse:
        told.append(str(request.csp_nonce))  # type: ignore[attr-defined]
        return HttpResponse("page")

    (rule,) = rules_of(page_with_a_script) - rules_of(page)

    assert rule == f"script-src 'nonce-{told[0]}'"


@pytest.mark.parametrize(
    ("headers", "caching"),
    [({}, "private, no-cache"), ({"Cache-Control": "public, max-age=300"}, "public, max-age=300")],
    ids=["says-nothing", "says-so"],
)
def test_pages_are_private_unless_their_view_says_otherwise(headers: dict[str, str], caching: str) -> None:
    middleware = private_by_default(lambda _: HttpResponse(headers=headers))

    assert middleware(rf.get("/"))["Cache-Control"] == caching
