"""No secret is in the repository."""

from __future__ import annotations

import re
import subprocess

from tests.processes import PROJECT

# Private keys, keys of a site, and the tokens of our own cookies and addresses. Tests may have made-up tokens, but no keys.
KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|SECRET_KEY(?:_FALLBACKS)?\W{1,6}[\w+/-]{40}")
TOKEN = re.compile(rb"(?:hallway=|feeds/|shared/)[\w-]{32}(?![\w-])")


def secrets_in(name: str, content: bytes) -> list[bytes]:
    return KEY.findall(content) + (TOKEN.findall(content) if not name.startswith("tests/") else [])


def test_no_tracked_file_has_a_key_or_a_token_of_ours() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if (PROJECT / name).is_file()]

    assert "conference/settings.py" in names
    assert {name: found for name in names if (found := secrets_in(name, (PROJECT / name).read_bytes()))} == {}


def test_secrets_are_recognised() -> None:
    written = [b"-----BEGIN RSA " + b"PRIVATE KEY-----", b'SECRET_KEY = "' + b"k" * 50, b"SECRET_KEY=" + b"k" * 40]
    token = b"https://schedule.example.org/feeds/" + b"t" * 32 + b".ics"

    assert [len(secrets_in("tests/data/file", it)) for it in [*written, token]] == [1, 1, 1, 0]
    assert len(secrets_in("docs/calendars.md", token)) == 1
