"""B01 to B51 of heavy files: each is refused within seconds and in little memory."""

from __future__ import annotations

import bz2
import gzip
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.imports.formats.bad_files import SECONDS, schedule_json, talk, zipped
from tests.imports.formats.icalendar.calendar_files import calendar
from tests.imports.formats.schedule_xml.xml_files import schedule
from tests.processor import slowness

MEGABYTES = 200
CHILD = """
import sys, time
from events.imports.formats import registry as formats
from events.imports.formats.document import Document
from events.core.parsing.errors import ScheduleParseError
from events.imports.formats.document import Hints
content = sys.stdin.buffer.read()
began = time.process_time()
try:
    formats.parse_document(Document.from_upload("talks", content), Hints(slug="demo", timezone="Asia/Singapore"))
    print("taken")
except ScheduleParseError as error:
    print(error)
print(time.process_time() - began)
# What getrusage() calls the peak includes the process this one was forked from.
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024)
"""
ROOT = Path(__file__).parents[3]
BOMB = 128 * 2**20
SMALL = "<event id='1'><title>a</title><start>09:00</start><duration>0:30</duration></event>"

UNTITLED, NEVER = "UID:1\nDTSTART", "FREQ=DAILY;COUNT=9;BYMONTH=2;BYMONTHDAY=30"
ENDLESS_ZONE = calendar(
    f"{UNTITLED};TZID=Mars:20220603T100000",
    head="BEGIN:VTIMEZONE\nTZID:Mars\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n"
    "RRULE:FREQ=SECONDLY\nEND:STANDARD\nEND:VTIMEZONE\n",
)


def costs(content: bytes) -> tuple[str, float, float]:
    """What a process of its own says of it, in how many seconds, with how many megabytes."""
    run = subprocess.run([sys.executable, "-c", CHILD], input=content, capture_output=True, check=True, cwd=ROOT, timeout=60)
    said, seconds, megabytes = run.stdout.decode().splitlines()
    return said, float(seconds), float(megabytes)


HEAVY = {
    "B07 200,000 nested tags": lambda: b"<schedule>" + b"<day>" * 200_000 + b"</day>" * 200_000 + b"</schedule>",
    "B29 100,000 events": lambda: schedule(SMALL * 100_000),
    "B29 100,000 events as JSON": lambda: schedule_json(*[talk()] * 100_000),
    "B29 20,000 events and one": lambda: schedule(SMALL * 20_001),
    "a million elements": lambda: b"<schedule>" + b"<a/>" * 1_000_000 + b"</schedule>",
    "a million attributes": lambda: b"<schedule " + b" ".join(b'a%d=""' % it for it in range(1_000_000)) + b"/>",
    "20 MB of text beyond the basic plane": lambda: b"<schedule>\xf0\x9f\x8e\x89" + b"a" * (20 * 2**20 - 99) + b"</schedule>",
    "B30 deep JSON": lambda: b'{"schedule":{"conference":' + b"[" * 200_000 + b"]" * 200_000 + b"}}",
    "JSON of many objects": lambda: b'{"schedule":1,"conference":[' + b'{"a":0},' * 390_000 + b"{}]}",
    "JSON of many more": lambda: b'{"schedule":1,"conference":[' + b"{}," * 3_000_000 + b"{}]}",
    "JSON of many texts": lambda: b'{"schedule":1,"conference":[' + b'"ab",' * 1_900_000 + b'"ab"]}',
    "B40 20 MB in a line of JSON": lambda: b'{"schedule":1,"conference":"\xf0\x9f\x8e\x89' + b"a" * (20 * 2**20 - 99) + b'"}',
    "a calendar of many lines": lambda: calendar("UID:1\n" * 400_000),
    "a calendar of folds": lambda: b"BEGIN:VCALENDAR" + b"\n " * (10 * 2**20 - 99),
    "a calendar of parameters": lambda: calendar(*["UID;A=" + "1;A=" * 500 + "1:1"] * 9_000),
    "a calendar of rules that never come true": lambda: calendar(*[f"{UNTITLED}:20220603\nRRULE:{NEVER}"] * 4_000),
    "a calendar of many weekdays": lambda: calendar(*["RRULE:FREQ=DAILY;BYDAY=" + "MO," * 500 + "MO"] * 9_000),
    "a calendar of many categories": lambda: calendar(*["CATEGORIES:" + "a," * 900 + "a"] * 9_000),
    "a calendar whose zone changes every second": lambda: ENDLESS_ZONE,
    "B51 a zip of 128 MB": lambda: zipped({"schedule.xml": bytes(BOMB)}),
    "B51 a zip of 128 MB in bzip2": lambda: zipped({"schedule.xml": bytes(BOMB)}, zipfile.ZIP_BZIP2),
    "B51 a zip of many files": lambda: zipped({f"{it}.xml": b"" for it in range(30_000)}),
    "B52 gzip": lambda: gzip.compress(bytes(BOMB)),
    "bzip2": lambda: bz2.compress(bytes(BOMB)),
}


# In the short run one of each sort of harm: many, deep, and more than it weighs.
SHORT = {"B29 20,000 events and one", "B30 deep JSON", "B51 a zip of many files"}


@pytest.mark.parametrize("name", [pytest.param(it, marks=() if it in SHORT else pytest.mark.slow) for it in HEAVY])
def test_heavy_files_are_refused_quickly_in_little_memory(name: str) -> None:
    said, seconds, megabytes = costs(HEAVY[name]())

    assert said.startswith("talks")
    assert seconds < SECONDS * slowness()
    assert megabytes < MEGABYTES
