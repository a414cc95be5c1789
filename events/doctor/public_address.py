"""Whether this site answers at SITE_URL. Only ``manage.py doctor`` asks, never a page: no visitor can make the server fetch."""

from __future__ import annotations

import datetime as dt
import http.client
import ssl
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any

from django.conf import settings

from events.doctor.services import clock_sentence, one_line

ANSWER_TIMEOUT_SECONDS = 10
MAX_ANSWER_BYTES = 10_000
READY_TEXT = "ready\n"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any) -> None:
        return None


def _answer(path: str) -> tuple[int, str, http.client.HTTPMessage]:
    opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
    try:
        response = opener.open(f"{settings.SITE_URL}{path}", timeout=ANSWER_TIMEOUT_SECONDS)
    except urllib.error.HTTPError as refusal:
        response = refusal
    with response:
        return response.status, response.read(MAX_ANSWER_BYTES).decode(errors="replace"), response.headers


def address_problems() -> list[str]:
    """Whether this site answers at SITE_URL, through its proxy, as this machine reaches it."""
    try:
        status, text, headers = _answer("/readyz")
        problems = _status_problems(status, text, headers)
        if not problems and settings.SECURE:
            problems = _redirect_problems(*_answer("/robots.txt"))
    except (OSError, http.client.HTTPException, ValueError) as error:
        return [f"Nothing answers at {settings.SITE_URL}: {_unreachable(error)}"]
    return problems + clock_sentence("the answer from SITE_URL", _date_of(headers))


def _unreachable(error: BaseException) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, ssl.SSLError):
        return f"{one_line(reason)}. Correct the certificate of the proxy."
    if isinstance(reason, TimeoutError):
        remedy = "Start the server and the proxy, and open the port in the firewall."
        return f"no answer within {ANSWER_TIMEOUT_SECONDS} seconds. {remedy}"
    return f"{one_line(reason)}. Correct SITE_URL or its name in DNS, or start the proxy and the server."


def _status_problems(status: int, text: str, headers: http.client.HTTPMessage) -> list[str]:
    where = f"{settings.SITE_URL}/readyz"
    if status == 200 and text == READY_TEXT:
        return []
    if status == 503 and text.endswith(".\n"):
        return [f"{where} says: {one_line(text)}"]
    if status == 400:
        return [f"{where} answers 400: the proxy must forward the Host header, and it must be the host of SITE_URL."]
    if status in {502, 503, 504}:
        return [f"{where} answers {status}: the proxy does not reach the server. Look at systemctl status hallway, and at PORT."]
    if location := headers.get("Location"):
        return [f"{where} redirects to {one_line(location)}: set SITE_URL to the address without a redirect."]
    return [f"{where} answers {status} and is not this site: correct SITE_URL, or the host name in the proxy’s file."]


def _redirect_problems(status: int, _text: str, headers: http.client.HTTPMessage) -> list[str]:
    """``/readyz`` works by plain http, other addresses redirect to https: for ever, if the server does not know that it is."""
    if status not in {301, 302, 307, 308}:
        return []
    remedy = "Set BEHIND_PROXY=true, and let the proxy set X-Forwarded-Proto."
    address = f"{settings.SITE_URL}/robots.txt"
    return [
        f"{address} redirects to {one_line(headers.get('Location', ''))}: the server does not know that it is https. {remedy}"
    ]


def _date_of(headers: http.client.HTTPMessage) -> dt.datetime | None:
    try:
        return parsedate_to_datetime(headers.get("Date", "")).astimezone(dt.UTC)
    except ValueError:
        return None
