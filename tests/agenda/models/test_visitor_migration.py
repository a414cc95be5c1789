"""Migration 0007: what the version before it wrote goes on working."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils.crypto import salted_hmac
from pytest_django import Settings

from events.agenda.visitor import VISITOR_COOKIE
from events.models import AccessToken, Account, Agenda, FeedAddress, Handover, Visitor
from tests.calendars.reading import read
from tests.mail.reading import newest_code
from tests.visitors import browser, own_context

BEFORE = ("events", "0006_desk_and_crowd")
PLAIN, SIGNED_IN, ROTATED, LOST, EMPTY = (letter * 32 for letter in "pqrst")
"""Cookies: of a visitor without an account; of accounts sealed with the key, a fallback, a lost key; and without an agenda."""
MAILBOXES = {SIGNED_IN: "q@example.org", ROTATED: "r@example.org", LOST: "s@example.org", EMPTY: "t@example.org"}
OLD_KEY, LOST_KEY = "the key before", "a key that nobody has any more"
NOW = dt.datetime(2025, 4, 24, 4, tzinfo=dt.UTC)
REPLACED = "This calendar link was replaced"


def old_digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def old_token(cookie: str, message: str) -> str:
    """Of a feed or of a link to read, as version 0006 derived both."""
    return base64.urlsafe_b64encode(hmac.new(cookie.encode(), message.encode(), hashlib.sha256).digest()[:24]).decode()


def old_seal(cookie: str, purpose: str, key: str, site_key: str) -> bytes:
    def mac(part: str, data: bytes) -> bytes:
        value = f"{len(key)}:{key}:".encode() + data
        return salted_hmac(f"hallway.{purpose}.{part}", value, secret=site_key, algorithm="sha256").digest()

    nonce = secrets.token_bytes(16)
    body = bytes(a ^ b for a, b in zip(cookie.encode(), mac("pad", nonce), strict=True))
    return nonce + mac("mark", nonce + body)[:16] + body


def use_database(name: str) -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["NAME"] = name


def create_and_drop(*statements: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


@pytest.fixture
def old_apps(transactional_db: None, tmp_path: Path) -> Iterator[Any]:
    """The models of version 0006, in a database of that version."""
    usual = connection.settings_dict["NAME"]
    name = str(tmp_path / "old.sqlite3") if connection.vendor == "sqlite" else f"{usual}_old"
    create_and_drop(f'DROP DATABASE IF EXISTS "{name}"', f'CREATE DATABASE "{name}"')
    use_database(name)
    try:
        executor = MigrationExecutor(connection)
        others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "events"]
        executor.migrate([BEFORE, *others])
        yield executor.loader.project_state([BEFORE]).apps
    finally:
        use_database(usual)
        create_and_drop(f'DROP DATABASE IF EXISTS "{name}"')


def migrate() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


class OldRows:
    """Rows as the version before wrote them."""

    def __init__(self, apps: Any, site_key: str) -> None:
        self.model = lambda name: apps.get_model("events", name)
        self.user = apps.get_model("auth", "User")
        self.site_key = site_key
        self.events = [self.make_event(f"iclr-{year}") for year in (2024, 2025)]

    def make_event(self, slug: str) -> Any:
        dates = {"start": NOW.date(), "end": NOW.date()}
        values = {"slug": slug, "name": slug, "timezone": "Asia/Singapore", "status": "published", **dates}
        conference = self.model("Conference").objects.create(**values)
        talks = self.model("EventType").objects.create(conference=conference, name="Talk", kind="talk", slug="talk")
        times = {"start": NOW, "end": NOW + dt.timedelta(hours=1)}
        day = self.model("Day").objects.create(conference=conference, date=NOW.date())
        return self.model("Event").objects.create(
            conference=conference, type=talks, title=f"Talk of {slug}", status="confirmed", day=day, **times
        )

    def make_agenda(self, cookie: str, event: Any, serial: int = 0) -> Any:
        conference = event.conference_id
        feed = old_token(cookie, f"feed:{conference}:{serial}")
        agenda = self.model("Agenda").objects.create(
            conference_id=conference,
            token_hash=old_digest(cookie),
            feed_serial=serial,
            feed_token_hash=old_digest(feed),
            revision=1,
        )
        agenda.bookmarks.create(event=event)
        for former in range(serial):
            agenda.replaced_feeds.create(token_hash=old_digest(old_token(cookie, f"feed:{conference}:{former}")))
        return agenda

    def make_link(self, cookie: str, agenda: Any) -> str:
        token = old_token(cookie, f"read:{agenda.conference_id}:1")
        agenda.read_links.create(serial=1, token_hash=old_digest(token), label="Lab group")
        return token

    def make_account(self, cookie: str, site_key: str) -> None:
        mailbox = MAILBOXES[cookie]
        name = f"attendee-{hashlib.sha256(mailbox.encode()).hexdigest()[:40]}"
        user = self.user.objects.create(username=name, email=mailbox, password="!")
        self.model("Account").objects.create(
            user=user, token_hash=old_digest(cookie), sealed=old_seal(cookie, "account", str(user.pk), site_key)
        )

    def make_handover(self, cookie: str) -> None:
        code, later = "7GK2MX4PQZ", dt.datetime.now(dt.UTC) + dt.timedelta(minutes=9)
        code_hash = salted_hmac("hallway.handover.code", code, algorithm="sha256").hexdigest()
        sealed = old_seal(cookie, "handover", code, self.site_key)
        self.model("Handover").objects.create(code_hash=code_hash, sealed=sealed, expires_at=later)


class Addresses:
    """What was given out before the migration."""

    def __init__(self, rows: OldRows) -> None:
        first, second = rows.events
        agenda = rows.make_agenda(PLAIN, first, serial=1)
        rows.make_agenda(PLAIN, second)
        for cookie, key in [(SIGNED_IN, rows.site_key), (ROTATED, OLD_KEY), (LOST, LOST_KEY)]:
            rows.make_agenda(cookie, first)
            rows.make_account(cookie, key)
        rows.make_account(EMPTY, rows.site_key)
        rows.make_handover(PLAIN)
        former, feed = (old_token(PLAIN, f"feed:{first.conference_id}:{serial}") for serial in range(2))
        self.former, self.feed = f"/feeds/{former}.ics", f"/feeds/{feed}.ics"
        self.feed_of_account = f"/feeds/{old_token(SIGNED_IN, f'feed:{first.conference_id}:0')}.ics"
        self.link = f"/iclr-2024/shared/{rows.make_link(PLAIN, agenda)}/"


def picked(client: Client, slug: str = "iclr-2024") -> int:
    return int(own_context(client.get(f"/{slug}/agenda/"), "count"))


def summaries(address: str) -> list[str]:
    return [entry.summary for entry in read(Client().get(address).content)]


def shown_feed(client: Client) -> str:
    context = client.get("/iclr-2024/agenda/calendar/").context
    return str(context["https_url"]).removeprefix("http://127.0.0.1:8000")


def sign_in(mailbox: str) -> Client:
    client = Client()
    client.post("/account/sign-in/", {"mailbox": mailbox})
    client.post("/account/code/", {"code": newest_code()})
    return client


def test_what_was_given_out_before_goes_on_and_can_be_ended(old_apps: Any, settings: Settings) -> None:
    # One test, because a database of its own takes seconds to make.
    settings.SECRET_KEY_FALLBACKS = [OLD_KEY]
    old = Addresses(OldRows(old_apps, settings.SECRET_KEY))

    migrate()

    check_rows()
    check_cookies_and_addresses(old)
    for cookie, mailbox in MAILBOXES.items():
        check_account(cookie, mailbox)
    check_replacing_the_feed(old)
    check_signing_out_elsewhere(old)
    with pytest.raises(IrreversibleError):
        MigrationExecutor(connection).migrate([BEFORE])


def check_rows() -> None:
    cookies = (PLAIN, SIGNED_IN, ROTATED, LOST, EMPTY)
    assert {it.token_hash for it in AccessToken.objects.all()} == {old_digest(it) for it in cookies}
    assert sorted(it.agendas.count() for it in Visitor.objects.all()) == [0, 1, 1, 1, 2]
    assert len(set(FeedAddress.objects.filter(replaced_at=None).values_list("token_hash"))) == 2 * Agenda.objects.count()
    assert Handover.objects.count() == 0


def check_cookies_and_addresses(old: Addresses) -> None:
    client = browser(token=PLAIN)
    assert [picked(client, slug) for slug in ("iclr-2024", "iclr-2025")] == [1, 1]
    assert [picked(browser(token=it)) for it in (SIGNED_IN, ROTATED, LOST)] == [1, 1, 1]

    assert [summaries(it) for it in (old.feed, old.former)] == [["Talk of iclr-2024"], [REPLACED]]
    first = Client().get(old.feed)
    assert Client().get(old.feed, headers={"if-none-match": first["ETag"]}).status_code == 304
    shown = shown_feed(client)
    assert (shown != old.feed, shown_feed(client), summaries(shown)) == (True, shown, ["Talk of iclr-2024"])

    assert "Talk of iclr-2024" in Client().get(old.link).text
    assert "too old to be shown here again" in client.get("/iclr-2024/agenda/sharing/").text


def check_account(cookie: str, mailbox: str) -> None:
    client = sign_in(mailbox)

    assert picked(client) == (0 if cookie == EMPTY else 1)
    assert browser(token=cookie).get("/account/").context["account"] == Account.objects.get(user__email=mailbox)
    assert Visitor.objects.for_token(client.cookies[VISITOR_COOKIE].value) == Visitor.objects.for_token(cookie)


def check_replacing_the_feed(old: Addresses) -> None:
    client = browser(token=SIGNED_IN)
    before = [old.feed_of_account, shown_feed(client)]

    client.post("/iclr-2024/agenda/calendar/reset/")

    assert [summaries(it) for it in before] == [[REPLACED], [REPLACED]]
    assert summaries(shown_feed(client)) == ["Talk of iclr-2024"]


def check_signing_out_elsewhere(old: Addresses) -> None:
    here, there = browser(token=PLAIN), browser(token=PLAIN)
    before = [old.feed, shown_feed(here)]

    here.post("/iclr-2024/agenda/devices/sign-out/")

    assert [picked(it) for it in (here, there)] == [1, 0]
    assert [summaries(it) for it in before] == [[REPLACED], [REPLACED]]
    assert Client().get(old.link).status_code == 404


def test_mistyped_years_are_named_and_nothing_is_changed(old_apps: Any, settings: Settings) -> None:
    conference = OldRows(old_apps, settings.SECRET_KEY).events[0].conference
    conference.end = dt.date(9999, 12, 31)
    conference.save()

    with pytest.raises(ValueError, match=r"conference “iclr-2024” \(2025-04-24 to 9999-12-31\)"):
        migrate()

    assert old_apps.get_model("events", "Conference").objects.filter(zone_rules__isnull=False).count() == 2
