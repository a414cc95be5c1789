"""Many reports at once, each in a separate thread and connection."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone

from events.core.clock import Clock
from events.crowd.queries.reports import Crowds
from events.crowd.rules import REPORT_LEAD
from events.models import Agenda, CrowdReport, Event
from tests.factories import SINGAPORE, make_agenda, make_conference, make_event, make_room
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 8


@pytest.fixture
def talk() -> Event:
    conference = make_conference()
    now = timezone.now()
    return make_event(conference, start=now - REPORT_LEAD, end=now + REPORT_LEAD, room=make_room(conference))


def saying(agenda: Agenda, event: Event, state: str = "full") -> Callable[[], bool]:
    return lambda: CrowdReport.record(agenda, event, state)


def test_all_reports_at_once_count(talk: Event) -> None:
    agendas = [make_agenda(talk.conference)[0] for _ in range(AT_ONCE)]

    said = at_once(*[saying(agenda, talk) for agenda in agendas])

    assert said == [True] * AT_ONCE
    assert sorted(CrowdReport.objects.values_list("agenda", flat=True)) == [agenda.pk for agenda in agendas]
    assert Crowds(Clock(timezone.now(), SINGAPORE)).for_event(talk).is_full


def test_one_who_says_it_many_times_at_once_is_one(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)

    at_once(*[saying(agenda, talk)] * AT_ONCE)

    assert list(CrowdReport.objects.values_list("agenda", "state")) == [(agenda.pk, "full")]
    assert not Crowds(Clock(timezone.now(), SINGAPORE)).for_event(talk).sure


def test_reports_about_many_places_at_once_count_for_one(talk: Event) -> None:
    agenda, _ = make_agenda(talk.conference)
    rooms = [make_room(talk.conference, f"Room {number}") for number in range(AT_ONCE)]
    talks = [make_event(talk.conference, start=talk.start, end=talk.end, room=room) for room in rooms]

    said = at_once(*[saying(agenda, it) for it in talks])

    assert sorted(said) == [False] * (AT_ONCE - 1) + [True]
    assert CrowdReport.objects.count() == 1
