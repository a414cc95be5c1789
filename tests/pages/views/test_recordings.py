"""The feed of recordings to watch."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest
import time_machine
from defusedxml.ElementTree import fromstring
from django.test import Client
from django.urls import reverse

from events.models import Agenda, Event
from tests.factories import make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
VIDEO = "https://example.org/v"
OPENS = dt.date(2025, 5, 20)


class Watcher:
    """Somebody with a recording that opens on 20 May 2025."""

    def __init__(self) -> None:
        with time_machine.travel("2025-04-20T00:00Z", tick=False):
            self.conference = make_conference(slug="demo")
            self.agenda: Agenda
            self.agenda, self.token = make_agenda(self.conference)
            self.talk = self.watch("Adam & <Eve>", recording_from=OPENS, recording_url=VIDEO)

    def watch(self, title: str, level: str = "later", **fields: Any) -> Event:
        event = make_event(self.conference, kind="talk", title=title, start="09:00", end="10:00", **fields)
        self.agenda.bookmark(event, on=True, level=level)
        return event

    @property
    def url(self) -> str:
        return reverse("events:recordings-feed", args=[self.agenda.feed_token])

    def get(self, at: str, **headers: str) -> Any:
        with time_machine.travel(at, tick=False):
            return Client().get(self.url, headers=headers)


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


def entries(response: Any) -> list[Element]:
    return list(fromstring(response.content).findall(f"{ATOM}entry"))


def titles(response: Any) -> list[str | None]:
    return [it.findtext(f"{ATOM}title") for it in entries(response)]


@pytest.mark.parametrize(
    ("at", "there"),
    [("2025-05-19T19:59Z", False), ("2025-05-19T20:00Z", True), ("2026-05-19T20:00Z", True)],
    ids=["the evening before", "at four in Singapore", "a year later"],
)
def test_recording_is_in_the_feed_from_its_date_on(watcher: Watcher, at: str, there: bool) -> None:
    response = watcher.get(at)

    assert titles(response) == (["Adam & <Eve>"] if there else [])
    assert (VIDEO in response.text) is there


def test_entry_leads_to_the_recording_and_dates_from_its_opening(watcher: Watcher) -> None:
    (entry,) = entries(watcher.get("2025-06-01T00:00Z"))

    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert (link.get("href"), entry.findtext(f"{ATOM}updated")) == (VIDEO, "2025-05-20T04:00:00+08:00")


def test_feed_is_by_its_conference(watcher: Watcher) -> None:
    root = fromstring(watcher.get("2025-06-01T00:00Z").content)

    assert root.findtext(f"{ATOM}author/{ATOM}name") == watcher.conference.name


def test_only_what_is_watched_later_and_is_public_is_in_it(watcher: Watcher) -> None:
    watcher.watch("A must", "must", recording_url=VIDEO)
    watcher.watch("No link")
    gone, hidden = watcher.watch("Gone", recording_url=VIDEO), watcher.watch("Hidden", recording_url=VIDEO)
    watcher.agenda.bookmark(gone, on=False)
    hidden.status = "draft"
    hidden.revise()

    assert titles(watcher.get("2025-06-01T00:00Z")) == ["Adam & <Eve>"]


def test_feed_is_unlisted_kept_by_nobody_and_does_not_repeat_its_secret(watcher: Watcher) -> None:
    response = watcher.get("2025-06-01T00:00Z")

    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert (response["Cache-Control"], response["X-Robots-Tag"], response["Referrer-Policy"]) == (
        "private, no-cache", "noindex", "no-referrer",
    )  # fmt: skip
    secrets = [watcher.token, watcher.agenda.feed_token]
    assert [secret in response.text for secret in secrets] == [False, False]
    assert "Set-Cookie" not in response


def test_feed_is_not_modified_until_a_level_the_programme_or_the_date_is(watcher: Watcher) -> None:
    etag = watcher.get("2025-05-18T01:00Z")["ETag"]

    asked = [watcher.get(at, **{"If-None-Match": etag}).status_code for at in ("2025-05-18T02:00Z", "2025-05-20T02:00Z")]
    watcher.agenda.bookmark(watcher.talk, on=True, level="maybe")
    asked.append(watcher.get("2025-05-18T03:00Z", **{"If-None-Match": etag}).status_code)

    assert asked == [304, 200, 200]


def test_feed_of_nobody_and_of_an_address_given_up_is_none(watcher: Watcher) -> None:
    old = watcher.url
    watcher.agenda.reset_feed()

    assert [Client().get(url).status_code for url in (old, "/feeds/x.atom", f"/feeds/{watcher.token}.atom")] == [404] * 3
    assert titles(watcher.get("2025-06-01T00:00Z")) == ["Adam & <Eve>"]


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_feed_is_read_only(watcher: Watcher, method: str) -> None:
    assert getattr(Client(enforce_csrf_checks=True), method)(watcher.url).status_code == 405


@pytest.mark.parametrize("size", [1, 3])
def test_feed_takes_as_many_queries_for_three_as_for_one(watcher: Watcher, size: int, django_assert_num_queries: Any) -> None:
    for number in range(size - 1):
        watcher.watch(f"More {number}", recording_url=VIDEO)

    url = watcher.url
    with time_machine.travel("2025-06-01T00:00Z"), django_assert_num_queries(2):
        response = Client().get(url)

    assert len(entries(response)) == size
    assert re.findall(r"<id>urn:uuid:[0-9a-f-]{36}</id>", response.text)


@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        pytest.param("2025-04-24T04:00Z", False, id="during"),
        pytest.param("2025-05-01T04:00Z", True, id="after"),
    ],
)
def test_overview_after_the_conference_leads_to_what_is_ready(watcher: Watcher, moment: str, shown: bool) -> None:
    watcher.watch("Open", level="must", recording_url=VIDEO)
    watcher.watch("Nothing recorded", level="must")
    client = Client()
    client.cookies["hallway"] = watcher.token

    with time_machine.travel(moment, tick=False):
        overview = client.get("/demo/").text
        agenda = client.get("/demo/agenda/").text

    assert ('href="/demo/agenda/#ready-to-watch"' in overview, "1 recording of your picks" in overview) == (shown, shown)
    assert 'id="ready-to-watch"' in agenda
    assert "ready-to-watch" not in Client().get("/demo/").text
