"""What others answer: the cache, the mail server and the clock of the database."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from django.core import mail
from pytest_django import Settings

from events.core.redis_cache import FallbackRedisCache
from events.doctor import services


@pytest.mark.django_db
def test_clock_of_the_database_is_that_of_this_machine() -> None:
    assert services.clock_problems() == []


def test_cache_that_keeps_nothing_is_named(settings: Settings) -> None:
    assert services.cache_problems() == []

    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

    assert services.cache_problems() == [
        "The cache does not keep what is written to it. Start it, correct CACHE_URL, or remove CACHE_URL."
    ]


def test_redis_that_is_away_is_named_although_the_site_goes_on(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FallbackRedisCache, "_away_until", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        location = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
    settings.CACHES = {"default": {"BACKEND": "events.core.redis_cache.FallbackRedisCache", "LOCATION": location}}

    assert services.cache_problems() == ["The cache does not answer. Start it, correct CACHE_URL, or remove CACHE_URL."]


def test_cache_that_fails_is_named(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    location = str(tmp_path / "file" / "folder")
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": location}}

    assert services.cache_problems() == [
        "The cache does not answer (NotADirectoryError). Start it, correct CACHE_URL, or remove CACHE_URL."
    ]


def test_console_is_no_mail_server_of_a_public_site(settings: Settings) -> None:
    settings.LETTER_BACKEND, settings.SECURE = services.CONSOLE_BACKEND, False
    local = services.mail_problems()
    settings.SECURE = True

    assert (local, services.mail_problems()) == (
        [],
        [
            "Letters and their codes are printed in the log instead of sent. Set MAIL_URL to the address of a mail server.",
        ],
    )


class MailServer(threading.Thread):
    """Takes one connection, and answers each line by its first word."""

    def __init__(self, greeting: bytes = b"220 mail.example.org") -> None:
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.greeting, self.heard = greeting, list[bytes]()
        self.start()

    def run(self) -> None:
        connection, _ = self.listener.accept()
        with self.listener, connection, connection.makefile("rwb") as lines:
            lines.write(self.greeting + b"\r\n")
            lines.flush()
            for line in lines:
                self.heard.append(line.split(maxsplit=1)[0].lower())
                lines.write(b"250 ok\r\n")
                lines.flush()


def use(settings: Settings, port: int) -> None:
    settings.LETTER_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port


def test_mail_server_is_greeted_and_sent_nothing(settings: Settings) -> None:
    server = MailServer()
    use(settings, server.listener.getsockname()[1])

    problems = services.mail_problems()

    server.join(10)
    assert (problems, server.heard, mail.outbox) == ([], [b"quit"], [])


def test_mail_server_that_refuses_is_named(settings: Settings) -> None:
    server = MailServer(b"554 no\r\n554 service")
    port = server.listener.getsockname()[1]
    use(settings, port)

    problems = services.mail_problems()

    server.join(10)
    assert problems == [
        (
            f"The mail server 127.0.0.1:{port} does not take letters: (554, b'no'). "
            "Correct MAIL_URL or MAIL_FROM, or the mail server."
        )
    ]


def test_mail_server_that_is_away_is_named(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    use(settings, port)
    said = f"The mail server 127.0.0.1:{port} does not take letters: [Errno 111] Connection refused. "

    assert [problem.startswith(said) for problem in services.mail_problems()] == [True]
    assert [problem.startswith(said) for problem in services.send_test_letter("ada@example.org")] == [True]
