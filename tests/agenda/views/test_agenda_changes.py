"""The banner, the list of what is new, and saying that one has seen it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import time_machine
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from events.agenda.queries.changes import agenda_news
from events.core.clock import Clock
from events.models import Agenda, Event
from tests.factories import make_agenda, make_conference, make_day, make_event, make_room
from tests.visitors import HTMX, browser

pytestmark = pytest.mark.django_db
CHANGES, BANNER = "/demo/agenda/changes/", "/demo/agenda/news/"


def make_moved(count: int = 1) -> tuple[Agenda, str, list[Event]]:
    """An agenda of so many events to come, each of which has moved to another room since."""
    conference = make_conference(slug="demo", start=dt.date(2090, 4, 24), end=dt.date(2090, 4, 28))
    day = make_day(conference, dt.date(2090, 4, 24))
    hours = [(f"{9 + number:02}:00", f"{9 + number:02}:30") for number in range(count)]
    talks = [
        make_event(conference, kind="talk", title=f"Talk {number}", day=day, start=start, end=end)
        for number, (start, end) in enumerate(hours)
    ]
    agenda, token = make_agenda(conference, *talks)
    for talk in talks:
        talk.room = make_room(conference, f"Room {talk.pk}")
        talk.revise(reason="More chairs")
    return agenda, token, talks


def upto(agenda: Agenda) -> str:
    now = dt.datetime.now(dt.UTC)
    found = agenda_news(agenda, Clock(now=now, venue_zone=agenda.conference.zone, chosen_zone=None, pinned=False)).upto
    return (found or now).isoformat()


def titles(response: Any) -> list[str]:
    return [item.event.title for item in response.context["news"].items]


def test_list_tells_what_moved_and_why() -> None:
    _, token, [talk] = make_moved()

    response = browser(token=token).get(CHANGES)

    assert titles(response) == ["Talk 0"]
    assert f"<ins>Room {talk.pk}</ins>" in response.text
    assert "More chairs" in response.text
    assert "1 change since you looked" in response.text


def test_visitor_without_an_agenda_is_told_so() -> None:
    make_moved()

    response = Client().get(CHANGES)

    assert (response.status_code, response.context["has_agenda"]) == (200, False)
    assert "Nothing picked yet" in response.text


def test_seen_by_plain_form_returns_and_says_so() -> None:
    agenda, token, [talk] = make_moved()
    client = browser(token=token)

    response = client.post(CHANGES, {"event": talk.guid, "upto": upto(agenda), "next": "/demo/agenda/"})

    assert (response.status_code, response["Location"]) == (302, "/demo/agenda/")
    assert [str(it) for it in get_messages(response.wsgi_request)] == ["Seen: Talk 0."]
    assert titles(client.get(CHANGES)) == []


def test_seen_by_htmx_answers_with_what_is_left() -> None:
    agenda, token, [one, _] = make_moved(2)

    response = browser(token=token).post(CHANGES, {"event": one.guid, "upto": upto(agenda)}, headers=HTMX)

    assert response.templates[0].name == "events/agenda/_news_answer.html"
    assert titles(response) == ["Talk 1"]
    assert "autofocus" in response.text


def test_seen_of_all_is_seen_on_every_device() -> None:
    agenda, token, _ = make_moved(3)

    browser(token=token).post(CHANGES, {"upto": upto(agenda)})

    assert titles(browser(token=token).get(CHANGES)) == []


def test_seen_sent_twice_does_the_same() -> None:
    agenda, token, _ = make_moved()
    client, values = browser(token=token), {"upto": upto(agenda)}

    assert [client.post(CHANGES, values).status_code for _ in range(2)] == [302, 302]
    agenda.refresh_from_db()
    # Once for the pick, once for having seen it.
    assert agenda.revision == 2


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({}, "“” is not a time: use the buttons below."),
        ({"upto": "tomorrow\x00"}, "“tomorrow\x00” is not a time: use the buttons below."),
        ({"upto": "2025-04-24T09:00:00+00:00", "event": "7"}, "“7” is not an event: use the buttons below."),
        ({"upto": "9" * 9999}, f"“{'9' * 40}” is not a time: use the buttons below."),
    ],
    ids=["missing", "words", "event", "long"],
)
def test_what_is_no_moment_is_refused_in_a_sentence(values: dict[str, str], problem: str) -> None:
    _, token, _ = make_moved()

    response = browser(token=token).post(CHANGES, values)

    assert (response.status_code, response.context["problem"]) == (422, problem)
    assert titles(response) == ["Talk 0"]


def test_event_of_somebody_else_is_not_noted() -> None:
    agenda, token, _ = make_moved()
    other = make_event(make_conference(slug="other"), title="Elsewhere")

    response = browser(token=token).post(CHANGES, {"event": other.guid, "upto": upto(agenda)})

    assert [str(it) for it in get_messages(response.wsgi_request)] == ["That event is no longer in the programme."]


def test_without_an_agenda_nothing_is_begun() -> None:
    make_moved()

    response = Client().post(CHANGES, {"upto": "2025-04-24T09:00:00+00:00"})

    assert (response.status_code, Agenda.objects.count()) == (302, 1)


def test_looking_at_another_moment_offers_nothing_to_press() -> None:
    _, token, _ = make_moved()

    page = browser(token=token).get(f"{CHANGES}?at=2090-04-23T09:00").text

    assert "Talk 0" in page
    assert '<form method="post" action="/demo/agenda/changes/"' not in page


def test_banner_is_on_the_pages_of_whoever_has_news() -> None:
    _, token, _ = make_moved(2)
    url = reverse("events:schedule-day", args=["demo", dt.date(2090, 4, 24)])

    assert "2 changes in your agenda since you looked" in browser(token=token).get(url).text
    assert "agenda-news" not in Client().get(url).text


def test_agenda_page_shows_the_news_first() -> None:
    _, token, _ = make_moved()

    page = browser(token=token).get("/demo/agenda/").text

    assert page.index("1 change since you looked") < page.index("day-block")


def test_banner_answers_304_when_nothing_moved(django_assert_num_queries: Any) -> None:
    agenda, token, talks = make_moved()
    client = browser(token=token)
    first = client.get(BANNER)
    assert "1 change in your agenda" in first.text

    with django_assert_num_queries(4):
        second = client.get(BANNER, headers={"If-None-Match": first["ETag"]})

    assert (second.status_code, second.content) == (304, b"")
    talks[0].title = "Another"
    talks[0].revise()
    assert client.get(BANNER, headers={"If-None-Match": first["ETag"]}).status_code == 200
    agenda.acknowledge(dt.datetime.now(dt.UTC))
    assert client.get(BANNER).text.strip() == ""


def test_banner_is_another_when_what_changed_is_over() -> None:
    _, token, [talk] = make_moved()
    client = browser(token=token)
    first = client.get(BANNER)

    with time_machine.travel(talk.end, tick=False):
        after = client.get(BANNER, headers={"If-None-Match": first["ETag"]})

    assert "1 change in your agenda" in first.text
    assert (after.status_code, after.text.strip()) == (200, "")


def test_banner_is_nothing_without_an_agenda() -> None:
    make_moved()

    assert Client().get(BANNER).status_code == 204


@pytest.mark.parametrize("count", [1, 3])
def test_list_costs_the_same_queries(count: int, django_assert_num_queries: Any) -> None:
    _, token, _ = make_moved(count)
    client = browser(token=token)

    with django_assert_num_queries(8):
        client.get(CHANGES)
