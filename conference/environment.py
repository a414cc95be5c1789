"""Settings from the environment: a wrong value is refused with its name, the value without what may be secret, and the remedy."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()

# The first parts of addresses of the app (events/urls.py) and of files, which the admin would hide, or they the admin.
TAKEN_PATHS = {"account", "feeds", "media", "metrics", "static"}
ADMIN_PATH_PATTERN = re.compile(r"([a-z0-9_][a-z0-9_.-]*/)+", re.IGNORECASE)
SITE_URL_PATTERN = re.compile(r"https?://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]+)?/*", re.IGNORECASE)
# As Django compares them with the Host header: a name without its port, .example.org with all names below it, or any name.
HOST_PATTERN = re.compile(r"\*|\.?[a-z0-9_][a-z0-9_.-]*|\[[0-9a-f:.]+\]", re.IGNORECASE)

# One address, also at a machine without a domain; several are separated by commas elsewhere.
MAIL_ADDRESS = r"[^\s@,;:<>()\"\\]+@([\w.-]+|\[[0-9a-f:.]+\])"
MAIL_ADDRESS_PATTERN = re.compile(MAIL_ADDRESS, re.IGNORECASE)
# A name with one of the marks that separate addresses is within quotes.
MAIL_SENDER_PATTERN = re.compile(rf'("[^"\r\n]*"\s*|[^<>@,;:"\r\n]*)<{MAIL_ADDRESS}>|{MAIL_ADDRESS}', re.IGNORECASE)


def whole_number(name: str, default: int) -> int:
    """The setting as a number of at least 0; the default if nothing is set."""
    text = env.str(name, "").strip() or str(default)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ImproperlyConfigured(f"{name} is “{text}”: set a whole number of 0 or more, such as {default}.")
    return int(text)


def yes_or_no(name: str, default: bool) -> bool:
    """The setting as true or false. A word that is neither must not switch a protection off."""
    text = env.str(name, "").strip().lower() or str(default).lower()
    if text not in {"true", "yes", "on", "1", "false", "no", "off", "0"}:
        raise ImproperlyConfigured(f"{name} is “{text}”: set true or false.")
    return text in {"true", "yes", "on", "1"}


def site_url(text: str) -> str:
    """SITE_URL without a slash at its end."""
    try:
        is_right = bool(SITE_URL_PATTERN.fullmatch(text)) and urlsplit(text).port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise ImproperlyConfigured(
            f"SITE_URL is “{_without_user(text)}”: write https://host or http://host:8000, without a path."
        )
    return text.rstrip("/")


def admin_path(text: str) -> str:
    if not ADMIN_PATH_PATTERN.fullmatch(text):
        raise ImproperlyConfigured(f"ADMIN_PATH is “{text}”: write a path that ends in a slash and begins with none: organise/.")
    if text.partition("/")[0].lower() in TAKEN_PATHS:
        raise ImproperlyConfigured(f"ADMIN_PATH is “{text}”, where the site has pages or files: choose another path.")
    return text


def host_names(names: list[str]) -> list[str]:
    """Names of ALLOWED_HOSTS."""
    names = [name.strip() for name in names]
    if wrong := [name for name in names if not HOST_PATTERN.fullmatch(name)]:
        shown = _without_user(wrong[0])
        raise ImproperlyConfigured(f"ALLOWED_HOSTS has “{shown}”: write names without https:// and port, separated by commas.")
    return names


def mail_addresses(texts: list[str]) -> list[str]:
    """ADMINS."""
    texts = [text.strip() for text in texts]
    if wrong := [text for text in texts if not MAIL_ADDRESS_PATTERN.fullmatch(text)]:
        raise ImproperlyConfigured(f"ADMINS has “{wrong[0]}”: write mail addresses, separated by commas.")
    return texts


def mail_sender(text: str) -> str:
    """MAIL_FROM: a mail address, with a name before it or without."""
    if not MAIL_SENDER_PATTERN.fullmatch(text):
        raise ImproperlyConfigured(f"MAIL_FROM is “{text}”: write one mail address, such as Hallway <hallway@example.org>.")
    return text


def service(
    name: str, text: str, schemes: Collection[str], read: Callable[[str], dict[str, Any]], examples: str
) -> dict[str, Any]:
    """The address of a service as Django takes it."""
    scheme, mark, _ = text.partition("://")
    try:
        if mark and scheme.lower() in schemes:
            return read(text)
    except ValueError:
        # Its text may have a part of the password.
        pass
    raise ImproperlyConfigured(f"{name} is “{_without_secrets(text)}”: write {examples}.")


def database_config(text: str) -> dict[str, Any]:
    """As django-environ does, which takes the first folder after two slashes for a host and opens another file."""
    address = urlsplit(text)
    if address.scheme == "sqlite" and address.netloc not in {"", ":memory:"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL is “{_without_secrets(text)}”, which names a host, and SQLite has none: write four slashes before the "
            "path of the file, sqlite:////folder/file.sqlite3."
        )
    config: dict[str, Any] = env.db_url_config(text)
    return config


def cache_config(text: str) -> dict[str, Any]:
    """As django-environ does, which does not look at the ports of caches and takes an address without a host."""
    address = urlsplit(text)
    for host in address.netloc.rpartition("@")[2].split(","):
        # Raises for a port that is no number.
        _ = urlsplit(f"//{host}").port
    if address.scheme.startswith("redis") and not (address.hostname or address.path.strip("/")):
        raise ValueError("Redis has no host")
    config: dict[str, Any] = env.cache_url_config(text)
    return config


def _without_user(address: str) -> str:
    return re.sub(r"\A([\w+.-]+:(?://)?)?.*@", r"\1…@", address, flags=re.DOTALL)


def _without_secrets(address: str) -> str:
    """Neither user and password nor options; without a host, what follows a colon may be the password too."""
    shown = re.sub(r"\?.*", "?…", _without_user(address), flags=re.DOTALL)
    return shown if "@" in shown else re.sub(r":(?!//|[0-9]+(/|\Z)).+", ":…", shown, flags=re.DOTALL)
