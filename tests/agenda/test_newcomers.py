"""Known visitors and newcomers: new agendas are counted, and strangers lock out nobody who was here before."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.counting import KNOWN_VISITOR_AGE, is_known_visitor
from events.core import limits
from events.core.limits import Limit
from events.models import Agenda, Event, Visitor
from tests.factories import at, make_agenda, make_conference, make_event, make_known_agenda, make_room
from tests.sign_up.seating import make_sign_up
from tests.visitors import HTMX, known_browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event(make_conference(slug="demo"), start="09:00", end="10:00")


def bookmark(client: Client, event: Event, on: str = "1", **options: Any) -> Any:
    return client.post(reverse("events:bookmark-set", args=[event.conference.slug, event.guid]), {"on": on}, **options)


@pytest.mark.parametrize(
    ("age", "picks", "expected"),
    [
        pytest.param(KNOWN_VISITOR_AGE, 1, True, id="old-with-a-bookmark"),
        pytest.param(KNOWN_VISITOR_AGE - dt.timedelta(seconds=10), 1, False, id="too-young"),
        pytest.param(dt.timedelta(days=3), 0, False, id="without-a-bookmark"),
    ],
)
def test_visitor_is_known_by_an_old_agenda_with_a_bookmark(
    event: Event, age: dt.timedelta, picks: int, expected: bool, django_assert_num_queries: Any
) -> None:
    agenda, token = make_agenda(event.conference, *[event][:picks])
    Agenda.objects.filter(pk=agenda.pk).update(created_at=timezone.now() - age)

    with django_assert_num_queries(1):
        assert is_known_visitor(token) is expected


def test_removed_bookmark_makes_nobody_known(event: Event) -> None:
    agenda, token = make_known_agenda(event.conference, event)
    agenda.bookmark(event, on=False)

    assert not is_known_visitor(token)


def test_visitor_is_known_at_every_conference(event: Event) -> None:
    token = make_known_agenda(event.conference, event)[1]
    Agenda.begin(token, make_conference())

    assert is_known_visitor(token)


def test_browser_without_a_cookie_is_new_without_a_query(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert not is_known_visitor("")


def test_agendas_of_one_network_are_limited_and_nothing_is_written(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEW_AGENDAS", Limit("new agenda", network=3))

    answers = [bookmark(Client(), event) for _ in range(5)]

    assert [it.status_code for it in answers] == [302, 302, 302, 429, 429]
    assert (Agenda.objects.count(), Visitor.objects.count()) == (3, 3)
    assert (answers[-1]["Retry-After"], "hallway" in answers[-1].cookies) == ("3600", False)
    assert "More agendas were begun in your network" in answers[-1].text


def test_who_has_an_agenda_goes_on_when_no_new_one_begins(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "NEW_AGENDAS", Limit("new agenda", network=1))
    first, known = Client(), known_browser(event)
    bookmark(first, event)
    bookmark(Client(), event)

    codes = [bookmark(it, event, on, headers=HTMX).status_code for it in (first, known) for on in "01"]

    assert codes == [200] * 4


def test_every_agenda_begins_where_it_is_counted() -> None:
    """Others move or merge agendas; commands make none."""
    events = Path(__file__).parents[2] / "events"
    making = re.compile(r"\bAgenda\.begin\(|\bAgenda\.objects\.(get_or_|bulk_|update_or_)?create\(|(?<!class )\bAgenda\(")

    found = {path.relative_to(events).as_posix() for path in events.rglob("*.py") if making.search(path.read_text())}

    assert found == {"agenda/visitor.py"}


def test_wrong_codes_of_known_visitors_count_apart(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WRONG_DEVICE_CODES", Limit("wrong code", visitor=30, network=2))
    url = reverse("events:take", args=[event.conference.slug])
    strangers, known = [Client() for _ in range(3)], [known_browser(event) for _ in range(3)]

    codes = [client.post(url, {"code": "ABCDEF-GHJKMN"}).status_code for client in (*strangers, *known)]

    assert codes == [422, 422, 429] * 2


def test_reports_of_known_visitors_count_apart(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CROWD_REPORTS", Limit("report on a room", network=2))
    Event.objects.filter(pk=event.pk).update(room=make_room(event.conference))
    url = reverse("events:crowd-set", args=[event.conference.slug, event.guid])

    with time_machine.travel(at("09:30"), tick=False):
        codes = [client.post(url, {"state": "full"}).status_code for client in (*strangers(), *known_browsers(event))]

    assert codes == [302, 302, 429] * 2


def test_places_of_known_visitors_count_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEATS", Limit("place", network=2))
    social = make_sign_up(20).event
    url = reverse("events:sign-up", args=[social.conference.slug, social.guid])

    codes = [client.post(url, {"on": "1"}).status_code for client in (*strangers(), *known_browsers(social))]

    assert codes == [302, 302, 429] * 2


def test_mailed_codes_of_known_visitors_count_apart(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SIGN_IN_CODES", Limit("mailed code", mailbox=10, network=2))
    browsers = [*strangers(), *known_browsers(event)]

    codes = [
        client.post("/account/sign-in/", {"mailbox": f"visitor{number}@example.org"}).status_code
        for number, client in enumerate(browsers)
    ]

    assert codes == [302, 302, 429] * 2


def strangers() -> list[Client]:
    return [Client() for _ in range(3)]


def known_browsers(event: Event) -> list[Client]:
    return [known_browser(event) for _ in range(3)]
