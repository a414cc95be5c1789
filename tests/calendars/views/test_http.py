from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client

from events.core.tokens import new_token
from events.models import Agenda, Conference
from tests.calendars.reading import read
from tests.calendars.world import CALENDARS, World
from tests.factories import make_agenda, make_appearance, make_event, make_paper, make_person, make_room

pytestmark = pytest.mark.django_db

PERSONAL = "private, no-cache"
PUBLIC = "public, max-age=300"


@pytest.mark.parametrize(
    ("name", "caching", "disposition"),
    [
        pytest.param("feed", PERSONAL, None, id="feed"),
        pytest.param(
            *("download", PERSONAL),
            "attachment; filename=\"iclr-2025-my-agenda.ics\"; filename*=UTF-8''ICLR%202025%20my%20agenda.ics",
            id="download",
        ),
        pytest.param("schedule", PUBLIC, None, id="schedule"),
        pytest.param(
            *("schedule?download=1", PUBLIC),
            "attachment; filename=\"iclr-2025.ics\"; filename*=UTF-8''ICLR%202025.ics",
            id="schedule-file",
        ),
        pytest.param(
            *("day", PUBLIC),
            "attachment; filename=\"iclr-2025-thursday-24-april.ics\"; filename*=UTF-8''ICLR%202025%20Thursday%2024%20April.ics",
            id="day",
        ),
        pytest.param("person", PUBLIC, None, id="person"),
        pytest.param(
            *("person?download=1", PUBLIC),
            "attachment; filename=\"iclr-2025-ada-lovelace.ics\"; filename*=UTF-8''ICLR%202025%20Ada%20Lovelace.ics",
            id="person-file",
        ),
        pytest.param(
            *("event", PUBLIC),
            "attachment; filename=\"erde-mond-fur-alle.ics\"; filename*=UTF-8''Erde%20%26%20Mond%20f%C3%BCr%20alle.ics",
            id="event",
        ),
    ],
)
def test_calendar_headers(world: World, name: str, caching: str, disposition: str | None) -> None:
    name, mark, query = name.partition("?")

    response = world.visitor().get(world.urls[name] + mark + query)

    assert response.status_code == 200
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert response["Cache-Control"] == caching
    assert response.get("Content-Disposition") == disposition
    assert response["X-Robots-Tag"] == "noindex"
    revision = f"-{Conference.objects.get().revision}" if name == "feed" else ""
    assert re.fullmatch(f'"[0-9a-f]{{32}}{revision}"', response["ETag"])
    assert response["Content-Length"] == str(len(response.content))


@pytest.mark.parametrize("name", CALENDARS)
def test_calendar_sets_no_cookie_varies_by_none_and_is_not_compressed(world: World, name: str) -> None:
    response = world.visitor().get(world.urls[name], headers={"accept-encoding": "gzip, br"})

    assert dict(response.cookies) == {}
    # The file of an agenda is found by the cookie, its feed by the address.
    vary = "Cookie" if name == "download" else None
    assert (response.get("Vary"), response.get("Content-Encoding")) == (vary, None)


@pytest.mark.parametrize("name", CALENDARS)
@pytest.mark.parametrize("form", ["{}", "W/{}", '"x", {}', "*", "gzip"])
def test_known_version_is_answered_304_without_a_body(world: World, name: str, form: str) -> None:
    client = world.visitor()
    etag = client.get(world.urls[name])["ETag"]
    asked = f'{etag[:-1]}-gzip"' if form == "gzip" else form.format(etag)

    response = client.get(world.urls[name], headers={"if-none-match": asked})

    assert (response.status_code, response.content, response["ETag"]) == (304, b"", etag)
    assert dict(response.cookies) == {}


@pytest.mark.parametrize("name", CALENDARS)
def test_known_date_is_answered_304_unless_a_tag_says_otherwise(world: World, name: str) -> None:
    client = world.visitor()
    since = client.get(world.urls[name])["Last-Modified"]

    by_date = client.get(world.urls[name], headers={"if-modified-since": since})
    by_tag = client.get(world.urls[name], headers={"if-modified-since": since, "if-none-match": '"other"'})

    assert (by_date.status_code, by_tag.status_code) == (304, 200)


@pytest.mark.parametrize("name", CALENDARS)
def test_head_is_get_without_the_body(world: World, name: str) -> None:
    client = world.visitor()

    got, head = client.get(world.urls[name]), client.head(world.urls[name])
    unchanged = client.head(world.urls[name], headers={"if-none-match": got["ETag"]})

    assert (head.status_code, head.content, dict(head.headers)) == (200, b"", dict(got.headers))
    assert unchanged.status_code == 304


@pytest.mark.parametrize("name", [*CALENDARS, "unknown feed"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "REPORT", "MKCALENDAR"])
def test_anything_but_reading_is_405_also_for_programs_without_a_csrf_token(world: World, name: str, method: str) -> None:
    url = world.urls.get(name, f"/feeds/{new_token()}.ics")

    response = world.visitor(enforce_csrf_checks=True).generic(method, url)

    # The button that takes the agenda away posts its form; who names no origin is asked to read.
    posted = method == "POST" and name == "download"
    allowed = "GET, HEAD, POST" if name == "download" else "GET, HEAD"
    is_preflight = method == "OPTIONS" and name not in {"feed", "download", "unknown feed"}
    expected = (302, None) if posted else (204, None) if is_preflight else (405, allowed)
    assert (response.status_code, response.get("Allow")) == expected


def test_feed_needs_nothing_but_its_address(world: World) -> None:
    plain = Client().get(world.feed)

    odd = Client().get(
        f"{world.feed}?utm_source=x&at=2030-01-01&token=y",
        headers={
            "authorization": "Bearer abc",
            "accept": "application/json",
            "user-agent": "",
            "cookie": "sessionid=nonsense; hallway=x",
        },
    )

    assert (odd.status_code, odd.content, odd["ETag"]) == (200, plain.content, plain["ETag"])


def test_two_fetches_are_the_same_bytes(world: World) -> None:
    assert Client().get(world.feed).content == Client().get(world.feed).content


def grown(conference: Conference, events: int) -> str:
    """The token of an agenda of events that have everything a calendar shows."""
    picks = []
    for _ in range(events):
        paper = make_paper(conference, make_person(conference), make_person(conference))
        event = make_event(
            conference, start="09:00", end="10:00", paper=paper, room=make_room(conference, f"Room {uuid.uuid4()}")
        )
        make_appearance(event, make_person(conference))
        picks.append(event)
    return make_agenda(conference, *picks)[1]


@pytest.mark.parametrize("events", [1, 3])
@pytest.mark.parametrize(("name", "queries"), [("feed", 7), ("download", 9), ("schedule", 5), ("day", 6), ("person", 7)])
def test_calendar_costs_the_same_queries_for_one_event_and_three(
    world: World, django_assert_num_queries: Any, events: int, name: str, queries: int
) -> None:
    world.token = grown(world.conference, events)
    world.agenda = Agenda.objects.for_token(world.token, world.conference)
    url, client = world.urls[name], world.visitor()
    # The first visit to a feed is recorded; test_fetch_log.py counts what that costs.
    client.get(world.feed)

    with django_assert_num_queries(queries):
        response = client.get(url)

    assert len(read(response.content)) == (1 if name == "person" else events + (name in {"schedule", "day"}))


@pytest.mark.parametrize(
    ("name", "queries"), [("feed", 1), ("download", 2), ("schedule", 1), ("event", 2), ("day", 2), ("person", 2)]
)
def test_304_by_tag_costs_no_more_than_finding_the_calendar(
    world: World, django_assert_num_queries: Any, name: str, queries: int
) -> None:
    client, url = world.visitor(), world.urls[name]
    etag = client.get(url)["ETag"]

    with django_assert_num_queries(queries):
        response = client.get(url, headers={"if-none-match": etag})

    assert response.status_code == 304


@pytest.mark.usefixtures("cached_at_half_past_nine")
def test_calendar_gets_no_bytes_while_only_other_events_change(world: World) -> None:
    other = make_event(world.conference, title="Elsewhere")
    other.revise()
    first = Client().get(world.feed)
    other.title = "Renamed elsewhere"
    other.revise()

    again = Client().get(world.feed, headers={"if-none-match": first["ETag"]})
    without = Client().get(world.feed)
    world.event.title = "Renamed"
    world.event.revise()
    changed = Client().get(world.feed, headers={"if-none-match": again["ETag"]})

    assert (again.status_code, again["ETag"], again.content) == (304, first["ETag"], b"")
    assert (without.status_code, without.content) == (200, first.content)
    assert (changed.status_code, changed["ETag"] not in {first["ETag"], without["ETag"]}) == (200, True)


def test_304_by_date_of_a_feed_costs_two_queries(world: World, django_assert_num_queries: Any) -> None:
    url = world.feed
    since = Client().get(url)["Last-Modified"]

    with django_assert_num_queries(2):
        response = Client().get(url, headers={"if-modified-since": since})

    assert response.status_code == 304
