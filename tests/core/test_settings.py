"""A wrong setting is refused with a sentence: it must not switch a protection off, and no page should be the first to fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from conference import environment
from events import urls

PROJECT = Path(__file__).parents[2]
SLASHES = "write a path that ends in a slash and begins with none: organise/."
HOST_ALONE = "write https://host or http://host:8000, without a path."
NAMES_ALONE = "write names without https:// and port, separated by commas."
DATABASES = "write sqlite:////folder/file.sqlite3 or postgres://user:password@host:5432/name."
MAIL_SERVERS = "write smtp+tls://user:password@host:587 or smtp://host:25."
CACHES = "write rediscache://host:6379/0."
FOUR_SLASHES = "write four slashes before the path of the file, sqlite:////folder/file.sqlite3."
SENDER = "write one mail address, such as Hallway <hallway@example.org>."
NO_FOLDER = "whose folder cannot be made: No such file or directory. Correct the path, or make the folder."


def settings_checked(**environment: str) -> tuple[int, str]:
    """The status and the last line of `manage.py diffsettings`, which needs no database."""
    done = subprocess.run(
        [sys.executable, "manage.py", "diffsettings", "--output", "unified"],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.strip()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "eight", "PORT is “eight”: set a whole number of 0 or more, such as 8000."),
        ("TRUSTED_PROXIES", "-1", "TRUSTED_PROXIES is “-1”: set a whole number of 0 or more, such as 0."),
        ("PAGE_CACHE_MB", "80 MB", "PAGE_CACHE_MB is “80 MB”: set a whole number of 0 or more, such as 72."),
        ("REQUIRE_SECOND_FACTOR", "yess", "REQUIRE_SECOND_FACTOR is “yess”: set true or false."),
        ("BEHIND_PROXY", "nginx", "BEHIND_PROXY is “nginx”: set true or false."),
        ("LOG_LEVEL", "loud", "LOG_LEVEL is “loud”: choose DEBUG, INFO, WARNING, ERROR or CRITICAL."),
        ("ADMIN_PATH", "", f"ADMIN_PATH is “”: {SLASHES}"),
        ("SITE_URL", "", f"SITE_URL is “”: {HOST_ALONE}"),
        ("ALLOWED_HOSTS", "https://a.example", f"ALLOWED_HOSTS has “https://a.example”: {NAMES_ALONE}"),
        ("DATABASE_URL", "", f"DATABASE_URL is “”: {DATABASES}"),
        ("DATABASE_URL", "postgres://u:pw@127.0.0.1:54x2/a", f"DATABASE_URL is “postgres://…@127.0.0.1:54x2/a”: {DATABASES}"),
        ("DATABASE_URL", "sqlite:////proc/x/a.sqlite3", f"DATABASE_URL names /proc/x/a.sqlite3, {NO_FOLDER}"),
        (
            "DATABASE_URL",
            "sqlite://var/a.sqlite3",
            f"DATABASE_URL is “sqlite://var/a.sqlite3”, which names a host, and SQLite has none: {FOUR_SLASHES}",
        ),
        ("ADMINS", "x@y.org;z@q.org", "ADMINS has “x@y.org;z@q.org”: write mail addresses, separated by commas."),
        ("MAIL_FROM", "nonsense", f"MAIL_FROM is “nonsense”: {SENDER}"),
        ("CACHE_URL", "redis", f"CACHE_URL is “redis”: {CACHES}"),
        ("MAIL_URL", "smtp+tls://u:pw@host:abc", f"MAIL_URL is “smtp+tls://…@host:abc”: {MAIL_SERVERS}"),
    ],
)
def test_wrong_values_are_refused_in_one_line(name: str, value: str, sentence: str) -> None:
    assert settings_checked(**{name: value}) == (1, f"The settings are wrong: {sentence}")


def test_empty_values_are_the_defaults() -> None:
    empty = settings_checked(
        PORT="", PAGE_CACHE_MB=" ", BEHIND_PROXY="", REQUIRE_SECOND_FACTOR="", LOG_LEVEL="INFO", MAIL_FROM="", ADMINS=""
    )

    assert empty == settings_checked() == (0, "")


def refusal(read: Callable[..., Any], *arguments: Any) -> str:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(*arguments)
    return str(refused.value)


@pytest.mark.parametrize("path", ["/organise/", "organise", "organise//", "a b/", "<slug>/", "../", "organise/?", "/"])
def test_admin_path_that_leads_nowhere_is_refused(path: str) -> None:
    assert refusal(environment.admin_path, path) == f"ADMIN_PATH is “{path}”: {SLASHES}"


def test_admin_path_that_would_hide_pages_is_refused() -> None:
    addresses = [*(f"/{pattern.pattern}" for pattern in urls.urlpatterns), settings.STATIC_URL, settings.MEDIA_URL]
    folders = {match[1] for address in addresses if (match := re.match(r"/(\w+)/", address))}

    assert folders == environment.TAKEN_PATHS
    for folder in folders:
        sentence = f"ADMIN_PATH is “{folder}/”, where the site has pages or files: choose another path."
        assert refusal(environment.admin_path, f"{folder}/") == sentence


@pytest.mark.parametrize("path", ["organise/", "hidden-door/", "a/b.c/", "Door_2/"])
def test_admin_path_may_be_moved(path: str) -> None:
    assert environment.admin_path(path) == path


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("schedule.example.org", "schedule.example.org"),
        ("https://", "https://"),
        ("ftp://a.example", "ftp://a.example"),
        ("http://x.example.org:abc", "http://x.example.org:abc"),
        ("http://x.example.org:99999", "http://x.example.org:99999"),
        ("http://x.example.org/path", "http://x.example.org/path"),
        ("http://[::1", "http://[::1"),
        ("https://ada:secret@x.example.org", "https://…@x.example.org"),
    ],
)
def test_site_url_that_is_no_address_of_a_site_is_refused(address: str, shown: str) -> None:
    assert refusal(environment.site_url, address) == f"SITE_URL is “{shown}”: {HOST_ALONE}"


@pytest.mark.parametrize(
    "address", ["https://schedule.example.org", "http://localhost:8000", "http://[::1]:8000", "http://web_1"]
)
def test_site_url_is_without_a_slash_at_its_end(address: str) -> None:
    assert (environment.site_url(address), environment.site_url(f"{address}/")) == (address, address)


@pytest.mark.parametrize("name", ["a.example:8000", "a.example/", "a b"])
def test_host_name_that_matches_no_request_is_refused(name: str) -> None:
    assert refusal(environment.host_names, ["b.example", name]) == f"ALLOWED_HOSTS has “{name}”: {NAMES_ALONE}"


def test_host_names_are_those_that_django_knows() -> None:
    assert environment.host_names(["a.example", " .b.example", "[::1]", "*"]) == ["a.example", ".b.example", "[::1]", "*"]


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        pytest.param("foo", "foo", id="word"),
        pytest.param("postgres:/u:secret@host/a", "postgres:…@host/a", id="one-slash"),
        pytest.param("u:secret@host/a", "u:…@host/a", id="no-scheme"),
        pytest.param("mysql://u:se/c@ret@host/a?password=secret", "mysql://…@host/a?…", id="another-database"),
        pytest.param("postgres://u:secret", "postgres://u:…", id="no-host"),
        pytest.param("postgres://u:secret@host:port/a", "postgres://…@host:port/a", id="port"),
    ],
)
def test_no_password_is_in_the_refusal(address: str, shown: str) -> None:
    read = environment.env.db_url_config

    assert (
        refusal(environment.service, "DATABASE_URL", address, {"postgres"}, read, "…") == f"DATABASE_URL is “{shown}”: write …."
    )


@pytest.mark.parametrize("address", ["redis:", "redis://", "redis://host:abc/0", "rediscache://a:1,b:c/0", "gopher://x"])
def test_cache_that_nobody_could_ask_is_refused(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL is “"):
        environment.service("CACHE_URL", address, environment.env.CACHE_SCHEMES, environment.cache_config, "…")


@pytest.mark.parametrize(
    ("address", "location"),
    [
        ("rediscache://:secret@a:6379/0", "redis://:secret@a:6379/0"),
        ("redis:///run/redis.sock", "unix:///run/redis.sock"),
        ("locmemcache://hallway", "hallway"),
    ],
)
def test_cache_is_where_its_address_says(address: str, location: str) -> None:
    assert environment.cache_config(address)["LOCATION"] == location


@pytest.mark.parametrize("address", ["sqlite://", "sqlite://:memory:", "sqlite:///a/b.sqlite3", "sqlite:////a/b.sqlite3"])
def test_file_of_sqlite_needs_no_host(address: str) -> None:
    assert environment.database_config(address) == environment.env.db_url_config(address)


@pytest.mark.parametrize(
    "sender",
    [
        "a@b.org",
        "root@machine",
        "a@[127.0.0.1]",
        "Hallway 4.0 (test) <a.b+c@d.org>",
        '"Grace, of ICLR" <a@b.org>',
        "Prüfung <a@bücher.example>",
    ],
)
def test_sender_is_one_address_and_perhaps_a_name(sender: str) -> None:
    assert environment.mail_sender(sender) == sender


@pytest.mark.parametrize(
    "sender", ["a@", "@b.org", "a@b.org, c@d.org", "Grace, of ICLR <a@b.org>", "Hallway a@b.org", "Hallway <a@b.org", "A <b>"]
)
def test_sender_that_no_mail_server_would_take_is_refused(sender: str) -> None:
    assert refusal(environment.mail_sender, sender) == f"MAIL_FROM is “{sender}”: {SENDER}"


def test_addresses_may_have_spaces_between_them() -> None:
    assert environment.mail_addresses(["a@b.org", " c@d.org"]) == ["a@b.org", "c@d.org"]


def test_password_may_have_any_character() -> None:
    read = environment.env.db_url_config
    config = environment.service("DATABASE_URL", "postgres://u:p#w[@a:1,b:2/name", {"postgres"}, read, "…")

    assert (config["PASSWORD"], config["HOST"], config["PORT"]) == ("p#w[", "a,b", "1,2")


def test_no_folder_is_made_above_that_of_the_database(tmp_path: Path) -> None:
    good = settings_checked(DATABASE_URL=f"sqlite:///{tmp_path}/one/a.sqlite3")
    status, sentence = settings_checked(DATABASE_URL=f"sqlite:///{tmp_path}/slip/one/a.sqlite3")

    assert (good, status) == ((0, ""), 1)
    assert sentence == f"The settings are wrong: DATABASE_URL names {tmp_path}/slip/one/a.sqlite3, {NO_FOLDER}"
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def export_folder(database: str, site_url: str = "https://a.example") -> str:
    values = {"DATABASE_URL": database, "SITE_URL": site_url, "SECRET_KEY": "k" * 50}
    command = [sys.executable, "-c", "from conference import settings; print(settings.EXPORT_ROOT)"]
    return subprocess.run(command, cwd=PROJECT, env=values, capture_output=True, text=True, check=True).stdout.strip()


def test_sites_that_run_from_one_folder_share_no_exports(tmp_path: Path) -> None:
    site, other = f"sqlite:///{tmp_path}/site.sqlite3", f"sqlite:///{tmp_path}/other.sqlite3"
    server = "postgres://hallway:former@db.example:5432"
    sites = [(site,), (other,), (site, "http://127.0.0.1:8099"), (f"{server}/site",), (f"{server}/rehearsal",)]

    folders = [export_folder(*names) for names in sites]

    assert len(set(folders)) == len(sites)
    assert {str(Path(folder).parent) for folder in folders} == {str(PROJECT / "var/exports")}
    # Of one site, whose password was changed.
    assert export_folder("postgres://hallway:new@db.example:5432/site") == folders[3]
