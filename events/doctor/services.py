"""Checks that ask others and may wait for them: cache, mail server, the public address, clocks; and the static files."""

from __future__ import annotations

import datetime as dt
import http.client
import secrets
import ssl
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.utils import timezone

ANSWER_TIMEOUT_SECONDS = 10
MAX_ANSWER_BYTES = 10_000
MAX_CLOCK_DIFFERENCE = dt.timedelta(seconds=5)
READY_TEXT = "ready\n"
CONSOLE_BACKEND = "django.core.mail.backends.console.EmailBackend"
SET_CLOCK = "Turn on time synchronisation: timedatectl set-ntp true."


def cache_problems() -> list[str]:
    token = secrets.token_hex()
    remedy = "Start it, correct CACHE_URL, or remove CACHE_URL."
    try:
        cache.set("doctor", token, 60)
        is_kept = cache.get("doctor") == token
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        return [f"The cache does not answer ({type(error).__name__}). {remedy}"]
    return [] if is_kept else [f"The cache does not keep what is written to it. {remedy}"]


def mail_problems() -> list[str]:
    """Connects and signs in, without sending."""
    if settings.LETTER_BACKEND == CONSOLE_BACKEND:
        remedy = "Set MAIL_URL to the address of a mail server."
        return [f"Letters and their codes are printed in the log instead of sent. {remedy}"] if settings.SECURE else []
    mailer = get_connection(settings.LETTER_BACKEND)
    try:
        mailer.open()
        mailer.close()
    except OSError as error:
        return [_mail_sentence(error)]
    return []


def send_test_letter(address: str) -> list[str]:
    """At once and past the outbox, so that what the mail server answers is seen."""
    text = f"This is a test of the mail of {settings.SITE_URL}. You need do nothing.\n"
    letter = EmailMessage("Test of the mail of Hallway", text, None, [address])
    try:
        get_connection(settings.LETTER_BACKEND).send_messages([letter])
    except OSError as error:
        return [_mail_sentence(error)]
    return []


def _mail_sentence(error: OSError) -> str:
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    return f"The mail server {server} does not take letters: {_reason(error)}. Correct MAIL_URL or MAIL_FROM, or the mail server."


def _reason(error: BaseException | str) -> str:
    """One line, whatever the other side wrote."""
    return " ".join(str(error).split())[:300] or type(error).__name__


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
        return [f"Nothing answers at {settings.SITE_URL}: {_unreachable_reason(error)}"]
    return problems + _clock_sentence("the answer from SITE_URL", _date_of(headers))


def _unreachable_reason(error: BaseException) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, ssl.SSLError):
        return f"{_reason(reason)}. Correct the certificate of the proxy."
    if isinstance(reason, TimeoutError):
        return f"no answer within {ANSWER_TIMEOUT_SECONDS} seconds. Start the server and the proxy, and open the port in the firewall."
    return f"{_reason(reason)}. Correct SITE_URL or its name in DNS, or start the proxy and the server."


def _status_problems(status: int, text: str, headers: http.client.HTTPMessage) -> list[str]:
    where = f"{settings.SITE_URL}/readyz"
    if status == 200 and text == READY_TEXT:
        return []
    if status == 503 and text.endswith(".\n"):
        return [f"{where} says: {_reason(text)}"]
    if status == 400:
        return [f"{where} answers 400: the proxy must forward the Host header, and it must be the host of SITE_URL."]
    if status in {502, 503, 504}:
        return [f"{where} answers {status}: the proxy does not reach the server. Look at systemctl status hallway, and at PORT."]
    if location := headers.get("Location"):
        return [f"{where} redirects to {_reason(location)}: set SITE_URL to the address without a redirect."]
    return [f"{where} answers {status} and is not this site: correct SITE_URL, or the host name in the proxy’s file."]


def _redirect_problems(status: int, _text: str, headers: http.client.HTTPMessage) -> list[str]:
    """``/readyz`` works by plain http, other addresses redirect to https: for ever, if the server does not know that it is."""
    if status not in {301, 302, 307, 308}:
        return []
    remedy = "Set BEHIND_PROXY=true, and let the proxy set X-Forwarded-Proto."
    address = f"{settings.SITE_URL}/robots.txt"
    return [f"{address} redirects to {_reason(headers.get('Location', ''))}: the server does not know that it is https. {remedy}"]


def _date_of(headers: http.client.HTTPMessage) -> dt.datetime | None:
    try:
        return parsedate_to_datetime(headers.get("Date", "")).astimezone(dt.UTC)
    except ValueError:
        return None


def clock_problems() -> list[str]:
    """SQLite has the clock of this machine."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return _clock_sentence("PostgreSQL", cursor.fetchone()[0])


def _clock_sentence(whose: str, theirs: dt.datetime | None) -> list[str]:
    difference = abs(timezone.now() - theirs) if theirs else dt.timedelta()
    if difference <= MAX_CLOCK_DIFFERENCE:
        return []
    return [f"The clocks of this machine and of {whose} differ by {difference.total_seconds():,.0f} seconds. {SET_CLOCK}"]


def static_problems() -> list[str]:
    """Whether each file of this version has a name for browsers; a page that names one without fails."""
    missing = []
    for finder in finders.get_finders():
        for path, _ in finder.list([]):
            try:
                staticfiles_storage.url(path)
            except ValueError:
                missing.append(path)
    if not missing:
        return []
    count = "1 static file is" if len(missing) == 1 else f"{len(missing)} static files are"
    return [f"{count} not collected, such as {missing[0]}. Run systemctl restart hallway, or manage.py collectstatic."]
