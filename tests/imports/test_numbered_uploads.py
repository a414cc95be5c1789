"""The numbered bad files of docs/trust.md, as an organiser uploads them: refused in words, or shown before they are written."""

from __future__ import annotations

import gzip
import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from events.models import Conference, Event, Link
from tests.admin.conftest import logged_in, staff
from tests.imports.formats.bad_files import schedule_json, talk, zipped
from tests.imports.formats.icalendar.calendar_files import GOOD, calendar
from tests.imports.formats.schedule_xml.xml_files import GUID, event, schedule

pytestmark = pytest.mark.django_db
FORM = "/organise/events/conference/programme/"
FINE = event(guid=f"{GUID[:-1]}9", title="Good")
ENTRY = "UID:1\nSUMMARY:Talk\n"
HOUR = ENTRY + "DTSTART:20220603T100000Z\nDURATION:PT1H\n"

Content = bytes | Callable[[], bytes]


def with_doctype(doctype: str, body: str = "&x;") -> bytes:
    return f'<?xml version="1.0"?>\n{doctype}\n<schedule><conference><title>{body}</title></conference></schedule>'.encode()


def with_good(**texts: str) -> bytes:
    """A schedule.xml of an event that says this, and of one that is as it should be."""
    return schedule(event(**texts), FINE)


def with_inner(*inside: str) -> bytes:
    return schedule(event(*inside), FINE)


def repeated(rule: str) -> bytes:
    return calendar(f"{HOUR}RRULE:{rule}", GOOD)


def laughs() -> bytes:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    return with_doctype(f'<!DOCTYPE schedule [<!ENTITY l0 "lol">\n{lines}]>', "&l9;")


DOCTYPE = "declares a document type or entities, which no schedule needs: take the <!DOCTYPE …> out"
NOT_WELL = "is not well-formed XML at character"
DATE = "is not a date between 1900 and 2199"
CROSS = "FREQ=DAILY;COUNT=9;BYHOUR=" + ",".join(map(str, range(24))) + ";BYMINUTE=" + ",".join(map(str, range(60)))

# What the page says, beside the name of the file. B53 and B54 are pictures: tests/core/test_photos.py.
REFUSED: dict[str, tuple[Content, str]] = {
    "B01 billion laughs": (laughs, f"line 2: {DOCTYPE}"),
    "B02 blow-up": (with_doctype(f'<!DOCTYPE schedule [<!ENTITY x "{"y" * 50_000}">]>', "&x;" * 150), f"line 2: {DOCTYPE}"),
    "B03 a file": (with_doctype('<!DOCTYPE schedule [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), f"line 2: {DOCTYPE}"),
    "B04 an address": (with_doctype('<!DOCTYPE schedule [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>'), f"line 2: {DOCTYPE}"),
    "B05 external DTD": (with_doctype('<!DOCTYPE schedule SYSTEM "http://127.0.0.1:9/x.dtd">', ""), f"line 2: {DOCTYPE}"),
    "B07 200,000 nested tags": (lambda: b"<schedule>\n" + b"<a>" * 200_000, "line 2: nests elements 60 deep"),
    "B09 a byte of Latin-1": (with_good().replace(b"Talk", b"T\xe4lk"), f"line 5: {NOT_WELL} 9"),
    "B10 truncated": (with_good()[:-30], f"{NOT_WELL} 83 (unclosed token): export it again"),
    "B10 truncated calendar": (calendar(GOOD)[:-40], "ends inside a VEVENT: export it again"),
    "B11 empty": (b"", "The file is empty."),
    "B11 blank": (b"\n \n", "is empty: export it again"),
    "B12 a login page": (b"<!DOCTYPE html>\n<html><body><form></form></body></html>", "is a web page and not a schedule"),
    "B26 a path for a zone": (schedule(FINE, zone="../../etc/passwd"), "“../../etc/passwd” is not a time zone"),
    "B29 100,000 events": (lambda: schedule(FINE * 100_000), "split it"),
    "B30 nested JSON": (b'{"schedule": {"conference": ' + b"[" * 200_000, "nests lists too deep for any schedule"),
    "B31 5,000 digits": (b'{"schedule": {"conference": ' + b"9" * 5000 + b"}}", "a number has 5,000 digits"),
    "B32 NaN": (b'{"schedule": {"conference": NaN}}', "NaN is not a number in JSON"),
    "B32 Infinity": (b'{"schedule": {"conference": -Infinity}}', "-Infinity is not a number in JSON"),
    "B33 a key twice": (b'{"schedule": {"conference": {"title": "a", "title": "b"}}}', "the key “title” is there twice"),
    "B37 NUL": (with_good().replace(b"Talk", b"T\0lk"), f"line 5: {NOT_WELL} 9"),
    "B40 a line of 20 MB": (lambda: b"BEGIN:VCALENDAR\nDESCRIPTION:" + b"x" * 21_000_000, "20 MB"),
    "B41 50,000 events": (lambda: calendar(*[GOOD] * 50_000), "has more than 20,000 events: split it"),
    "B49 3,000 nested events": (b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\n" * 3000, "ends inside a VEVENT"),
    "B51 zip slip": (zipped({"a/../../../etc/cron.d/x": b"x", "b": b"y"}), "which points outside: make it again"),
    "B51 zip bomb": (lambda: zipped({"schedule.xml": bytes(128 * 2**20)}), "MB"),
    "B52 gzip bomb": (lambda: gzip.compress(bytes(128 * 2**20)), "is compressed with gzip: unpack it first"),
}
# What the preview says of it, if anything, and how many events there are afterwards: with its own or without.
TAKEN: dict[str, tuple[Content, str, int]] = {
    "B06 XInclude": (
        with_inner('<abstract><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/></abstract>'),
        "",
        2,
    ),
    "B08 UTF-16": (with_good().decode().replace('"utf-8"', '"utf-16"').encode("utf-16"), "", 2),
    "B13 a guid twice": (schedule(event(), event(start="10:00"), FINE), "", 3),
    "B14 an id twice": (schedule(event(), FINE), "", 2),
    "B15 no guid": (schedule(event(guid=""), FINE), "", 2),
    "B16 no date": (with_good(date="yesterday"), f"event “Talk”: “yesterday” {DATE}", 1),
    "B17 date and start disagree": (with_good(date="2025-04-24T11:00:00+08:00"), "start disagree; the date is used", 2),
    "B18 90 minutes": (with_good(duration="00:90"), "", 2),
    "B19 a negative length": (with_good(duration="-1:30"), "“-1:30” is not a duration: write it as 1:30", 1),
    "B20 no length": (with_good(duration="00:00"), "event “Talk”: has no length; 5 minutes are assumed", 2),
    "B21 26 days": (with_good(duration="26:00:00"), "it lasts 26 days; no event may last more than 14", 1),
    "B22 after midnight": (with_good(start="01:30"), "", 2),
    "B23 an hour that is left out": (
        schedule(event(start="02:30", date=""), FINE, date="2025-03-29", zone="Europe/Vienna"),
        "the clocks at the venue leave out 02:30 on 2025-03-30; 03:30 is used",
        2,
    ),
    "B24 an hour that comes twice": (
        schedule(event(start="02:30", date=""), FINE, date="2025-10-25", zone="Europe/Vienna"),
        "the clocks at the venue show 02:30 twice on 2025-10-26; the first is used",
        2,
    ),
    "B25 year 9999": (with_good(date="9999-12-31T23:59:00-14:00"), DATE, 1),
    "B27 scripts": (
        with_inner("<links><link href='javascript:alert(1)'>a</link><link href='data:text/html,x'>b</link></links>"),
        "“javascript:alert(1)” is not an http(s) address; it is left out",
        2,
    ),
    "B28 a slug with ../": (with_good(slug="../../etc/passwd", guid=""), "", 2),
    "B34 half a character": (schedule_json(talk(title="A\ud83d B")), "the character U+D83D is left out", 1),
    "B35 wrong types": (
        schedule_json(talk(persons=7, room=[], links={"a": None}), talk(guid=f"{GUID[:-1]}9", id=2)),
        "“Talk”, persons is not a list; it is left out",
        2,
    ),
    "B36 byte order mark": (b"\xef\xbb\xbf" + schedule_json(talk()), "", 1),
    "B38 a rule of seconds": (repeated("FREQ=SECONDLY;COUNT=1000000000"), "event “Talk”: it repeats in an unusual way", 1),
    "B39 a cross product": (repeated(CROSS), "event “Talk”: it repeats in an unusual way", 1),
    "B42 an endless alarm": (calendar(f"{GOOD}\nBEGIN:VALARM\nTRIGGER:-PT15M\nREPEAT:2147483647\nEND:VALARM"), "", 1),
    "B43 month 13": (calendar(f"{ENTRY}DTSTART:20221345T100000Z", GOOD), "“20221345T100000Z” is not a date", 1),
    "B44 no start": (calendar(ENTRY, GOOD), "event “Talk”: it has no DTSTART: give it a day", 1),
    "B45 an end before the start": (
        calendar(f"{ENTRY}DTSTART:20220603T100000Z\nDTEND:20220603T090000Z", GOOD),
        "event “Talk”: it ends before it starts",
        1,
    ),
    "B46 a zone of another planet": (
        calendar(f"{ENTRY}DTSTART;TZID=Mars/Olympus:20220603T100000", GOOD),
        "“Mars/Olympus” is not a known time zone: export the calendar in UTC",
        1,
    ),
    "B47 a floating time": (
        calendar(f"{ENTRY}DTSTART:20220603T100000", GOOD),
        "event “Talk”: has neither an end nor a length; 60 minutes are assumed",
        2,
    ),
    "B48 addresses of no web page": (
        calendar(f"{HOUR}URL:javascript:alert(1)\nATTACH:file:///etc/passwd", GOOD),
        "“javascript:alert(1)” is not an http(s) address; it is left out",
        2,
    ),
    "B50 Latin-1 and bare returns": (
        calendar(HOUR.replace("Talk", "Café"), GOOD).decode().replace("\r\n", "\r").encode("latin-1"),
        "is not UTF-8; it is read as Latin-1",
        2,
    ),
}
PICTURES = {"B53", "B54"}
HEAVY = {"B29 100,000 events", "B40 a line of 20 MB", "B41 50,000 events", "B51 zip bomb", "B52 gzip bomb"}


@pytest.fixture
def organiser(db: None, settings: Settings, tmp_path: Path) -> Client:
    settings.UPLOAD_ROOT = tmp_path / "uploads"
    client = logged_in(staff("Grace", "Organisers"))
    client.raise_request_exception = False
    return client


def send(client: Client, content: Content) -> Any:
    data = content if isinstance(content, bytes) else content()
    # A calendar whose hours are in UTC names no zone of the venue.
    zone = {"timezone": "Europe/London"} if data.startswith(b"BEGIN:VCALENDAR") else {}
    return client.post(FORM, {"file": SimpleUploadedFile("talks", data), "slug": "demo", **zone}, follow=True)


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", page.text)))


def test_every_number_has_a_file() -> None:
    numbers = {name[:3] for name in [*REFUSED, *TAKEN]} | PICTURES

    assert numbers == {f"B{number:02}" for number in range(1, 55)}


@pytest.mark.parametrize("name", [pytest.param(it, marks=pytest.mark.slow) if it in HEAVY else it for it in REFUSED])
def test_file_is_refused_in_words_and_nothing_is_written(organiser: Client, name: str) -> None:
    content, sentence = REFUSED[name]

    page = send(organiser, content)

    assert page.status_code == 422
    assert sentence in words(page)
    assert name == "B11 empty" or re.search("talks[:,]", words(page))
    assert (Conference.objects.count(), Event.objects.count()) == (0, 0)


@pytest.mark.parametrize("name", TAKEN)
def test_file_is_shown_with_what_is_left_out_before_it_is_written(organiser: Client, name: str) -> None:
    content, sentence, events = TAKEN[name]

    page = send(organiser, content)
    before = Event.objects.count()
    result = organiser.post(page.request["PATH_INFO"], {"confirm": "Import it"}, follow=True)

    assert (page.status_code, before, result.status_code) == (200, 0, 200)
    assert sentence in words(page)
    assert Event.objects.count() == events
    assert Event.objects.filter(start=None).count() == 0
    assert Link.objects.exclude(url__startswith="https://").count() == 0
    assert Event.objects.filter(abstract__contains="root:").count() == 0
