from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client

from events.models import Agenda
from tests.agenda.bookmarking import make_talk, url_of
from tests.factories import make_agenda
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


@pytest.mark.django_db
def test_our_own_fault_stays_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("events.calendars.views.Agenda.objects.by_feed", wrong)

    response = failing_client("").get("/feeds/any.ics")

    assert (response.status_code, response.headers.get("Retry-After")) == (500, None)
    assert "The error is ours and has been logged" in response.text


def titles_in_agenda() -> list[str]:
    return [event.title for agenda in Agenda.objects.all() for event in agenda.events]
