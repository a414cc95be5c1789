"""Names in /etc/hallway.env that nothing reads, such as a setting with a slip."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from django.conf import settings

SETTINGS_FILE = Path("/etc/hallway.env")
# Has every setting once, some of them in comments.
EXAMPLE = "deploy/hallway.env"
NAME_PATTERN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
EXAMPLE_NAME_PATTERN = re.compile(r"#?([A-Z_]+)=")
# Read by libraries and by programs that the services start.
OF_OTHER_PROGRAMS = re.compile(
    r"(PG|LC_|MALLOC_|SSL_|PIP_|PYTHON|GRANIAN_|PROMETHEUS_)\w*|LANG|LANGUAGE|TZ|TMPDIR|PATH|HOME|SENTRY_ENVIRONMENT|SENTRY_RELEASE|"
    r"(ALL|FTP|HTTPS?|NO)_PROXY",
    re.IGNORECASE,
)


def unknown_setting_problems() -> list[str]:
    """None where there is no such file, or where this user may not read it."""
    known = {match[1] for line in _lines(settings.BASE_DIR / EXAMPLE) if (match := EXAMPLE_NAME_PATTERN.match(line))}
    if not known:
        return []
    found = [(number, match[1]) for number, line in enumerate(_lines(SETTINGS_FILE), 1) if (match := NAME_PATTERN.match(line))]
    return [
        _sentence(number, name, known) for number, name in found if name not in known and not OF_OTHER_PROGRAMS.fullmatch(name)
    ]


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []


def _sentence(number: int, name: str, known: set[str]) -> str:
    alike = difflib.get_close_matches(name.upper(), sorted(known), 1)
    remedy = f"Write {alike[0]} if that is meant, or delete the line." if alike else "Delete the line, or correct the name."
    return f"{SETTINGS_FILE}, line {number}: {name} is no setting, and nothing reads it. {remedy}"
