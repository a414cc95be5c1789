"""New time zone data as an operator gets them: other processes, other files, and the feed before and after."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from events.models import Event
from tests.calendars.reading import problems
from tests.clocks import write_zone
from tests.factories import make_conference, make_event
from tests.processes import PROJECT, database_url

ADDRESS = "/iclr-2025/schedule.ics"


class Feed(NamedTuple):
    etag: str
    body: bytes

    def values(self, name: str) -> list[str]:
        return re.findall(rf"^{name}[;:](.*?)\r$", self.body.decode(), re.MULTILINE)


def run(*command: str, zones: Path | None = None) -> bytes:
    """What a process prints that starts with these time zone files."""
    environment = {**os.environ, "DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "conference.settings", "DEBUG": "true"}
    if zones:
        environment["PYTHONTZPATH"] = str(zones)
    done = subprocess.run([sys.executable, *command], cwd=PROJECT, env=environment, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def feed(zones: Path | None = None) -> Feed:
    etag, _, body = run("-m", "tests.calendars.printed_feed", ADDRESS, zones=zones).partition(b"\n")
    assert problems(body) == []
    return Feed(etag.decode(), body)


@pytest.mark.django_db(transaction=True)
def test_feed_moves_with_the_clocks_and_says_so(tmp_path: Path) -> None:
    conference = make_conference(slug="iclr-2025")
    event = make_event(conference, title="Opening", start="09:00", end="10:00", place="Hall 1")
    zones = write_zone(tmp_path, "Asia/Singapore", ("", 8), ("2025-04-01T00:00:00", 9))

    before = feed()
    told = run("manage.py", "follow_time_zones", zones=zones).decode()
    after, again = feed(zones), feed(zones)

    assert told == (
        "ICLR 2025: new rules for the clocks of Asia/Singapore move 1 time.\n"
        "  2025-04-24 09:00 stays: Opening moves from 01:00 to 00:00 UTC\n"
    )
    assert (before.values("DTSTART")[1:], before.values("DTEND")) == (["20250424T010000Z"], ["20250424T020000Z"])
    assert (after.values("DTSTART")[-1:], after.values("DTEND")) == (["20250424T000000Z"], ["20250424T010000Z"])
    assert before.values("UID") == after.values("UID") == [str(event.guid)]
    assert (before.values("SEQUENCE"), after.values("SEQUENCE")) == (["0"], ["1"])
    assert after.values("LAST-MODIFIED") == after.values("DTSTAMP") > before.values("LAST-MODIFIED")
    assert "Thu 24 Apr\\, 09:00–10:00 Singapore time" in after.values("DESCRIPTION")[-1]
    assert before.etag != after.etag
    assert after == again


@pytest.mark.django_db(transaction=True)
def test_migrate_with_new_data_moves_and_once_is_enough(tmp_path: Path) -> None:
    make_event(make_conference(slug="iclr-2025"), start="09:00", end="10:00")
    zones = write_zone(tmp_path, "Asia/Singapore", ("", 8), ("2025-04-01T00:00:00", 9))

    run("manage.py", "migrate", "--verbosity", "0", zones=zones)
    told = run("manage.py", "follow_time_zones", zones=zones).decode()

    assert told == "The clocks of all venues are what they were: nothing to move.\n"
    assert Event.objects.get().sequence == 1
