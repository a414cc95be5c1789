"""Links by which others read an agenda."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Conference, ReadLink
from tests.factories import at, make_agenda, make_conference, make_event, make_room
from tests.security.strings import TEXTS
from tests.visitors import browser

pytestmark = pytest.mark.django_db

SHARING = "/demo/agenda/sharing/"
NOTHING = "Its owner withdrew it, or the link is incomplete."


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def share(agenda: Agenda, token: str, label: str = "") -> str:
    """The address of a new link."""
    link = ReadLink.begin(agenda, label)
    assert link is not None
    return f"/demo/shared/{link.token}/"


def rows(page: str) -> list[str]:
    """What stands in the lines of a shared agenda, in words alone."""
    found = re.findall(r'<li class="shared-row".*?</li>', page, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", it).split()) for it in found]


def test_link_is_made_shown_and_taken_back(conference: Conference) -> None:
    _, token = make_agenda(conference, make_event(conference, title="Adam"))
    client, reader = browser(token=token), Client()

    client.post(SHARING, {"label": "Lab  group\n"})
    page = client.get(SHARING).text
    found = re.search(r'value="[^"]*(/demo/shared/[\w-]{32}/)"', page)
    assert found is not None
    read = reader.get(found[1])
    client.post(f"{SHARING}take-back/", {"serial": "1"})
    after = reader.get(found[1])

    assert "Lab group" in page
    assert "Lab group" not in read.text
    assert (read.status_code, rows(read.text)) == (200, ["Time to be announced Adam"])
    assert (after.status_code, NOTHING in after.text, "Adam" in after.text) == (404, True, False)
    assert found[1] not in client.get(SHARING).text


def test_what_is_after_midnight_names_its_date_in_a_shared_agenda(conference: Conference) -> None:
    friday = dt.date(2025, 4, 25)
    quiz = make_event(conference, title="Quiz", start=at("01:00", friday), end=at("02:00", friday))

    page = Client().get(share(*make_agenda(conference, quiz)))

    assert rows(page.text) == ["Fri 25 Apr, 01:00 – 02:00 Quiz"]


def test_shared_agenda_shows_when_where_and_busy_and_nothing_else(conference: Conference) -> None:
    room = make_room(conference, "Hall 1")
    must = make_event(conference, title="Adam", start="09:00", end="10:00", room=room)
    maybe = make_event(conference, title="Eve", start="10:00", end="11:00", status="cancelled")
    later = make_event(conference, title="Later", start="11:00", end="12:00")
    gone = make_event(conference, title="Gone", start="12:00", end="13:00")
    draft = make_event(conference, title="Draft", start="12:00", end="13:00", status="draft")
    agenda, token = make_agenda(conference, must, maybe, later, gone, draft)
    agenda.bookmark(gone, on=False)
    agenda.bookmarks.filter(event=maybe).update(level="maybe")
    agenda.bookmarks.filter(event=later).update(level="later")
    agenda.private_entries.create(title="Secret flight", place="Gate 4", start=at("14:00"), end=at("15:00"))
    agenda.private_entries.create(title="Off", start=at("16:00"), end=at("17:00"), removed_at=at("08:00"))

    page = Client().get(share(agenda, token)).text

    assert rows(page) == ["09:00 – 10:00 Adam Hall 1", "10:00 – 11:00 Eve Cancelled Maybe", "14:00 – 15:00 Busy"]
    assert [word in page for word in ("Secret", "Gate 4", "Off<", token, agenda.feed_token)] == [False] * 5


def test_shared_agenda_changes_nothing_for_anybody(conference: Conference) -> None:
    agenda, token = make_agenda(conference, make_event(conference, title="Adam"))
    url = share(agenda, token)
    secret = url.split("/")[-2]
    thief = browser(token=secret)

    for address in (url, "/demo/agenda/", SHARING, "/demo/agenda/devices/", f"/feeds/{secret}.ics"):
        thief.post(address, {"label": "mine", "on": "0"})
        assert "Adam" not in thief.get(address).text or address == url

    assert [it.removed_at for it in Bookmark.objects.all()] == [None]
    assert Client().post(url).status_code == 405


def test_link_of_one_conference_is_none_of_another(conference: Conference) -> None:
    make_conference(slug="other")
    agenda, token = make_agenda(conference)

    response = Client().get(share(agenda, token).replace("/demo/", "/other/"))

    assert response.status_code == 404


@pytest.mark.parametrize("token", ["x", "%00", "a" * 5_000, "-" * 32, "%F0%9F%98%80", "%0d%0aSet-Cookie:x", ".."])
def test_what_is_no_link_shows_nothing(conference: Conference, token: str) -> None:
    assert Client().get(f"/demo/shared/{token}/").status_code == 404


def test_only_ones_own_links_are_taken_back(conference: Conference) -> None:
    agenda, token = make_agenda(conference)
    url = share(agenda, token)
    _, other = make_agenda(conference)

    for serial in ("1", "", "x", "-1", "9" * 30, "１"):
        browser(token=other).post(f"{SHARING}take-back/", {"serial": serial})

    assert Client().get(url).status_code == 200


def test_copy_picks_what_is_new_and_brings_nothing_back(conference: Conference) -> None:
    new, both, out = (make_event(conference, title=title) for title in ("new", "both", "out"))
    theirs, token = make_agenda(conference, new, both, out)
    theirs.bookmarks.filter(event=new).update(level="maybe")
    url = share(theirs, token)
    mine, own = make_agenda(conference, both, out)
    mine.bookmark(out, on=False)
    client = browser(token=own)

    page = " ".join(client.get(f"{url}copy/").text.split())
    client.post(f"{url}copy/")
    client.post(f"{url}copy/")

    assert "1 new, 1 already yours, 1 you removed (stays removed)." in page
    assert set(mine.bookmarked_ids()) == {new.pk, both.pk}
    assert mine.bookmarks.get(event=new).level == "maybe"
    mine.refresh_from_db()
    assert mine.revision == 4
    assert set(theirs.bookmarked_ids()) == {new.pk, both.pk, out.pk}


def test_copy_begins_an_agenda_for_who_has_none(conference: Conference) -> None:
    theirs, token = make_agenda(conference, make_event(conference))
    client = Client()

    looked = client.get(f"{share(theirs, token)}copy/")
    assert VISITOR_COOKIE not in client.cookies
    client.post(f"{share(theirs, token)}copy/")

    assert "Copy 1 pick<" in looked.text
    mine = Agenda.objects.for_token(client.cookies[VISITOR_COOKIE].value, conference)
    assert mine is not None
    assert (mine != theirs, mine.count) == (True, 1)


def test_link_follows_what_its_owner_picks(conference: Conference) -> None:
    event = make_event(conference, title="Adam")
    agenda, token = make_agenda(conference)
    url = share(agenda, token)

    empty = Client().get(url).text
    agenda.bookmark(event, on=True)

    assert "Nothing picked yet" in empty
    assert rows(Client().get(url).text) == ["Time to be announced Adam"]


def test_shared_agenda_leads_to_its_changes(conference: Conference) -> None:
    talk = make_event(conference, title="Adam", start="09:00", end="10:00")
    agenda, _ = make_agenda(conference, talk)
    link = ReadLink.begin(agenda)
    assert link is not None
    talk.title = "Eve"
    talk.revise()

    page = Client().get(f"/demo/shared/{link.token}/").text
    feed = Client().get(f"/demo/changes.atom?link={link.token}")

    assert f'href="/demo/changes.atom?link={link.token}"' in page
    assert "New title: Eve" in feed.text


@pytest.mark.parametrize("label", TEXTS.values(), ids=list(TEXTS))
def test_label_is_kept_as_text_or_refused_in_a_sentence(conference: Conference, label: str) -> None:
    _, token = make_agenda(conference)
    client = browser(token=token)

    response = client.post(SHARING, {"label": label[:60]})

    assert response.status_code in {302, 422}
    if response.status_code == 422:
        assert 'role="alert"' in response.text
    page = client.get(SHARING).text
    assert "<script>alert" not in page
    assert "onerror=" not in re.sub(r"&[^;]+;", "", page) or "<img src=x" not in page


@pytest.mark.parametrize("size", [1, 3])
def test_pages_of_a_link_take_as_many_queries_for_three_as_for_one(size: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    agenda, token = make_agenda(conference, *[make_event(conference, start="09:00", end="10:00") for _ in range(size)])
    urls = [share(agenda, token) for _ in range(size)]
    for _ in range(size):
        agenda.private_entries.create(title="Lunch", start=at("12:00"), end=at("13:00"))

    with django_assert_num_queries(6):
        Client().get(urls[0])
    with django_assert_num_queries(5):
        Client().get(f"{urls[0]}copy/")
    with django_assert_num_queries(7):
        browser(token=token).get(SHARING)
