"""Every page while PostgreSQL is away, and after it has come back."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from conference.settings import database
from events.core.db.postgresql import base
from events.core.db.postgresql.base import ask
from events.models import Agenda
from tests.agenda.bookmarking import make_talk, url_of
from tests.core.db.relay import Relay, relay_to
from tests.factories import make_agenda

REMEDY = "The database does not answer: is it running, and is DATABASE_URL right?"

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is a file; run with DATABASE_URL=postgres://…"),
]


@pytest.fixture
def relay() -> Iterator[Relay]:
    """Connections to the database go through it. Their pool is made anew, and waits a moment instead of seconds."""
    usual: Any = connection.settings_dict
    before = {name: usual[name] for name in ("HOST", "PORT", "OPTIONS")}
    with relay_to(usual["HOST"] or "127.0.0.1", int(usual["PORT"] or 5432)) as relay:
        pool = before["OPTIONS"]["pool"] | {"timeout": 0.5, "reconnect_timeout": 0.5}
        _connect_anew({"HOST": "127.0.0.1", "PORT": relay.port, "OPTIONS": before["OPTIONS"] | {"pool": pool}})
        yield relay
        _connect_anew(before)


def _connect_anew(where: dict[str, Any]) -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict.update(where)


def answer(method: Callable[..., Any], *arguments: Any) -> Any:
    """The response of a request that gives its connection back at the end, as in the server."""
    try:
        return method(*arguments)
    finally:
        connection.close()


def codes(client: Client, urls: Iterable[str]) -> list[int]:
    return [answer(client.get, url).status_code for url in urls]


def test_every_page_says_that_the_database_is_away_and_returns_with_it(relay: Relay, caplog: pytest.LogCaptureFixture) -> None:
    talk = make_talk()
    agenda, token = make_agenda(talk.conference, talk)
    client = Client(raise_request_exception=False)
    client.cookies["hallway"] = token
    feed = f"/feeds/{agenda.feed_token}.ics"
    pages = ["/", "/demo/", talk.get_absolute_url(), feed, "/demo/schedule.ics", "/demo/schedule.json", "/demo/agenda/"]
    usual = codes(client, pages)

    relay.cut()
    caplog.clear()
    away = [answer(client.get, url) for url in pages] + [answer(client.post, url_of(talk), {"on": "0"})]

    assert [(it.status_code, it["Retry-After"], it["Cache-Control"]) for it in away] == [(503, "10", "no-store")] * len(away)
    assert {"The site cannot reach its database" in it.text for it in away} == {True}
    lines = [record for record in caplog.records if not record.name.startswith("psycopg.pool")]
    assert [(it.levelno, it.getMessage().startswith(REMEDY), it.exc_info) for it in lines] == [(logging.ERROR, True, None)] * len(
        away
    )
    assert codes(client, ["/healthz", "/robots.txt", "/readyz"]) == [200, 200, 503]

    relay.restore()
    deadline = time.monotonic() + 20
    while codes(client, ["/demo/"]) != [200] and time.monotonic() < deadline:
        time.sleep(0.05)

    assert codes(client, pages) == usual == [200] * len(pages)
    assert [event.title for row in Agenda.objects.all() for event in row.events] == ["Adam"]
    assert answer(client.post, url_of(talk), {"on": "0"}).status_code == 302


def test_connections_that_were_lost_meanwhile_are_not_used(relay: Relay) -> None:
    make_talk()
    client = Client(raise_request_exception=False)
    before = codes(client, ["/demo/"])

    relay.cut()
    relay.restore()

    assert before + codes(client, ["/demo/"] * 10) == [200] * 11


def test_connection_is_asked_for_only_if_it_has_not_answered_within_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    check = base.ConnectionPool.check_connection
    monkeypatch.setattr(base.ConnectionPool, "check_connection", lambda it: asked.append(it) or check(it))

    def taken() -> int:
        connection.close()
        connection.ensure_connection()
        return len(asked)

    connection.close_pool()  # type: ignore[attr-defined]
    lately = [taken() for _ in range(4)][-1]
    monkeypatch.setattr(base, "SILENT_SECONDS", 0.0)

    assert (lately, taken() > 0) == (0, True)


def test_statements_are_not_compiled_to_machine_code() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        found = cursor.fetchone()

    assert found == ("off",)


def test_slow_statement_ends_though_it_is_silent_because_the_database_answers_others(
    relay: Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    # The first connection of a process asks, too.
    connection.ensure_connection()
    monkeypatch.setattr(base, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(base, "ask", lambda *address, **parameters: asked.append(ask(*address, **parameters)))

    with connection.cursor() as cursor:
        cursor.execute("SELECT 'done' FROM pg_sleep(0.8)")
        found = cursor.fetchone()

    assert found == ("done",)
    assert 1 <= len(asked) <= 3


def test_silent_database_ends_the_statement_and_the_connection(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "SILENT_SECONDS", 0.2)
    make_talk()
    client = Client(raise_request_exception=False)
    before = codes(client, ["/demo/"])

    relay.silence()
    began = time.monotonic()
    away = codes(client, ["/demo/"] * 3)
    took = time.monotonic() - began

    relay.restore()
    while base.DOORWAY.is_away and time.monotonic() < began + 20:
        time.sleep(0.05)

    assert (before, away, codes(client, ["/demo/"] * 10)) == ([200], [503] * 3, [200] * 10)
    # One attempt of two seconds for all three.
    assert 2 < took < 6


def test_pool_waits_for_three_seconds() -> None:
    options: Any = database()["OPTIONS"]

    assert (options["pool"]["timeout"], options["pool"]["reconnect_timeout"], options["connect_timeout"]) == (3, 1, 2)


def test_host_that_vanishes_is_noticed_within_twenty_seconds() -> None:
    options: Any = database()["OPTIONS"]
    silent = options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"]

    assert (options["tcp_user_timeout"], silent) == (10_000, 20)
