"""Checks that ask services and may wait for them: cache, mail server, clocks; and the static files."""

from __future__ import annotations

import datetime as dt
import secrets

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache, caches
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.utils import timezone

from events.core.redis_cache import FallbackRedisCache

MAX_CLOCK_DIFFERENCE = dt.timedelta(seconds=5)
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
    # Then the memory of this process has answered.
    redis = caches["default"]
    if isinstance(redis, FallbackRedisCache) and redis.is_away:
        return [f"The cache does not answer. {remedy}"]
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
    return (
        f"The mail server {server} does not take letters: {one_line(error)}. Correct MAIL_URL or MAIL_FROM, or the mail server."
    )


def one_line(error: BaseException | str) -> str:
    """One line, whatever the other side wrote."""
    return " ".join(str(error).split())[:300] or type(error).__name__


def clock_problems() -> list[str]:
    """SQLite has the clock of this machine."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return clock_sentence("PostgreSQL", cursor.fetchone()[0])


def clock_sentence(whose: str, theirs: dt.datetime | None) -> list[str]:
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
