"""A GET that waited too long for a thread is refused, a form never."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from events.web.overload import MAX_QUEUE_SECONDS, refuse_late, request_start

LONG_AGO = MAX_QUEUE_SECONDS + 5


def answer(method: str, header: str | None) -> HttpResponse:
    def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse("the page")

    headers = {} if header is None else {"X-Request-Start": header}
    response: HttpResponse = refuse_late(view)(RequestFactory().generic(method, "/", headers=headers))
    return response


@pytest.fixture(autouse=True)
def behind_proxy(settings: Any) -> None:
    settings.BEHIND_PROXY = True


@pytest.mark.parametrize("written", ["{seconds:.3f}", "t={seconds:.3f}", "{milliseconds:.0f}", "t={milliseconds:.0f}"])
def test_late_get_is_refused(written: str) -> None:
    began = time.time() - LONG_AGO
    late = answer("GET", written.format(seconds=began, milliseconds=began * 1000))

    assert (late.status_code, late["Retry-After"], "no-store" in late["Cache-Control"]) == (503, "10", True)
    assert "Nothing was changed" in late.text


@pytest.mark.parametrize("header", [None, "", "soon", "t=", "nan", "inf", "-inf", "9" * 400])
def test_unreadable_time_is_ignored(header: str | None) -> None:
    assert answer("GET", header).text == "the page"


@pytest.mark.parametrize("seconds", [0, 5, -3600], ids=["now", "just waited", "clock of the proxy ahead"])
def test_get_in_time_is_answered(seconds: int) -> None:
    assert answer("GET", f"{time.time() - seconds:.3f}").text == "the page"


def test_form_is_always_worked_for() -> None:
    assert answer("POST", f"{time.time() - LONG_AGO:.3f}").text == "the page"


def test_without_a_proxy_the_header_is_ignored(settings: Any) -> None:
    settings.BEHIND_PROXY = False

    with pytest.raises(MiddlewareNotUsed):
        refuse_late(HttpResponse)


def test_the_site_refuses_what_is_late(client: Client) -> None:
    asked = client.get("/favicon.ico", headers={"X-Request-Start": f"{time.time() - LONG_AGO:.3f}"})

    assert asked.status_code == 503


def test_time_in_seconds_and_in_milliseconds() -> None:
    assert request_start("1732400000.5") == request_start("t=1732400000500") == 1732400000.5
