"""The changes as an Atom feed."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from defusedxml import ElementTree
from django.conf import settings
from django.test import Client

from events.core.tokens import hash_token
from events.models import Event, ReadLink
from tests.factories import make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db
URL = "/demo/changes.atom"
ATOM = "{http://www.w3.org/2005/Atom}"


def make_changed(**fields: Any) -> Event:
    event = make_event(make_conference(slug="demo", name="Demo"), kind="talk", title="Adam", start="09:00", end="10:00", **fields)
    event.title = "Eve"
    event.revise(reason="A better name")
    return event


def entries(response: Any) -> list[tuple[str | None, str | None]]:
    root = ElementTree.fromstring(response.content)
    return [(it.findtext(f"{ATOM}title"), it.findtext(f"{ATOM}summary")) for it in root.findall(f"{ATOM}entry")]


def make_link(*events: Event) -> str:
    agenda, token = make_agenda(events[0].conference, *events)
    ReadLink.objects.create(agenda=agenda, serial=0, token_hash=hash_token(f"link-{token}"))
    return f"link-{token}"


def test_feed_tells_every_public_change() -> None:
    make_changed()

    response = Client().get(URL)

    assert entries(response) == [("New title: Eve", "Adam → Eve. A better name")]
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=300"


def test_feed_has_what_atom_requires() -> None:
    make_changed()

    root = ElementTree.fromstring(Client().get(URL).content)

    for element in [root, *root.findall(f"{ATOM}entry")]:
        assert [element.findtext(f"{ATOM}{name}") is not None for name in ("id", "title", "updated")] == [True] * 3
    assert root.findtext(f"{ATOM}author/{ATOM}name") == "Demo"
    ids = [it.findtext(f"{ATOM}id") for it in root.iter() if it.find(f"{ATOM}id") is not None]
    assert len(ids) == len(set(ids))
    assert all(str(it).startswith("urn:uuid:") for it in ids)


def test_feed_of_a_programme_that_never_changed_is_valid() -> None:
    make_conference(slug="demo")

    root = ElementTree.fromstring(Client().get(URL).content)

    assert (root.findall(f"{ATOM}entry"), root.findtext(f"{ATOM}updated")) == ([], "2025-01-01T00:00:00+00:00")


def test_feed_is_as_old_as_its_newest_change_also_in_the_year_before() -> None:
    event = make_changed()
    before = dt.datetime(2024, 12, 30, 9, tzinfo=dt.UTC)
    event.changes.update(at=before)

    response = Client().get(URL)

    assert response["Last-Modified"] == "Mon, 30 Dec 2024 09:00:00 GMT"
    assert dt.datetime.fromisoformat(str(ElementTree.fromstring(response.content).findtext(f"{ATOM}updated"))) == before


def test_feed_is_the_same_bytes_and_304_until_something_changes() -> None:
    event = make_changed()
    first, second = Client().get(URL), Client().get(URL)

    assert first.content == second.content
    assert Client().get(URL, headers={"If-None-Match": first["ETag"]}).status_code == 304
    event.title = "Noah"
    event.revise()
    assert Client().get(URL, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_feed_tells_nothing_hidden() -> None:
    event = make_changed()
    event.status = "draft"
    event.revise()

    assert entries(Client().get(URL)) == []


def test_feed_of_a_link_holds_that_agenda_alone() -> None:
    mine = make_changed()
    other = make_event(mine.conference, title="Other")
    link = make_link(mine)

    response = Client().get(URL, {"link": link})

    assert {title for title, _ in entries(response)} == {"New title: Eve"}
    assert response["Cache-Control"] == "private, no-cache"
    assert link not in response.text
    assert "Access-Control-Allow-Origin" not in response
    assert other.title not in response.text


def test_feed_of_an_unknown_or_revoked_link_is_404() -> None:
    link = make_link(make_changed())
    ReadLink.objects.update(revoked_at="2025-01-01T00:00:00Z")

    assert [Client().get(URL, {"link": it}).status_code for it in (link, "nothing", "\x00")] == [404, 404, 404]


def test_feed_of_a_link_of_another_conference_is_404() -> None:
    link = make_link(make_changed())
    make_conference(slug="other")

    assert Client().get("/other/changes.atom", {"link": link}).status_code == 404


def test_hostile_text_stays_text() -> None:
    event = make_changed()
    Event.objects.filter(pk=event.pk).update(title="]]></title><script>\x0b\ufffe")

    assert entries(Client().get(URL))[0][0] == "New title: ]]></title><script>"


@pytest.mark.parametrize("has_link", [False, True], ids=["public", "of an agenda"])
def test_summary_is_html_of_the_same_words_and_lines(has_link: bool) -> None:
    event = make_changed()
    event.title = "A<B & <i>sparse</i> <script>alert(1)</script>"
    event.revise(reason="Renamed\nby its author")
    query = {"link": make_link(event)} if has_link else {}

    html = entries(Client().get(URL, query))[0][1]

    title = "A&lt;B &amp; &lt;i&gt;sparse&lt;/i&gt; &lt;script&gt;alert(1)&lt;/script&gt;"
    assert html == f"Eve → {title}. Renamed<br>by its author"


def test_public_feed_names_its_address_and_that_of_a_link_does_not() -> None:
    event = make_changed()

    links = [
        [it.get("href") for it in ElementTree.fromstring(Client().get(URL, query).content) if it.get("rel") == "self"]
        for query in ({}, {"link": make_link(event)})
    ]

    assert links == [[f"{settings.SITE_URL}/demo/changes.atom"], []]


@pytest.mark.parametrize("count", [1, 3])
def test_feed_costs_the_same_queries(count: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    for number in range(count):
        make_event(conference, title=f"Event {number}")

    with django_assert_num_queries(2):
        Client().get(URL)
