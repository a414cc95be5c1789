"""The programme in a frame of another site, and the page about it and the open files."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import escape

from events.core.byte_cache import PROCESS_CACHE
from events.models import Conference, Track
from events.pages.queries import embed
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_type,
)
from tests.security.markup import elements
from tests.visitors import browser

pytestmark = pytest.mark.django_db
EMBED = "/demo/embed/"
FRIDAY = dt.date(2025, 4, 25)


@pytest.fixture
def conference(db: None) -> Conference:
    conference = make_conference(slug="demo", name="Demo")
    day = make_day(conference)
    keynote = make_event(conference, kind="invited-talk", title="Open science", day=day, start="09:00", end="10:00")
    make_appearance(keynote, make_person(conference, "Grace Hopper"))
    make_event(conference, title="Orals", day=day, start="10:00", end="11:30")
    make_event(conference, title="Farewell", day=make_day(conference, FRIDAY), start="17:00", end="18:00")
    return conference


def titles(page: Any) -> list[str]:
    found = re.findall(r'<a href="/demo/events/[^"]*"[^>]*>(?:<s>)?([^<]*)', page.text)
    return [title.strip() for title in found]


def test_frame_has_a_day_in_the_order_of_its_hours(conference: Conference) -> None:
    page = Client().get(f"{EMBED}?day=2025-04-24")

    assert titles(page) == ["Open science", "Orals"]
    assert "Grace Hopper" in page.text
    assert "Thursday 24 April" in page.text


def test_frame_may_be_in_any_site_also_from_the_cache(conference: Conference) -> None:
    PROCESS_CACHE.max_bytes = 2**25

    answers = [Client().get(EMBED) for _ in range(2)]

    assert [key[1] for key in PROCESS_CACHE.keys if key[0] == "page"] == [EMBED]
    for answer in answers:
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert "X-Frame-Options" not in answer
        assert not answer.cookies


def test_no_other_page_may_be_framed(conference: Conference) -> None:
    for url in ["/demo/", "/demo/files/", "/demo/schedule/2025-04-24/", "/demo/embed/nothing/"]:
        answer = Client().get(url)

        assert (answer["X-Frame-Options"], "frame-ancestors 'none'" in answer["Content-Security-Policy"]) == ("DENY", True), url


def test_frame_has_no_script_form_or_style_of_its_own(conference: Conference) -> None:
    found = elements(Client().get(EMBED).text)

    assert {tag for tag, _ in found} & {"script", "form", "button", "input", "style"} == set()
    assert [attributes for tag, attributes in found if tag == "base"] == [{"target": "_top"}]
    assert {attributes["target"] for tag, attributes in found if tag == "a" and "target" in attributes} == {"_self"}


def test_frame_is_the_same_for_a_visitor_with_an_agenda_and_a_time_zone(conference: Conference) -> None:
    event = conference.events.get(title="Orals")
    plain = Client().get(f"{EMBED}?at=2025-04-24T09:30")

    own = browser(token=make_agenda(conference, event)[1], zone="America/New_York").get(f"{EMBED}?at=2025-04-24T09:30")

    assert own.content == plain.content


def test_now_has_what_is_on_and_what_is_next(conference: Conference) -> None:
    page = Client().get(f"{EMBED}?view=now&at=2025-04-24T09:30")

    assert titles(page) == ["Open science", "Orals", "Farewell"]
    assert re.findall(r"<h2>(.*?)</h2>", page.text) == ["On now", "Next"]
    assert "09:30, Singapore time" in " ".join(page.text.split())
    assert f'<a href="{EMBED}?at=2025-04-24T09:30&amp;view=now" target="_self">Update</a>' in page.text


@pytest.mark.parametrize("status", ["confirmed", "cancelled"])
def test_talk_says_that_its_session_is_cancelled(conference: Conference, status: str) -> None:
    session = make_event(conference, title="Workshop", start="08:00", end="17:00", status=status)
    make_event(conference, kind="talk", title="Adam", start="09:45", end="10:00", session=session)

    told = []
    for url in (f"{EMBED}?view=now&", "/demo/?"):
        for time in ("09:30", "09:45"):
            page = re.sub(r"<[^>]*>", "", Client().get(f"{url}at=2025-04-24T{time}").text)
            told.append("in Workshop (cancelled)" in " ".join(page.split()))

    assert told == [status == "cancelled"] * 4


@pytest.mark.parametrize("view", ["schedule", "now"])
def test_type_leaves_out_the_others(conference: Conference, view: str) -> None:
    slug = conference.events.get(title="Orals").type.slug

    page = Client().get(f"{EMBED}?type={slug}&view={view}&at=2025-04-24T09:30")

    assert "Orals" in titles(page)
    assert "Open science" not in titles(page)


def test_days_are_links_inside_the_frame_that_keep_what_was_chosen(conference: Conference) -> None:
    page = Client().get(f"{EMBED}?theme=dark")

    assert 'data-theme="dark"' in page.text
    assert 'href="?day=2025-04-25&amp;theme=dark" target="_self"' in page.text


@pytest.mark.parametrize("view", ["schedule", "now"])
@pytest.mark.parametrize("name", ["track", "room", "room by name"])
def test_track_or_room_leaves_out_the_others(conference: Conference, view: str, name: str) -> None:
    orals = conference.events.get(title="Orals")
    orals.room, orals.track = make_room(conference, "Hall 1–2"), Track.objects.create(conference=conference, name="Theory")
    orals.revise()
    value = {"track": "theory", "room": str(orals.room.pk), "room by name": "hall-1-2"}[name]

    page = Client().get(f"{EMBED}?{name.split(maxsplit=1)[0]}={value}&view={view}&at=2025-04-24T09:30")

    assert titles(page) == ["Orals"]
    assert "is not known here" not in page.text
    assert view == "now" or f"day=2025-04-25&amp;{name.split(maxsplit=1)[0]}=" in page.text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        pytest.param("day=2020-01-01", "day=2020-01-01 is not known here. Known are: 2025-04-24, 2025-04-25.", id="day"),
        pytest.param("theme=pink", "theme=pink is not known here. Known are: light, dark.", id="theme"),
        pytest.param("view=grid", "view=grid is not known here. Known are: schedule, now.", id="view"),
        pytest.param("room=attic", "room=attic is not known here. Known are: none.", id="room"),
        pytest.param("track=none", "track=none is not known here. Known are: none.", id="track"),
        pytest.param("type=%3Cb%3E", "type=&lt;b&gt; is not known here.", id="markup"),
    ],
)
def test_unknown_value_has_a_sentence_and_the_programme(conference: Conference, query: str, sentence: str) -> None:
    page = Client().get(f"{EMBED}?{query}")

    assert page.status_code == 200
    assert sentence in page.text
    assert titles(page) == ["Open science", "Orals"]


def test_drafts_and_unused_types_are_not_named(conference: Conference) -> None:
    make_type(conference, "social", name="Secret dinner")
    make_event(conference, title="Draft", status="draft", day=conference.days.first(), start="09:00", end="10:00")

    pages = [Client().get(url).text for url in (EMBED, f"{EMBED}?type=x", "/demo/files/")]

    assert not any(word in page for page in pages for word in ("Secret dinner", "secret-dinner", "Draft"))


def test_draft_conference_has_no_frame(conference: Conference) -> None:
    Conference.objects.update(status="draft")

    assert [Client().get(url).status_code for url in (EMBED, "/demo/files/")] == [404, 404]


def test_long_day_says_how_many_are_left_out(conference: Conference, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embed, "MAX_EMBED_ROWS", 1)

    page = Client().get(EMBED)

    assert titles(page) == ["Open science"]
    assert "1 more are on the whole page" not in page.text
    assert "1 more is on the whole page" in page.text


def test_conference_without_events_has_a_frame(db: None) -> None:
    make_conference(slug="demo")

    assert "Nothing is announced here yet." in Client().get(EMBED).text
    assert "Nothing is on now" in Client().get(f"{EMBED}?view=now").text


def test_every_file_can_be_read_and_asked_for_again(conference: Conference) -> None:
    make_paper(conference)
    urls = re.findall(rf'<th scope="row"><a href="{settings.SITE_URL}([^"]*)"', Client().get("/demo/files/").text)

    assert [url.rpartition("/")[2] for url in urls] == [
        *("schedule.json", "schedule.xml", "schedule.csv", "papers.csv", "schedule.ics", "2025-04-24.ics"),
        *("changes.atom", "announcements.atom", "sitemap.xml"),
    ]
    for url in urls:
        first = Client().get(url)
        again = Client().get(url, headers={"if-none-match": first["ETag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b""), url


def test_code_for_a_site_is_that_of_the_frame(conference: Conference) -> None:
    page = Client().get("/demo/files/").text

    assert escape(f'<iframe src="{settings.SITE_URL}/demo/embed/" title="Programme of Demo"') in page
    assert "<code>2025-04-25</code>" in page


def test_footer_leads_to_the_page(conference: Conference) -> None:
    assert '<a href="/demo/files/">For other websites</a>' in Client().get("/demo/about/").text


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("query", "queries"), [("", 5), ("view=now", 6)], ids=["day", "now"])
def test_frame_takes_a_fixed_number_of_queries(count: int, query: str, queries: int, django_assert_num_queries: Any) -> None:
    conference = make_conference(slug="demo")
    day = make_day(conference)
    for number in range(count):
        event = make_event(conference, title=f"Talk {number}", day=day, start="09:00", end="10:00")
        make_appearance(event, make_person(conference, f"Person {number}"))

    with django_assert_num_queries(queries):
        Client().get(f"{EMBED}?at={at('09:30'):%Y-%m-%dT%H:%M}&{query}")


def test_frame_marks_what_is_tentative(conference: Conference) -> None:
    make_event(conference, title="Perhaps", status="tentative", start="12:00", end="13:00")
    make_event(conference, title="Some time", status="tentative")

    page = Client().get(f"{EMBED}?day=2025-04-24").text

    assert "Some time" in page
    assert page.count("<strong>Tentative</strong>") == 1
