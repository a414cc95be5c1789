from __future__ import annotations

import datetime as dt

import pytest
from django.http import QueryDict

from events.models import Conference, Event
from events.pages.queries.lists import SocialPage, invited_talks, socials
from tests.factories import THURSDAY, make_conference, make_day, make_event
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

TUESDAY, FRIDAY = THURSDAY - dt.timedelta(days=2), THURSDAY + dt.timedelta(days=1)


def by_day(page: SocialPage) -> list[tuple[dt.date | None, list[str]]]:
    return [(day, titles(cards)) for day, cards in page.days]


def social_page(conference: Conference, asked: QueryDict | None = None) -> SocialPage:
    return socials(conference, clock(), asked or query())


def test_invited_talks_are_by_day_and_time() -> None:
    conference = make_conference()
    friday = make_day(conference, FRIDAY)
    make_event(conference, kind="invited-talk", title="Friday", day=friday)
    make_event(conference, kind="invited-talk", title="Later", start="14:00", end="15:00")
    make_event(conference, kind="invited-talk", title="First", start="09:00", end="10:00")
    make_event(conference, kind="talk", title="Oral", start="09:00", end="10:00")
    make_event(conference, kind="invited-talk", title="Draft", status="draft")
    someday = make_event(conference, kind="invited-talk", title="Someday")
    Event.objects.filter(pk=someday.pk).update(day=None)

    talks = invited_talks(conference, clock())

    assert [(day, titles(cards)) for day, cards in talks] == [
        (THURSDAY, ["First", "Later"]),
        (FRIDAY, ["Friday"]),
        (None, ["Someday"]),
    ]


def test_socials_stand_also_on_days_outside_the_conference() -> None:
    conference = make_conference()
    make_event(conference, kind="social", title="Early", day=make_day(conference, TUESDAY))
    make_event(conference, kind="social", title="Evening")
    make_event(conference, kind="talk", title="Talk")

    page = social_page(conference)

    assert by_day(page) == [(TUESDAY, ["Early"]), (THURSDAY, ["Evening"])]
    assert (page.count, page.hide_full) == (2, None)


def test_socials_have_a_legend_only_where_there_is_an_asterisk() -> None:
    conference = make_conference()
    event = make_event(conference, kind="social", official=True)
    before = social_page(conference).any_asterisk

    event.at_venue = True
    event.revise()

    assert (before, social_page(conference).any_asterisk) == (False, True)


def test_what_is_full_can_be_hidden() -> None:
    conference = make_conference()
    for state in ["open", "filling", "full", "closed", ""]:
        make_event(conference, kind="social", title=state or "unknown", signup_state=state)

    everything, with_places = social_page(conference), social_page(conference, query(places="1"))

    assert (everything.count, with_places.count) == (5, 3)
    assert {card.title for _, cards in with_places.days for card in cards} == {"open", "filling", "unknown"}
    assert everything.hide_full is not None
    assert with_places.hide_full is not None
    assert [(it.count, it.active, it.url) for it in (everything.hide_full, with_places.hide_full)] == [
        (2, False, "?places=1"),
        (2, True, "?"),
    ]


def test_hiding_can_be_taken_back_when_nothing_is_full() -> None:
    conference = make_conference()
    make_event(conference, kind="social")

    choice = social_page(conference, query(places="1")).hide_full

    assert choice is not None
    assert (choice.count, choice.active, choice.url) == (0, True, "?")


def test_socials_say_when_their_list_changed_last() -> None:
    conference = make_conference()
    make_event(conference, kind="social")
    event = make_event(conference, kind="social")
    make_event(conference, kind="talk")

    event.cost = "10 SGD"
    event.revise()

    assert social_page(conference).changed_at == event.revised_at


def test_no_socials() -> None:
    page = social_page(make_conference())

    assert (page.days, page.count, page.hide_full, page.changed_at, page.any_asterisk) == ([], 0, None, None, False)
