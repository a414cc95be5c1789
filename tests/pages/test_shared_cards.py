"""Cards that many event pages show: read and rendered once, and never those of another moment, zone or visitor."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine

from events.models import Conference, Event
from tests.factories import at, make_agenda, make_conference, make_event, make_paper, make_person, make_room
from tests.visitors import browser, presses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cached_at_half_past_nine")]


@pytest.fixture
def conference() -> Conference:
    return make_conference(slug="demo")


def posters(conference: Conference, count: int) -> list[Event]:
    """Posters of one session, with talks meanwhile and before and after in their hall; the second has the people of both."""
    hall = make_room(conference, "Hall 1")
    session = make_event(conference, title="Posters 1", start="10:00", end="12:00", room=hall)
    for number in range(count):
        make_event(conference, title=f"Meanwhile {number}", start="10:00", end="11:00", room=make_room(conference, f"A {number}"))
        make_event(conference, title=f"Earlier {number}", start="08:00", end="09:00", room=hall)
        make_event(conference, title=f"Later {number}", start="13:00", end="14:00", room=hall)
    people = [make_person(conference, f"Author {number}") for number in range(count)]
    part = {"session": session, "room": hall, "start": "10:00", "end": "12:00"}
    return [make_event(conference, kind="poster", paper=make_paper(conference, *people), **part) for _ in range(2)]


@pytest.mark.parametrize("count", [1, 3])
def test_page_of_the_next_poster_takes_four_queries(conference: Conference, count: int, django_assert_num_queries: Any) -> None:
    first, second = posters(conference, count)
    browser().get(first.get_absolute_url())

    # The conference, the event, its authors and, as it is about to begin, the reports about its hall.
    with django_assert_num_queries(4):
        page = browser().get(second.get_absolute_url()).text

    assert all(f">{title} 0<" in page for title in ("Meanwhile", "Earlier", "Later"))
    assert page.count('id="par-e-') == count


def test_card_changes_with_the_revision(conference: Conference) -> None:
    first, second = posters(conference, 1)
    browser().get(first.get_absolute_url())
    other = Event.objects.get(title="Meanwhile 0")
    other.title = "Renamed"
    other.revise()

    page = browser().get(second.get_absolute_url()).text

    assert (">Renamed<" in page, "Meanwhile 0" in page) == (True, False)


def test_card_is_that_of_the_moment_and_the_zone(conference: Conference) -> None:
    first, second = (poster.get_absolute_url() for poster in posters(conference, 1))
    soon, zone = 'class="event-soon">', 'datetime="2025-04-24T02:00+00:00"'
    browser().get(first)

    pages = [browser().get(f"{second}?at=2025-04-24T{hour}").text for hour in ("09:30", "15:00")]
    abroad = browser(zone="UTC").get(second).text

    assert [page.split("At the same time")[1].count(soon) for page in pages] == [1, 0]
    assert [zone in page.split("At the same time")[1] for page in [*pages, abroad]] == [False, False, True]


def test_card_moves_on_with_the_minute(conference: Conference) -> None:
    first, second = (poster.get_absolute_url() for poster in posters(conference, 1))
    browser().get(first)

    with time_machine.travel("2025-04-24T01:45:00+00:00", tick=False):
        page = browser().get(second).text

    assert "in 15 min" in page.split("At the same time")[1]


def test_card_names_its_date_on_pages_of_other_dates_alone(conference: Conference) -> None:
    friday = dt.date(2025, 4, 25)
    night = make_event(conference, title="Hackathon", start=at("18:00"), end=at("16:00", friday))
    dinner = make_event(conference, title="Dinner", start="19:00", end="21:00")
    quiz = make_event(conference, title="Quiz", start=at("01:00", friday), end=at("02:00", friday))

    pages = [browser().get(event.get_absolute_url()).text.split("At the same time")[1] for event in (dinner, quiz, night)]

    shown = [re.findall(r'<p class="event-when">.*?<span>(.*?)</span>', page, re.DOTALL) for page in pages]
    assert [[" ".join(re.sub(r"<[^>]*>", "", it).split()) for it in times] for times in shown] == [
        ["18:00–16:00 next day"],
        ["from Thu 18:00 until 16:00"],
        ["19:00–21:00", "Fri 25 Apr, 01:00–02:00"],
    ]


def test_star_on_a_card_is_that_of_each_visitor(conference: Conference) -> None:
    first, second = posters(conference, 1)
    other = Event.objects.get(title="Meanwhile 0")
    tokens = [make_agenda(conference, other)[1], make_agenda(conference, first)[1], None]

    pages = [browser(token=token).get(poster.get_absolute_url()).text for poster in (first, second) for token in tokens]

    assert [presses(page)[str(other.guid)] for page in pages] == [True, False, False] * 2
