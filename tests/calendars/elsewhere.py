"""The same programme written by another process into another database: its calendars' bytes, as digests."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from tests.calendars.programme import Programme


ADDRESSES = [
    "/vienna/schedule.ics",
    "/vienna/schedule.ics?kind=social&day=2025-03-30",
    "/vienna/schedule/2025-03-29.ics",
    "/vienna/people/00000000-0000-0000-0000-000000000001.ics",
    "/vienna/agenda.ics",
]


def digests(programme: Programme) -> dict[str, list[str]]:
    """By name, the bytes and the tag; a tag that counts rows of this database is left out. Feed addresses are random."""
    found = {}
    for name, address in [*((it, it) for it in ADDRESSES), ("feed", programme.feed)]:
        response = programme.visitor().get(address)
        tag = response["ETag"] if address in ADDRESSES[:4] else ""
        found[name] = [hashlib.sha256(response.content).hexdigest(), tag]
    return found


def main() -> None:
    django.setup()
    # What reads models is not to be imported before Django has them.
    import time_machine  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from django.test import override_settings  # noqa: PLC0415
    from django.test.utils import setup_test_environment  # noqa: PLC0415

    from tests.calendars.programme import BEFORE, Programme  # noqa: PLC0415

    setup_test_environment()
    call_command("migrate", verbosity=0)
    # Other processes of the tests store exports in the usual folder.
    exports = override_settings(EXPORT_ROOT=Path(sys.argv[1]))
    with exports, time_machine.travel(BEFORE, tick=False):
        sys.stdout.write(json.dumps(digests(Programme())))


if __name__ == "__main__":
    main()
