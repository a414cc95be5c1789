"""Public pages are made once for everybody, and filled for each."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.test import Client
from events.pages.shared import LONGEST_QUERY, OWN_SHELF, SHELF

from events.models import Conference, Event, Leg, Route, StartingPoint
from events.pages import holes
from tests.factories import make_agenda, make_conference, make_event, make_room, make_zone
from tests.searching import reindex
from tests.views.visitors import HTMX, browser, presses

pytestmark = pytest.mark.django_db
DAY = "/demo/schedule/2025-04-24/"


@pytest.fixture(autouse=True)
def _shelf() -> Iterator[None]:
    SHELF.budget = OWN_SHELF.budget = 2**24
    with time_machine.travel("2025-04-24T01:30:00+00:00", tick=False):
        yield


@pytest.fixture
def talk() -> Event:
    event = make_event(make_conference(slug="demo"), title="Adam", start="09:00", end="10:00")
    event.revise()
    return event


def other(talk: Event) -> Event:
    event = make_event(talk.conference, title="Other", start="09:30", end="10:30")
    event.revise()
    return event


def test_kept_page_takes_one_query_and_is_the_same(talk: Event, django_assert_num_queries: Any) -> None:
    first = browser().get(DAY)

    with django_assert_num_queries(1):
        second = browser().get(DAY)

    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert second.headers["Content-Type"] == first.headers["Content-Type"]


def test_question_that_was_asked_already_takes_one_query(talk: Event, django_assert_num_queries: Any) -> None:
    reindex(talk.conference)
    first = browser().get("/demo/search/?q=ada", headers=HTMX)

    with django_assert_num_queries(1):
        second = browser().get("/demo/search/?q=ada", headers=HTMX)

    assert "<mark>Adam</mark>" in first.text
    assert (second.content, second.headers["Vary"]) == (first.content, first.headers["Vary"])


def test_kept_page_is_filled_in_few_queries(talk: Event, django_assert_num_queries: Any) -> None:
    _, token = make_agenda(talk.conference, talk)
    browser(token=token).get("/demo/about/")
    browser().get(DAY)

    with django_assert_num_queries(3):
        # Is it current, whose is the agenda, what is in it; the column beside the page is that of the page before.
        page = browser(token=token).get(DAY).text

    assert "My day" in page
    assert presses(page)[str(talk.guid)] is True


def test_everything_kept_is_nobodys(talk: Event) -> None:
    second = other(talk)
    _, mine = make_agenda(talk.conference, talk)
    _, yours = make_agenda(talk.conference, second)

    pages = {token: browser(**({"token": token} if token else {})).get(DAY) for token in (mine, yours, "")}

    pressed = {token: [guid for guid, on in presses(page.text).items() if on] for token, page in pages.items()}
    assert pressed == {mine: [str(talk.guid)], yours: [str(second.guid)], "": []}
    assert "My day" in pages[mine].text
    assert "My day" not in pages[""].text
    assert {len(page.cookies) for page in pages.values()} == {0}
    assert not [token for token, page in pages.items() if "csrfmiddlewaretoken" in page.text]


def test_change_shows_at_once(talk: Event) -> None:
    before = browser().get(DAY)

    talk.title = "Adam, renamed"
    talk.revise()

    after = browser().get(DAY)
    assert "Adam, renamed" in after.text
    assert after.headers["ETag"] != before.headers["ETag"]


def test_unpublished_conference_is_gone_at_once(talk: Event) -> None:
    browser().get(DAY)

    Conference.objects.update(status="draft")

    assert browser().get(DAY).status_code == 404


def test_clock_moves_the_page(talk: Event) -> None:
    before = browser().get("/demo/").text

    with time_machine.travel("2025-04-24T02:30:00+00:00", tick=False):
        after = browser().get("/demo/").text

    assert ("On now" in before, "On now" in after) == (True, False)


@pytest.mark.parametrize("with_agenda", [False, True])
def test_same_page_again_is_not_sent_again(talk: Event, with_agenda: bool) -> None:
    agenda, token = make_agenda(talk.conference, talk)
    client = browser(token=token) if with_agenda else browser()
    etag = client.get(DAY).headers["ETag"]

    again = client.get(DAY, headers={"If-None-Match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)

    agenda.bookmark(talk, on=False)
    assert client.get(DAY, headers={"If-None-Match": etag}).status_code == (200 if with_agenda else 304)


@pytest.mark.parametrize("with_agenda", [False, True])
def test_page_travels_compressed(talk: Event, with_agenda: bool) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token) if with_agenda else browser()

    plain, zipped = client.get(DAY), client.get(DAY, headers={"Accept-Encoding": "gzip"})

    assert zipped.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(zipped.content) == plain.content
    assert zipped.headers["ETag"] == plain.headers["ETag"]
    assert {"Cookie", "Accept-Encoding"} <= set(zipped.headers["Vary"].split(", "))
    assert zipped.headers["Content-Length"] == str(len(zipped.content))


def test_what_a_page_depends_on_tells_pages_apart(talk: Event) -> None:
    clients: dict[str, Any] = {
        "whole": browser().get(DAY),
        "part": browser().get(DAY, headers=HTMX),
        "zone": browser(zone="Europe/Vienna").get(DAY),
        "query": browser().get(f"{DAY}?view=grid"),
        "head": browser().head(DAY),
    }

    assert len({response.content for response in clients.values()}) == 5
    assert clients["head"].headers["ETag"] == clients["whole"].headers["ETag"]
    assert "03:00" in clients["zone"].text
    assert "<html" not in clients["part"].text


def column(page: str) -> str:
    """The visitor's own column beside the page."""
    found = re.search(r'<aside class="my-day.*?</aside>', page, re.DOTALL)
    assert found
    return found[0]


def test_own_part_is_kept_until_the_agenda_or_the_programme_changes(talk: Event) -> None:
    agenda, token = make_agenda(talk.conference, talk)
    second = other(talk)
    client = browser(token=token)
    columns = [column(client.get(DAY).text)]

    agenda.bookmark(second, on=True)
    columns.append(column(client.get(DAY).text))
    talk.title = "Renamed"
    talk.revise()
    columns.append(column(client.get(DAY).text))

    told = [[title in it for title in ("Adam", "Other", "Renamed")] for it in columns]
    assert told == [[True, False, False], [True, True, False], [False, True, True]]


def test_own_part_is_kept_for_one_zone_and_one_moment(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token)

    here = column(client.get(DAY).text)
    pinned = column(client.get(f"{DAY}?at=2025-04-24T12:00").text)
    away = column(browser(token=token, zone="Europe/Vienna").get(DAY).text)

    assert ["09:00" in it for it in (here, pinned, away)] == [True, True, False]
    assert ["?at=2025-04-24T12:00" in it for it in (here, pinned, away)] == [False, True, False]


def test_page_of_a_very_long_question_is_not_kept(talk: Event) -> None:
    asked = [f"x={'y' * (LONGEST_QUERY - 2 + more)}" for more in (0, 1)]

    assert [browser().get(f"{DAY}?{it}").status_code for it in asked] == [200, 200]
    assert [SHELF.get((DAY, it, "", "", False, False, False)) is not None for it in asked] == [True, False]


@pytest.mark.parametrize("cookie", ["sessionid", "messages"])
def test_page_of_somebody_signed_in_or_spoken_to_is_not_kept(talk: Event, cookie: str) -> None:
    client = Client()
    client.cookies[cookie] = "anything"

    assert client.get(DAY).status_code == 200
    assert SHELF.get((DAY, "", "", "", False, False, False)) is None


def test_message_is_seen_once_by_one(talk: Event) -> None:
    client = browser()
    client.post(f"{talk.get_absolute_url()}bookmark/", {"on": "1", "next": DAY})

    pages = [client.get(DAY).text, client.get(DAY).text, browser().get(DAY).text]

    assert ["In your agenda: Adam." in page for page in pages] == [True, False, False]


def test_organiser_sees_their_own_picks(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token)
    client.force_login(get_user_model().objects.create_superuser("o", "o@example.org", "x"))

    assert presses(client.get(DAY).text)[str(talk.guid)] is True


def test_host_that_is_not_ours_is_refused(talk: Event) -> None:
    browser().get(DAY)

    assert browser().get(DAY, headers={"Host": "evil.example"}).status_code == 400


def test_missing_page_is_not_kept(talk: Event) -> None:
    url = "/demo/schedule/2025-04-25/"
    assert browser().get(url).status_code == 404

    talk.conference.days.create(date="2025-04-25")

    assert browser().get(url).status_code == 200


def test_text_cannot_pretend_to_be_a_hole(talk: Event) -> None:
    forged = f"\x02own:agenda-count:\x03 \x02pick:{talk.pk}\x1foff\x1eon\x03"
    Event.objects.update(title=forged)
    _, token = make_agenda(talk.conference, talk)

    assert forged in browser(token=token).get(DAY).text


def test_marks_are_cut_out_in_order() -> None:
    page = f"a{holes.mark_pick(7, 'off', 'on')}b{holes.mark_own('count', '1')}c{holes.mark_pick(8, '', 'x')}"

    parts = holes.parts_of(page)

    assert parts == (b"a", holes.Pick(7, b"off", b"on"), b"b", holes.Own("count", "1"), b"c", holes.Pick(8, b"", b"x"), b"")
    assert holes.filled(parts, {7}, lambda own: own.name.encode()) == b"aonbcountc"


def make_way(talk: Event) -> None:
    """The event's hall is seven minutes from the hotel."""
    conference = talk.conference
    zone = make_zone(conference, "Hall 1")
    talk.room = make_room(conference, "Hall 1", zone)
    talk.revise()
    start = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    Route.objects.create(conference=conference, start=start, zone=zone, title="Way").legs.create(instruction="Go.", minutes=7)


def test_open_part_is_for_who_has_no_agenda_and_blank_for_who_chose_nothing(talk: Event) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    _, token = make_agenda(talk.conference, talk)

    pages = [browser(**it).get(url).text for it in ({}, {"start": "hotel"}, {"token": token}, {"token": token, "start": "hotel"})]

    assert ["Where do you start?" in it for it in pages] == [True, False, True, False]
    assert ["7 min" in it for it in pages] == [False, True, False, True]
    # What else is somebody's own is on the page of who has an agenda alone.
    assert ["levels-" in it for it in pages] == [False, False, True, True]


def test_open_part_is_made_once_for_all_who_chose_the_same(talk: Event, django_assert_num_queries: Any) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    browser(start="hotel").get(url)

    with django_assert_num_queries(1):
        assert "7 min" in browser(start="hotel").get(url).text


def test_open_part_follows_the_programme(talk: Event) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    assert "7 min" in browser(start="hotel").get(url).text

    Leg.objects.update(minutes=9)
    talk.conference.bump()

    assert "9 min" in browser(start="hotel").get(url).text


def test_blank_of_an_open_part_is_nobodys(talk: Event) -> None:
    """Whoever asks first has it made, and leaves nothing of their own in it."""
    make_way(talk)
    url = talk.get_absolute_url()

    pages = [browser(**it).get(url).text for it in ({"start": "hotel"}, {})]

    assert ["Where do you start?" in it for it in pages] == [False, True]


def test_other_pages_do_not_mind_what_the_browser_remembers(talk: Event, django_assert_num_queries: Any) -> None:
    browser().get(DAY)

    first, second = browser().get(DAY), browser(start="hotel").get(DAY)

    assert (first["ETag"], first.content) == (second["ETag"], second.content)
