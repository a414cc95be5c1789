from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from events.core.byte_cache import ByteCache
from events.core.clock import Clock
from events.models import Announcement, Conference, Service, StartingPoint, Topic
from events.pages.queries.menu import menu_pages
from events.pages.queries.overview import overview
from tests.factories import at, make_conference, make_event, make_paper, make_person, make_room
from tests.pages.queries.reading import clock, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]
YEARS_LATER = dt.date(2030, 1, 1)


def menu(conference: Conference, now: dt.datetime | None = None, today: dt.date = YEARS_LATER) -> set[str]:
    return set(menu_pages(conference, Clock(now or at("09:30"), conference.zone), today))


def test_menu_of_a_conference_without_anything_is_empty() -> None:
    assert menu(make_conference()) == set()


def test_menu_has_the_pages_that_have_something() -> None:
    conference = make_conference()
    make_event(conference, kind="social")
    make_paper(conference, make_person(conference))
    Service.objects.create(conference=conference, name="Desk")
    StartingPoint.objects.create(conference=conference, name="Expo", slug="expo")

    assert menu(conference) == {"social-list", "paper-list", "person-list", "service-list", "directions"}


def test_venue_and_page_about_the_conference_are_in_the_menu_once_they_say_something() -> None:
    conference = make_conference(about="Learning.")
    make_room(conference)

    assert menu(conference) == {"about", "venue"}


def test_menu_shows_nothing_of_drafts_and_of_what_is_announced_later() -> None:
    conference = make_conference()
    topic = Topic.objects.create(conference=conference, area="Secret", slug="secret")
    make_event(conference, kind="invited-talk", status="draft", topic=topic)
    make_paper(conference, make_person(conference), is_public=False)
    Announcement.objects.create(conference=conference, title="Winner", starts_at=at("11:00"))

    assert (menu(conference), menu(conference, at("11:00"))) == (set(), {"announcement-list"})


def test_socials_are_in_the_menu_while_they_can_be_proposed() -> None:
    conference = make_conference()

    assert menu(conference, today=conference.start) == {"social-list"}


def test_every_process_reads_the_menu_once_for_a_revision(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    conference = make_conference()
    processes = [ByteCache(100_000), ByteCache(100_000)]

    def menus(queries: int) -> list[set[str]]:
        found = []
        for process in processes:
            monkeypatch.setattr("events.pages.queries.menu.PROCESS_CACHE", process)
            with django_assert_num_queries(queries):
                found.append(menu(conference))
        return found

    assert [menus(1), menus(0)] == [[set(), set()]] * 2
    paper = make_paper(conference)
    Service.objects.create(conference=conference, name="Desk")
    conference.bump_revision()
    conference.refresh_from_db()
    assert [menus(1), menus(0)] == [[{"paper-list", "service-list"}] * 2] * 2
    paper.is_public = False
    paper.save()
    conference.services.all().delete()
    conference.bump_revision()
    conference.refresh_from_db()
    assert [menus(1), menus(0)] == [[set(), set()]] * 2


def workshop(conference: Conference) -> None:
    workshop = make_event(conference, title="Workshop", start="09:00", end="17:00")
    for title, kind, start, end in [
        ("First", "talk", "09:00", "09:30"),
        ("Second", "talk", "09:30", "10:00"),
        ("Coffee", "break", "10:00", "10:30"),
        ("Third", "talk", "10:30", "11:00"),
    ]:
        make_event(conference, kind=kind, title=title, start=start, end=end, session=workshop)
    make_event(conference, kind="talk", title="Off", start="10:15", end="10:30", session=workshop, status="cancelled")


@pytest.mark.parametrize(
    ("now", "inside", "coming"),
    [
        pytest.param(clock("09:10"), ("First", "Second"), ["Second", "Third"], id="first-talk"),
        pytest.param(clock("09:30"), ("Second", "Third"), ["Third"], id="before-a-break"),
        pytest.param(clock("10:10"), ("Coffee", "Third"), ["Third"], id="in-the-break"),
        pytest.param(clock("11:00"), ("", ""), [], id="after-the-last"),
    ],
)
def test_running_session_says_what_is_on_in_it_and_what_is_next(now: Clock, inside: tuple[str, str], coming: list[str]) -> None:
    conference = make_conference()
    workshop(conference)

    page = overview(conference, now)

    assert [(it.card.title, it.now.title if it.now else "", it.then.title if it.then else "") for it in page.now] == [
        ("Workshop", *inside)
    ]
    assert titles(page.next) == coming
