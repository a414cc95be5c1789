"""What this machine and the database know to be wrong with the installation."""

from __future__ import annotations

import datetime as dt
import shutil
import string

import pytest
import time_machine
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from events.core.db.readiness import _last_migrations
from events.doctor.checks import PERIODIC_COMMANDS, installation_problems, letter_problems, periodic_problems, settings_problems
from events.mail.outbox import queue_letter
from events.models import CommandRun

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2025, 4, 24, 12, tzinfo=dt.UTC)
NAMES = [command.name for command in PERIODIC_COMMANDS]


@pytest.fixture
def public(settings: Settings) -> Settings:
    """A site that is installed as the documentation says."""
    # Only tests set it (tests/conftest.py).
    # Tests allow it, beside those in a browser; without it, they could not use the database.
    settings.SILENCED_SYSTEM_CHECKS = ["async.E001", "security.W002"]
    settings.SECURE = settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS, settings.SECURE_HSTS_PRELOAD = 31_536_000, True, True
    settings.SECRET_KEY = string.ascii_letters
    settings.BEHIND_PROXY, settings.TRUSTED_PROXIES = True, 1
    return settings


@pytest.fixture
def all_ran() -> None:
    for name in NAMES:
        CommandRun.objects.record(name)


def test_good_site_has_no_problems(public: Settings, all_ran: None) -> None:
    assert installation_problems() == []


def test_local_site_needs_none_of_this(settings: Settings) -> None:
    settings.SECURE = False

    assert (settings_problems(), periodic_problems()) == ([], [])


def test_looking_costs_few_queries_however_much_is_stored(
    public: Settings, all_ran: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    installation_problems()
    for _ in range(3):
        queue_letter("ada@example.org", "Moved", "To Hall 2.")

    # Which tables there are, the migrations, on PostgreSQL whether it can be written, the runs, the letters.
    with django_assert_num_queries(5 if connection.vendor == "postgresql" else 4):
        installation_problems()


def test_unsafe_setting_is_named_with_its_remedy(public: Settings) -> None:
    public.SESSION_COOKIE_SECURE = False

    problems = settings_problems()

    assert problems == [
        (
            "SESSION_COOKIE_SECURE is not set to True. Using a secure-only session cookie makes it more difficult for network "
            "traffic sniffers to hijack user sessions. (security.W012)"
        )
    ]
    assert settings_problems("security") == problems


def test_setting_that_is_silenced_is_not_named(public: Settings) -> None:
    public.SESSION_COOKIE_SECURE = False
    public.SILENCED_SYSTEM_CHECKS = [*public.SILENCED_SYSTEM_CHECKS, "security.W012"]

    assert settings_problems() == []


def test_https_without_a_proxy_is_named(public: Settings) -> None:
    public.BEHIND_PROXY = False

    assert [problem.partition(":")[0] for problem in settings_problems()] == [
        "SITE_URL is https, so a proxy is in front of the server, but BEHIND_PROXY is not set"
    ]


def test_command_that_never_ran_is_named_with_its_unit(public: Settings) -> None:
    for name in NAMES:
        if name != "send_digests":
            CommandRun.objects.record(name)

    assert periodic_problems() == [
        "manage.py send_digests has not run yet. Run systemctl enable --now hallway-digests.timer, or whatever else is to run it."
    ]


@pytest.mark.parametrize(("name", "hours"), [("send_letters", 36), ("forget_proposals", 8 * 24)])
def test_command_is_late_after_its_time(public: Settings, all_ran: None, name: str, hours: int) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        CommandRun.objects.record(name)
        clock.shift(dt.timedelta(hours=hours))
        CommandRun.objects.exclude(command=name).update(ended_at=timezone.now())
        in_time = periodic_problems()
        clock.shift(dt.timedelta(seconds=1))
        late = periodic_problems()

    assert (in_time, [problem.partition(" UTC.")[0] for problem in late]) == (
        [],
        [f"manage.py {name} last ran at 2025-04-24 12:00"],
    )


def test_backup_by_another_program_is_told_how_to_say_so(public: Settings) -> None:
    assert "let it run “manage.py doctor --ran backup” after each" in periodic_problems()[NAMES.index("backup")]


def test_letters_are_late_after_an_hour_and_their_error_is_named() -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        queue_letter("ada@example.org", "Moved", "To Hall 2.")
        queue_letter("eve@example.org", "Moved", "To Hall 2.").retry_later("ConnectionRefusedError")
        clock.shift(dt.timedelta(hours=1))
        in_time = letter_problems()
        clock.shift(dt.timedelta(seconds=1))
        late = letter_problems()

    remedy = "Run manage.py doctor, which tries the mail server of MAIL_URL."
    assert in_time == []
    assert late == [f"2 letters have waited for more than an hour (the last error was ConnectionRefusedError). {remedy}"]
    assert "@" not in late[0]


def test_checks_of_readyz_are_used_and_no_table_is_read_before_its_migration(
    public: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=49 * 2**20)
    monkeypatch.setattr("events.core.db.readiness.shutil.disk_usage", lambda folder: usage)
    MigrationRecorder(connection).record_unapplied("events", max(name for app, name in _last_migrations() if app == "events"))

    assert installation_problems() == [
        "Migrations are not applied (events): run manage.py migrate.",
        "The disk is almost full: 49 MB are free.",
    ]
