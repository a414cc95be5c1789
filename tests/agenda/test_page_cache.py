"""Public pages are cached for everybody, with fragments for each visitor."""

from __future__ import annotations

import gc
import gzip
import re
import tracemalloc
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.test import Client

from events.agenda.page_cache import Fragment, Placeholder, personal_etag, placeholder_mark, split_page
from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Conference, Event, Leg, Route, StartingPoint
from tests.factories import forms_url, make_agenda, make_conference, make_event, make_room, make_zone
from tests.search.searching import reindex
from tests.visitors import browser, presses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached_at_half_past_nine")]
DAY = "/demo/schedule/2025-04-24/"


@pytest.fixture
def talk() -> Event:
    event = make_event(make_conference(slug="demo"), title="Adam", start="09:00", end="10:00")
    event.revise()
    return event


def other(talk: Event) -> Event:
    event = make_event(talk.conference, title="Other", start="09:30", end="10:30")
    event.revise()
    return event


def stored_pages() -> list[Any]:
    return [key for key in PROCESS_CACHE.keys if key[0] == "page"]


def test_cached_page_takes_one_query_and_is_the_same(talk: Event, django_assert_num_queries: Any) -> None:
    first = browser().get(DAY)

    with django_assert_num_queries(1):
        second = browser().get(DAY)

    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    assert second.headers["Content-Type"] == first.headers["Content-Type"]


def test_question_that_was_asked_already_takes_one_query(talk: Event, django_assert_num_queries: Any) -> None:
    reindex(talk.conference)
    first = browser().get("/demo/search/?q=ada&part=results")

    with django_assert_num_queries(1):
        second = browser().get("/demo/search/?q=ada&part=results")

    assert "<mark>Adam</mark>" in first.text
    assert (second.content, second.headers["Vary"]) == (first.content, first.headers["Vary"])


def test_cached_page_is_filled_in_few_queries(talk: Event, django_assert_num_queries: Any) -> None:
    _, token = make_agenda(talk.conference, talk)
    browser(token=token).get("/demo/about/")
    browser().get(DAY)

    with django_assert_num_queries(1):
        # Is it current, and whose is the agenda; what is in it and the column beside the page are those of the page before.
        page = browser(token=token).get(DAY).text

    assert "My day" in page
    assert presses(page)[str(talk.guid)] is True


def test_nothing_personal_is_cached_for_others(talk: Event) -> None:
    second = other(talk)
    _, mine = make_agenda(talk.conference, talk)
    _, yours = make_agenda(talk.conference, second)

    pages = {token: browser(**({"token": token} if token else {})).get(DAY) for token in (mine, yours, "")}

    pressed = {token: [guid for guid, on in presses(page.text).items() if on] for token, page in pages.items()}
    assert pressed == {mine: [str(talk.guid)], yours: [str(second.guid)], "": []}
    columns = [column(pages[token].text) for token in (mine, yours)]
    assert [["Adam" in it, "Other" in it] for it in columns] == [[True, False], [False, True]]
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


def test_unpublished_conference_is_gone_at_once_for_who_has_an_agenda(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    assert browser(token=token).get(DAY).status_code == 200
    Conference.objects.update(status="draft")

    assert browser(token=token).get(DAY).status_code == 404


def test_address_that_went_to_another_conference_shows_the_agenda_of_that_one(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    browser(token=token).get(DAY)
    second = make_event(make_conference(slug="second"), title="Heir", start="09:00", end="10:00")
    Agenda.begin(token, second.conference).bookmark(second, on=True)
    talk.conference.slug, second.conference.slug = "former", "demo"
    for conference in (talk.conference, second.conference):
        conference.save()
        conference.bump_revision()

    page = browser(token=token).get(DAY).text

    assert presses(page) == {str(second.guid): True}


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


def test_etag_tells_where_on_a_page_a_fragment_is() -> None:
    first, second, empty = (personal_etag('W/"1"', it) for it in ([b"2", b""], [b"", b"2"], [b"", b""]))

    assert len({first, second, empty, personal_etag('W/"2"', [b"", b""])}) == 4


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
        "part": browser().get(f"{DAY}?part=schedule"),
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


def test_fragment_is_cached_until_the_agenda_or_the_programme_changes(talk: Event) -> None:
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


def test_fragment_is_cached_for_one_zone_and_one_moment(talk: Event) -> None:
    _, token = make_agenda(talk.conference, talk)
    client = browser(token=token)

    here = column(client.get(DAY).text)
    pinned = column(client.get(f"{DAY}?at=2025-04-24T12:00").text)
    away = column(browser(token=token, zone="Europe/Vienna").get(DAY).text)

    assert ["09:00" in it for it in (here, pinned, away)] == [True, True, False]
    assert ["?at=2025-04-24T12:00" in it for it in (here, pinned, away)] == [False, True, False]


def test_message_is_seen_once_by_one(talk: Event) -> None:
    client = browser()
    client.post(f"{forms_url(talk)}bookmark/", {"on": "1", "next": DAY})

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


def test_missing_page_is_not_cached(talk: Event) -> None:
    url = "/demo/schedule/2025-04-25/"
    assert (browser().get(url).status_code, stored_pages()) == (404, [])

    talk.conference.days.create(date="2025-04-25")
    talk.conference.bump_revision()

    assert browser().get(url).status_code == 200


def test_text_cannot_pretend_to_be_a_placeholder(talk: Event) -> None:
    forged = "\x020\x03 \x02:0\x03 \x020123456789abcdef:0\x03"
    Event.objects.update(title=forged)
    _, token = make_agenda(talk.conference, talk)

    assert forged in browser(token=token).get(DAY).text


def test_page_is_split_at_its_marks() -> None:
    first, second = Placeholder(Fragment(str), ()), Placeholder(Fragment(str), (7,), b"default")
    request: Any = SimpleNamespace(placeholders=[])
    page = f"a{placeholder_mark(request, first)}b{placeholder_mark(request, second)}"

    assert split_page(page, request.placeholders) == (b"a", first, b"b", second, b"")


def make_way(talk: Event) -> None:
    """The event's hall is seven minutes from the hotel."""
    conference = talk.conference
    zone = make_zone(conference, "Hall 1")
    talk.room = make_room(conference, "Hall 1", zone)
    talk.revise()
    start = StartingPoint.objects.create(conference=conference, name="Hotel", slug="hotel")
    Route.objects.create(conference=conference, start=start, zone=zone, title="Way").legs.create(instruction="Go.", minutes=7)


def test_way_is_shown_without_an_agenda_by_the_choices_of_the_browser(talk: Event) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    _, token = make_agenda(talk.conference, talk)

    pages = [browser(**it).get(url).text for it in ({}, {"start": "hotel"}, {"token": token}, {"token": token, "start": "hotel"})]

    assert ["Where are you coming from?" in it for it in pages] == [True, False, True, False]
    assert ["7 min" in it for it in pages] == [False, True, False, True]
    # All else that is personal needs an agenda.
    assert ["levels-" in it for it in pages] == [False, False, True, True]


def test_way_is_cached_for_all_who_chose_the_same(talk: Event, django_assert_num_queries: Any) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    browser(start="hotel").get(url)

    with django_assert_num_queries(1):
        assert "7 min" in browser(start="hotel").get(url).text


def test_way_follows_the_programme(talk: Event) -> None:
    make_way(talk)
    url = talk.get_absolute_url()
    assert "7 min" in browser(start="hotel").get(url).text

    Leg.objects.update(minutes=9)
    talk.conference.bump_revision()

    assert "9 min" in browser(start="hotel").get(url).text


def test_way_of_who_asks_first_is_not_the_default(talk: Event) -> None:
    make_way(talk)
    url = talk.get_absolute_url()

    pages = [browser(**it).get(url).text for it in ({"start": "hotel"}, {})]

    assert ["Where are you coming from?" in it for it in pages] == [False, True]


def test_other_pages_do_not_mind_what_the_browser_remembers(talk: Event, django_assert_num_queries: Any) -> None:
    browser().get(DAY)

    first, second = browser().get(DAY), browser(start="hotel").get(DAY)

    assert (first["ETag"], first.content) == (second["ETag"], second.content)


def test_busy_page_is_not_cached(talk: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr("events.pages.queries.schedule.schedule_of_day", refuse)
        busy = Client(raise_request_exception=False).get(DAY)

    assert (busy.status_code, stored_pages()) == (503, [])
    assert browser().get(DAY).status_code == 200


def test_process_holds_no_more_than_the_cache_may(talk: Event) -> None:
    """Filled several times over with pages, fragments and what they are made of; measured by what Python frees afterwards."""
    _, token = make_agenda(talk.conference, talk)
    PROCESS_CACHE.max_bytes = 400_000

    def visit() -> None:
        for number in range(40):
            client = browser(token=token, **({"zone": "Europe/Vienna"} if number % 2 else {}))
            client.get(f"{DAY}?at=2025-04-24T09:{number + 10}")

    tracemalloc.start()
    try:
        visit()
        kinds, size = (
            {getattr(getattr(key[0], "render", None), "__name__", str(key[0])) for key in PROCESS_CACHE.keys},
            PROCESS_CACHE.size,
        )  # type: ignore[index]
        gc.collect()
        used = tracemalloc.get_traced_memory()[0]
        PROCESS_CACHE.clear()
        gc.collect()
        freed = used - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()

    assert {"page", "my_day_fragment", "bookmarks"} <= kinds
    assert 0.6 * PROCESS_CACHE.max_bytes < size <= PROCESS_CACHE.max_bytes
    assert 0.6 * size < freed <= PROCESS_CACHE.max_bytes
