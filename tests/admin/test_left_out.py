"""What calendars leave out, as organisers are told of it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from events.calendars.problems import NO_END, UNREADABLE
from events.models import CalendarProblem, Event
from tests.calendars.poison import end_before_start, make_unreadable
from tests.factories import make_conference, make_event

pytestmark = pytest.mark.django_db

PAGES = ["admin:index", "admin:events_session_changelist", "admin:events_social_changelist"]


def broken(**fields: str) -> Event:
    event = make_event(make_conference(), title="Opening", start="09:00", end="10:00", **fields)
    end_before_start(event)
    CalendarProblem.objects.create(event=event, problem=NO_END, revised_at=event.revised_at)
    return event


@pytest.mark.parametrize("page", PAGES)
def test_organisers_are_told_why_and_led_to_the_form(organiser: Client, page: str) -> None:
    event = broken()

    shown = organiser.get(reverse(page)).text

    assert "1 event is left out of calendars" in shown
    assert f'<a href="{reverse("admin:events_session_change", args=[event.pk])}">Opening</a>' in shown
    assert NO_END in shown


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_said_when_nothing_is_left_out(organiser: Client, page: str) -> None:
    make_event(make_conference(), start="09:00", end="10:00")

    assert "left out of calendars" not in organiser.get(reverse(page)).text


@pytest.mark.parametrize("page", PAGES)
def test_notice_is_gone_when_the_event_was_mended(organiser: Client, page: str) -> None:
    event = broken()
    event.title = "Welcome"
    event.revise()

    assert "left out of calendars" not in organiser.get(reverse(page)).text


def test_social_chair_learns_no_title_of_what_is_no_social(chair: Client) -> None:
    broken()

    shown = chair.get(reverse("admin:events_social_changelist")).text

    assert "Something that is not a social" in shown
    assert "Opening" not in shown


def test_social_chair_is_led_to_a_social(chair: Client) -> None:
    event = broken(kind="social")

    shown = chair.get(reverse("admin:index")).text

    assert f'<a href="{reverse("admin:events_social_change", args=[event.pk])}">Opening</a>' in shown


def test_row_that_cannot_be_read_has_no_link(organiser: Client) -> None:
    event = make_event(make_conference(), title="Opening", start="09:00", end="10:00")
    make_unreadable(event)
    CalendarProblem.objects.create(event=event, problem=UNREADABLE, revised_at=event.revised_at)

    for page in PAGES:
        shown = organiser.get(reverse(page)).text

        assert "<strong>Opening</strong>" in shown
        assert UNREADABLE in shown.replace("&#x27;", "'")


def test_list_of_one_conference_tells_of_that_one(organiser: Client) -> None:
    broken()
    other = make_conference()

    shown = organiser.get(reverse("admin:events_session_changelist"), {"conference__id__exact": other.pk}).text

    assert "left out of calendars" not in shown
