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


ALARM = "/iclr-2025/agenda/calendar/alarm/"


def test_reminder_is_offered_with_one_button_and_remembered(world: World) -> None:
    visitor, found = world.visitor(), []

    for on in ("", "1", "1", "0"):
        answer = visitor.post(ALARM, {"on": on}) if on else visitor.get(PAGE)
        page = visitor.get(PAGE).text
        offered = re.findall(r'id="alarm" name="on" value="(\d)"', page)
        found.append((answer.status_code, options(world)["feed_alarm"], offered))

    assert found == [(200, False, ["1"]), (302, True, ["0"]), (302, True, ["0"]), (302, False, ["1"])]


def test_calendar_that_subscribes_after_it_has_the_reminder(world: World) -> None:
    without = Client().get(world.feed).text

    world.visitor().post(ALARM, {"on": "1"})

    assert ["BEGIN:VALARM" in it for it in (without, Client().get(world.feed).text)] == [False, True]


def test_reminder_leaves_the_other_choices(world: World) -> None:
    before = options(world)

    world.visitor().post(ALARM, {"on": "1"})

    assert options(world) == before | {"feed_alarm": True}


def test_reminder_is_among_the_options_once_a_calendar_came(world: World) -> None:
    Client().get(world.feed, headers={"User-Agent": "iOS/18.1 (22B83) dataaccessd/1.0"})

    page = world.visitor().get(PAGE).text

    assert ('id="alarm"' in page, "Remind me 10 minutes before" in page) == (False, True)


@pytest.mark.parametrize("sent", [{}, {"on": "perhaps"}, {"on": ""}])
def test_reminder_that_is_neither_on_nor_off_is_explained(world: World, sent: dict[str, str]) -> None:
    page = world.visitor().post(ALARM, sent, follow=True).text

    assert "is neither on nor off: use the button about reminders." in page
    assert options(world)["feed_alarm"] is False


def test_reminder_without_an_agenda_leads_to_the_page(world: World) -> None:
    answer = Client().post(ALARM, {"on": "1"})

    assert (answer.status_code, answer["Location"]) == (302, PAGE)
