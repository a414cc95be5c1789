from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from events.models import Agenda
from tests.agenda.bookmarking import make_talk, url_of
from tests.factories import make_agenda, make_conference
from tests.visitors import HTMX

SORRY = "The site is very busy, so this could not be done. Nothing was changed, and your bookmarks are safe."


@contextlib.contextmanager
def somebody_else_writing() -> Iterator[None]:
    """Another process holds what a bookmark needs, and we wait for a moment only."""
    if connection.vendor == "sqlite":
        execute("PRAGMA busy_timeout = 50")
        other: Any = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        execute("SET lock_timeout = '50ms'")
        params = {**connection.get_connection_params(), "cursor_factory": psycopg.Cursor}
        other = psycopg.connect(**params)
        other.execute("LOCK TABLE events_agenda IN EXCLUSIVE MODE")
    try:
        yield
    finally:
        other.close()
        if connection.vendor == "postgresql":
            # The pool hands this session on with its settings.
            execute("RESET lock_timeout")
        connection.close()


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def failing_client(token: str) -> Client:
    client = Client(raise_request_exception=False)
    client.cookies["hallway"] = token
    return client


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_bookmark_while_the_database_is_busy_is_told_when_to_come_back(headers: dict[str, str]) -> None:
    talk = make_talk()
    _, token = make_agenda(talk.conference)
    client = failing_client(token)

    with somebody_else_writing():
        response = client.post(url_of(talk), {"on": "1"}, headers=headers)

    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (503, "30", "no-store")
    assert SORRY in response.text
    assert titles_in_agenda() == []
    assert client.post(url_of(talk), {"on": "1"}, headers=headers).status_code == (200 if headers else 302)
    assert titles_in_agenda() == ["Adam"]


@pytest.mark.django_db(transaction=True)
def test_pages_and_feeds_are_read_while_somebody_writes() -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference, talk)
    client = failing_client(token)

    with somebody_else_writing():
        codes = [client.get(url).status_code for url in ["/demo/", url_of(talk), f"/feeds/{agenda.feed_token}.ics"]]

    assert codes == [200, 200, 200]


@pytest.mark.django_db
def test_a_feed_that_cannot_be_read_says_when_to_come_back(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def busy(*args: object) -> None:
        raise OperationalError("the server is away")

    monkeypatch.setattr("events.calendars.views.Agenda.objects.by_feed", busy)

    response = failing_client("").get("/feeds/any.ics")

    assert (response.status_code, response["Retry-After"]) == (503, "30")
    assert [(it.getMessage(), it.exc_info) for it in caplog.records] == [("Too busy to answer: the server is away", None)]


NOT_SAVED = "The site can show pages, but cannot save anything at the moment. What you have just sent could not be saved."
ONLY_SQLITE = pytest.mark.skipif(connection.vendor != "sqlite", reason="makes a file of SQLite full or read-only")


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """The database cannot grow. Filler takes the pages that are left in its file."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        pages = cursor.fetchone()[0]
        cursor.execute("CREATE TABLE filler (text)")
        cursor.execute(f"PRAGMA max_page_count = {pages + 20}")
        for size in (4000, 100, 10):
            with contextlib.suppress(OperationalError):
                while True:
                    cursor.execute("INSERT INTO filler VALUES (zeroblob(%s))", [size])
    try:
        yield
    finally:
        execute("PRAGMA max_page_count = 1073741823")
        execute("DROP TABLE filler")


@contextlib.contextmanager
def read_only_database() -> Iterator[None]:
    execute("PRAGMA query_only = 1")
    try:
        yield
    finally:
        execute("PRAGMA query_only = 0")


@ONLY_SQLITE
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        pytest.param(full_disk, "The disk is full: free space on it: database or disk is full", id="full"),
        pytest.param(read_only_database, "The database cannot be written: its files", id="read-only"),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX], ids=["form", "htmx"])
def test_entry_that_cannot_be_saved_says_so(
    fault: Any, remedy: str, headers: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    conference = make_conference(slug="demo")
    agenda, token = make_agenda(conference)
    client = failing_client(token)
    # A few of these fill a page of the database.
    entry = {"title": "😀" * 120, "place": "😀" * 120, "date": "2025-04-24", "start": "09:00", "end": "10:00"}

    with fault():
        responses = [client.post("/demo/agenda/private/", entry, headers=headers) for _ in range(12)]
        pages = [client.get(url).status_code for url in ("/demo/", "/demo/agenda/", f"/feeds/{agenda.feed_token}.ics")]

    refused = [response for response in responses if response.status_code == 503]
    errors = [record for record in caplog.records if record.name == "events.errors"]
    assert pages == [200, 200, 200]
    assert {(it["Retry-After"], it["Cache-Control"], NOT_SAVED in it.text, "safe" in it.text) for it in refused} == {
        ("300", "no-store", True, False)
    }
    assert agenda.private_entries.count() == len(responses) - len(refused)
    assert [(it.getMessage().startswith(remedy), it.exc_info) for it in errors] == [(True, None)] * len(refused)
    assert client.post("/demo/agenda/private/", entry, headers=headers).status_code in {200, 302}
    assert agenda.private_entries.count() == len(responses) - len(refused) + 1
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        assert cursor.fetchone() == ("ok",)


@pytest.mark.django_db
def test_our_own_fault_stays_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("events.calendars.views.Agenda.objects.by_feed", wrong)

    response = failing_client("").get("/feeds/any.ics")

    assert (response.status_code, response.headers.get("Retry-After")) == (500, None)
    assert "The error is ours and has been logged. If you were saving something, look whether it was saved" in response.text


@pytest.mark.django_db
def test_page_without_the_list_of_static_files_is_a_plain_page_and_files_go_on(settings: Settings, tmp_path: Path) -> None:
    talk = make_talk()
    agenda, _ = make_agenda(talk.conference, talk)
    settings.STATIC_ROOT = tmp_path
    # A new dictionary: |= would change the settings of all later tests.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }

    page = failing_client("").get("/demo/")
    codes = [failing_client("").get(url).status_code for url in ["/demo/schedule.ics", f"/feeds/{agenda.feed_token}.ics"]]

    assert (page.status_code, "The error is ours and has been logged" in page.text, codes) == (500, True, [200, 200])


@pytest.mark.django_db
def test_error_pages_keep_the_header_of_their_conference() -> None:
    make_conference(slug="demo")
    client = Client(enforce_csrf_checks=True)
    foreign = {"Origin": "https://elsewhere.example"}

    pages = [
        client.get("/demo/nothing/"),
        client.post("/demo/time-zone/", headers=foreign),
        client.post("/demo/", headers=foreign),
    ]
    strange = [client.get("/unknown/nothing/"), client.post("/unknown/", headers=foreign)]

    assert [(page.status_code, 'id="pages" aria-label="All pages"' in page.text) for page in pages] == [
        (404, True),
        (403, True),
        (403, True),
    ]
    assert [(page.status_code, "All pages" in page.text) for page in strange] == [(404, False), (403, False)]


def titles_in_agenda() -> list[str]:
    return [event.title for agenda in Agenda.objects.all() for event in agenda.events]


@pytest.mark.django_db
def test_address_that_only_takes_forms_explains_itself_to_who_opens_it() -> None:
    talk = make_talk()
    address = reverse("events:visit-set", args=["demo", talk.guid])

    opened, other = Client().get(address), Client().put(address)

    assert (opened.status_code, opened["Allow"], opened["Cache-Control"]) == (405, "POST", "private, no-cache")
    assert "This address only takes what a form sends" in opened.text
    assert 'href="/demo/agenda/"' in opened.text
    assert (other.status_code, other["Allow"], other.content) == (405, "POST", b"")


@pytest.mark.django_db
def test_address_for_forms_of_a_draft_names_no_conference() -> None:
    talk = make_talk()
    talk.conference.status = "draft"
    talk.conference.save()

    page = Client().get(reverse("events:visit-set", args=["demo", talk.guid]))

    assert page.status_code == 405
    assert talk.conference.name not in page.text
