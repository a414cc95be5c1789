"""Bookmarks of agendas that were begun a moment ago: a script makes thousands, and so does an opening morning."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from events.agenda.models.counting import UncountedAgendas
from events.crowd.queries import outlook as outlook_queries
from events.crowd.queries.outlook import Demand, demand_by_event, outlooks
from events.crowd.rules import NEWCOMER_DEMAND_AGE, Outlook
from events.models import Agenda, Event
from tests.factories import make_agenda, make_conference, make_event, make_known_agenda, make_room
from tests.pages.queries.reading import clock

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


@pytest.fixture(autouse=True)
def _six_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlook_queries, "MAX_COUNTED_NEWCOMERS", 6)


def make_talk(seats: int, **fields: Any) -> Event:
    conference = make_conference()
    room = make_room(conference, capacity=seats)
    return make_event(conference, **{"start": "10:00", "end": "11:00", "room": room} | fields)


def new_agendas(event: Event, number: int, level: str = "must") -> None:
    for _ in range(number):
        make_agenda(event.conference)[0].bookmark(event, on=True, level=level)


def known_agendas(event: Event, number: int) -> None:
    for _ in range(number):
        make_known_agenda(event.conference, event)


def test_few_of_many_new_agendas_count() -> None:
    event = make_talk(4)
    known_agendas(event, 2)
    new_agendas(event, 9)

    assert demand_by_event([event.pk]) == {event.pk: Demand(must=8, newcomers=6, uncounted=3)}


def test_new_agendas_that_must_come_count_before_those_that_may() -> None:
    event = make_talk(4)
    new_agendas(event, 4, "maybe")
    new_agendas(event, 4)

    assert demand_by_event([event.pk]) == {event.pk: Demand(must=4, maybe=2, newcomers=6, uncounted=2)}


def test_script_alone_makes_no_event_fuller_than_its_room() -> None:
    event = make_talk(4)
    new_agendas(event, 40)
    alone = outlooks([event], clock("09:00"))

    known_agendas(event, 2)

    assert (alone, outlooks([event], clock("09:00"))) == ({event.pk: Outlook.BUSY}, {event.pk: Outlook.FULLER})


def test_everybody_counts_when_their_agenda_is_an_hour_old(django_assert_num_queries: Any) -> None:
    event = make_talk(10)
    new_agendas(event, 12)
    Agenda.objects.update(created_at=timezone.now() - NEWCOMER_DEMAND_AGE)

    with django_assert_num_queries(1):
        found = demand_by_event([event.pk])

    assert found == {event.pk: Demand(must=12)}
    assert outlooks([event], clock("09:00")) == {event.pk: Outlook.FULLER}


@pytest.mark.parametrize(("number", "likely"), [(0, Outlook.QUIET), (6, Outlook.QUIET), (7, None)])
def test_no_event_is_called_quiet_while_some_are_not_counted(number: int, likely: Outlook | None) -> None:
    event = make_talk(100)
    known_agendas(event, 5)
    new_agendas(event, number)

    assert outlooks([event], clock("09:00")) == ({event.pk: likely} if likely else {})


def test_span_that_organisers_do_not_count_is_left_out_and_comes_back() -> None:
    event = make_talk(4)
    known_agendas(event, 4)
    begun = Agenda.objects.earliest("created_at").created_at
    span = {"begun_from": begun, "begun_until": begun + dt.timedelta(hours=1)}
    row = UncountedAgendas.objects.create(conference=event.conference, reason="A script", **span)
    UncountedAgendas.objects.create(conference=make_conference(), reason="Elsewhere", **span)
    before = demand_by_event([event.pk])

    row.is_undone = True
    row.save()

    assert (before, demand_by_event([event.pk])) == ({event.pk: Demand(uncounted=4)}, {event.pk: Demand(must=4)})


def test_span_contains_its_start_and_not_its_end() -> None:
    event = make_talk(4)
    known_agendas(event, 2)
    first, second = Agenda.objects.order_by("created_at")
    UncountedAgendas.objects.create(
        conference=event.conference, begun_from=first.created_at, begun_until=second.created_at, reason="A script"
    )

    assert demand_by_event([event.pk]) == {event.pk: Demand(must=1, uncounted=1)}


@pytest.mark.parametrize(
    ("demand", "text", "uncounted"),
    [
        (Demand(40, 2), "41", ""),
        (Demand(100, newcomers=100, uncounted=3_912), "at least 100", "3912"),
        (Demand(100, newcomers=100, uncounted=4), "100", ""),
        (Demand(uncounted=12), "0", "12"),
    ],
)
def test_organisers_read_the_least_to_expect(demand: Demand, text: str, uncounted: str) -> None:
    assert (demand.organiser_text, demand.uncounted_text) == (text, uncounted)
