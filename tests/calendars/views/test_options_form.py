"""The choices on the calendar page: set, never toggled, and kept with the agenda."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from events.models import Agenda
from tests.calendars.world import World
from tests.factories import make_agenda

pytestmark = pytest.mark.django_db

URL = "/iclr-2025/agenda/calendar/options/"
PAGE = "/iclr-2025/agenda/calendar/"
ALL = {"feed_must_only": "on", "feed_alarm": "on", "feed_cancelled": "titled"}


def options(world: World) -> dict[str, Any]:
    names = ["feed_must_only", "feed_breaks", "feed_alarm", "feed_busy", "feed_deadlines", "feed_cancelled"]
    return Agenda.objects.filter(pk=world.agenda.pk).values(*names).get()


def ticked(page: str) -> list[str]:
    return [f"{name}={value}" for name, value in re.findall(r'name="(feed_\w+)" value="(\w+)" checked', page)]


def test_page_shows_the_choices_as_they_are(world: World) -> None:
    before = ticked(world.visitor().get(PAGE).text)

    world.visitor().post(URL, ALL)

    assert before == ["feed_breaks=on", "feed_busy=on", "feed_cancelled=struck"]
    assert ticked(world.visitor().get(PAGE).text) == ["feed_must_only=on", "feed_alarm=on", "feed_cancelled=titled"]


def test_choices_are_set_all_at_once(world: World) -> None:
    response = world.visitor().post(URL, ALL)

    assert (response.status_code, response["Location"]) == (302, PAGE)
    assert options(world) == {
        "feed_must_only": True,
        "feed_breaks": False,
        "feed_alarm": True,
        "feed_busy": False,
        "feed_deadlines": False,
        "feed_cancelled": "titled",
    }


def test_choices_sent_twice_are_the_same_and_move_the_feed_once(world: World) -> None:
    tags = []
    for _ in range(2):
        world.visitor().post(URL, ALL)
        tags.append(Client().get(world.feed)["ETag"])

    assert tags[0] == tags[1]


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        pytest.param({}, "Choose how cancelled events are shown.", id="nothing"),
        pytest.param(
            {"feed_cancelled": "burnt"}, "“burnt” is not a way to show cancelled events: choose one of these.", id="unknown"
        ),
    ],
)
def test_choice_that_is_none_is_answered_with_a_sentence_and_sets_nothing(world: World, sent: Any, problem: str) -> None:
    before = options(world)

    response = world.visitor().post(URL, sent)

    assert (response.status_code, problem in response.text) == (422, True)
    assert options(world) == before
    assert (response["Cache-Control"], response["Referrer-Policy"]) == ("private, no-store", "same-origin")


def test_choices_need_post_and_a_csrf_token_and_an_agenda(world: World) -> None:
    before = options(world)

    statuses = [
        world.visitor().get(URL).status_code,
        world.visitor(enforce_csrf_checks=True).post(URL, ALL).status_code,
        Client().post(URL, ALL).status_code,
    ]

    assert statuses == [405, 403, 302]
    assert options(world) == before


def test_choices_of_one_agenda_are_nobody_elses(world: World) -> None:
    other, _ = make_agenda(world.conference)

    world.visitor().post(URL, ALL)

    other.refresh_from_db()
    assert other.feed_cancelled == "struck"
