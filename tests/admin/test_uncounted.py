"""Agendas that organisers do not count: the form, its history, and the pages that show what is left out."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from events.agenda.queries import counting as counting_queries
from events.crowd.queries import outlook as outlook_queries
from events.models import Agenda, UncountedAgendas
from tests.admin.pages import errors_of, open_form, save, url
from tests.factories import at, make_agenda
from tests.security.world import World

pytestmark = pytest.mark.django_db
PRESSURE = "/organise/events/room/pressure/"
NOW = at("12:00")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Thirty agendas with the keynote were begun at 11:20 within a minute."""
    monkeypatch.setattr(outlook_queries, "MAX_COUNTED_NEWCOMERS", 10)
    with time_machine.travel(at("08:00"), tick=False):
        world = World()
    UncountedAgendas.objects.all().delete()
    with time_machine.travel(at("11:20"), tick=False):
        for _ in range(30):
            make_agenda(world.conference, world.keynote)
    return world


def fill(start: str, end: str, **more: str) -> dict[str, str]:
    times = {"begun_from_0": "2025-04-24", "begun_from_1": start, "begun_until_0": "2025-04-24", "begun_until_1": end}
    return times | {"reason": "A script at 11:20"} | more


def expected_of(client: Client) -> str:
    page = client.get(PRESSURE, {"day": "2025-04-24"})
    rows = {row.event.title: row.wanted for row, *_ in page.context["rows"]}
    wanted = rows["Open science for all"]
    return f"{wanted.organiser_text}, {wanted.uncounted_text} not counted"


def test_organiser_leaves_out_a_span_and_undoes_it(world: World) -> None:
    client = world.client("organiser")
    with time_machine.travel(NOW, tick=False):
        told = [expected_of(client)]
        page = url("add", "uncountedagendas")
        save(client, page, open_form(client, page), **fill("11:20", "11:21", conference=str(world.conference.pk)))
        row = UncountedAgendas.objects.get()
        told.append(expected_of(client))
        page = url("change", "uncountedagendas", row.pk)
        save(client, page, open_form(client, page), is_undone="on")
        told.append(expected_of(client))

    # One agenda of the world has the keynote too.
    assert told == ["at least 11, 20 not counted", "<5, 30 not counted", "at least 11, 20 not counted"]
    spans = LogEntry.objects.filter(content_type__model="uncountedagendas")
    assert [it.user.get_username() for it in spans] == [world.staff("organiser").get_username()] * 2


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        ("11:20", "11:20", "The second moment is after the first one."),
        ("11:20", "12:01", "This is in the future: choose a moment until now."),
        ("07:59", "08:01", "Fewer than 20 agendas were begun then: too few for a script."),
    ],
    ids=["empty", "in-the-future", "few"],
)
def test_span_that_makes_no_sense_is_refused(world: World, start: str, end: str, problem: str) -> None:
    client = world.client("organiser")
    with time_machine.travel(NOW, tick=False):
        page = url("add", "uncountedagendas")
        response = save(client, page, open_form(client, page), **fill(start, end, conference=str(world.conference.pk)))

    assert problem in str(errors_of(response))
    assert UncountedAgendas.objects.count() == 0


def test_list_shows_the_minutes_with_the_most_new_agendas(world: World) -> None:
    with time_machine.travel(NOW, tick=False):
        response = world.client("organiser").get(url("changelist", "uncountedagendas"))

    found = [(row.minute, row.agendas) for row in response.context["minutes"]]
    assert found == [(at("11:20"), 30)]
    assert "Thu 24 Apr, 11:20" in response.text


def test_minutes_with_few_agendas_are_not_listed(world: World) -> None:
    Agenda.objects.filter(pk__in=Agenda.objects.order_by("-pk")[:11]).delete()

    assert counting_queries.busiest_minutes(world.conference) == []


def test_pressure_says_what_is_not_counted(world: World) -> None:
    with time_machine.travel(NOW, tick=False):
        page = " ".join(world.client("organiser").get(PRESSURE, {"day": "2025-04-24"}).text.split())

    assert "at least 11 <p" in page
    assert "20 not counted" in page
    assert reverse("admin:events_uncountedagendas_changelist") in page


@pytest.mark.parametrize("size", [1, 3])
def test_list_takes_as_many_queries_for_three_spans_as_for_one(world: World, size: int, django_assert_num_queries: Any) -> None:
    for number in range(size):
        span = {"begun_from": at(f"0{number}:00"), "begun_until": at(f"0{number}:30")}
        UncountedAgendas.objects.create(conference=world.conference, reason="A script", **span)
    client = world.client("organiser")

    with django_assert_num_queries(9):
        client.get(url("changelist", "uncountedagendas"))
