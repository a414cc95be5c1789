from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client

from events.models import Conference, Day, Event
from events.pages.queries import lists
from events.programme.queries.days import day_links, day_subjects
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_person,
    make_room,
)
from tests.pages.queries.reading import clock, titles
from tests.visitors import HTMX, browser, context, presses

pytestmark = pytest.mark.django_db

FRIDAY = THURSDAY + dt.timedelta(days=1)
DAY = "/demo/schedule/2025-04-24/"


@pytest.fixture
def conference() -> Conference:
    conference = make_conference(slug="demo")
    make_event(conference, kind="invited-talk", title="Keynote", start="09:00", end="10:00", room=make_room(conference))
    make_event(conference, kind="social", title="Late", start=at("22:00"), end=at("01:00", FRIDAY))
    make_event(conference, kind="talk", title="Friday", day=make_day(conference, FRIDAY), start="09:00", end="10:00")
    return conference


def test_day_shows_its_events(conference: Conference) -> None:
    page = context(DAY)

    assert [(group.start, titles(group.cards)) for group in page["groups"]] == [
        (at("09:00"), ["Keynote"]),
        (at("22:00"), ["Late"]),
    ]
    assert (page["day"].date, page["previous"], page["next"].date) == (THURSDAY, None, FRIDAY)
    assert (page["view"], page["grid"], page["count"]) == ("list", None, 2)


@pytest.mark.parametrize("date", ["2025-04-23", "2025-13-01", "2025-02-30", "0000-01-01", "2025-4-24", "tomorrow"])
def test_day_that_is_none_is_not_found(conference: Conference, date: str) -> None:
    assert browser().get(f"/demo/schedule/{date}/").status_code == 404


@pytest.mark.parametrize(
    ("at_", "day", "now"),
    [
        pytest.param("", "2025-04-24", "", id="long-after"),
        pytest.param("?at=2025-04-25T10:00", "2025-04-25", "#now", id="today"),
        pytest.param("?at=2025-04-26T02:00&view=grid", "2025-04-25", "#now", id="in-the-night"),
    ],
)
def test_schedule_leads_to_a_day_and_today_to_now(conference: Conference, at_: str, day: str, now: str) -> None:
    response = browser().get(f"/demo/schedule/{at_}")

    assert (response.status_code, response.url) == (302, f"/demo/schedule/{day}/{at_.replace(':', '%3A')}{now}")


def test_schedule_without_days_says_so() -> None:
    make_conference(slug="demo")

    response = browser().get("/demo/schedule/")

    assert (response.status_code, response.templates[0].name) == (200, "events/pages/schedule_undated.html")
    assert "The programme is not published yet" in response.text


def make_undated(conference: Conference, title: str, **fields: Any) -> Event:
    event = make_event(conference, title=title, **fields)
    Event.objects.filter(pk=event.pk).update(day=None)
    return event


def test_what_has_no_day_is_listed_and_the_overview_leads_there() -> None:
    conference = make_conference(slug="demo")
    panel = make_undated(conference, "Panel")
    make_undated(conference, "Bees", kind="talk")
    make_undated(conference, "Ants", kind="talk", session=panel)
    make_undated(conference, "Hives", kind="poster", session=panel)
    make_undated(conference, "Secret", status="draft")
    Day.objects.all().delete()

    page, overview = browser().get("/demo/schedule/").text, browser().get("/demo/").text

    assert re.findall(r">\s*(Ants|Bees|Hives|Panel|Secret)\s*</a>", page) == ["Ants", "Bees", "Panel"]
    assert "3 events by title." in page
    assert "not published yet" not in page
    assert re.search(r'href="/demo/schedule/\?day=none"><b>3</b> <span>Events without a day yet<', overview)


def test_what_has_no_day_is_listed_beside_days(conference: Conference) -> None:
    assert "All events have a day" in browser().get("/demo/schedule/?day=none").text
    make_undated(conference, "Bees")

    page = browser().get("/demo/schedule/?day=none").text

    assert "Bees" in page
    assert "1 event by title." in page


def test_many_events_without_a_day_are_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "UNDATED_PER_PAGE", 2)
    conference = make_conference(slug="demo")
    for letter in "ABC":
        make_undated(conference, f"Talk {letter}")

    first, second = (browser().get(f"/demo/schedule/?day=none&page={number}").text for number in (1, 2))

    assert ("Talk B" in first, "Talk C" in first, "Talk B" in second, "Talk C" in second) == (True, False, False, True)


@pytest.mark.parametrize("query", ["type=talk", "view=grid", "type=nobody-knows", "room=x&track=\x00", "type=social&view=grid"])
def test_part_has_the_same_list(conference: Conference, query: str) -> None:
    page, fragment = Client().get(f"{DAY}?{query}"), Client().get(f"{DAY}?{query}&part=schedule")

    assert page.context["count"] == fragment.context["count"]
    assert (page.templates[0].name, fragment.templates[0].name) == (
        "events/pages/schedule_day.html",
        "events/pages/_schedule.html",
    )
    assert [b"<html" in it.content for it in (page, fragment)] == [True, False]


def test_restored_history_gets_the_whole_page(conference: Conference) -> None:
    response = Client().get(DAY, headers=HTMX | {"HX-History-Restore-Request": "true"})

    assert response.templates[0].name == "events/pages/schedule_day.html"


@pytest.mark.parametrize(
    ("query", "titles_", "any_"),
    [
        pytest.param("", ["Keynote", "Late"], False, id="all"),
        pytest.param("?type=social", ["Late"], True, id="kind"),
        pytest.param("?type=social&type=invited-talk", ["Keynote", "Late"], True, id="two-kinds"),
        pytest.param("?type=nobody-knows", [], True, id="unknown"),
        pytest.param("?room=nobody-knows", [], True, id="unknown-room"),
        pytest.param("?room=hall-1", ["Keynote"], True, id="room-as-on-its-wall-screen"),
    ],
)
def test_filters_live_in_the_address(conference: Conference, query: str, titles_: list[str], any_: bool) -> None:
    page = context(DAY + query)

    assert [title for group in page["groups"] for title in titles(group.cards)] == titles_
    assert page["filters"].any is any_


@pytest.mark.parametrize(
    ("query", "words"),
    [("?type=nobody-knows", "No events match these filters"), ("", "Nothing is announced for this day yet")],
    ids=["filtered", "empty-day"],
)
def test_empty_day_says_why(query: str, words: str) -> None:
    conference = make_conference(slug="demo")
    make_day(conference)

    assert browser().get(DAY + query).content.decode().count(words) == 1


@pytest.mark.parametrize(
    ("query", "words"), [("", "2 events"), ("?type=social", "1 of 2 events"), ("?type=nobody", "0 of 2 events")]
)
def test_filters_say_how_many_of_all_they_leave(conference: Conference, query: str, words: str) -> None:
    page, fragment = Client().get(DAY + query).text, Client().get(f"{DAY}?{query[1:]}&part=schedule").text

    assert f"<strong>{words}</strong>" in page
    assert words in fragment.partition('id="announcer"')[2]


def test_grid_is_another_view_of_the_same_day(conference: Conference) -> None:
    page = context(f"{DAY}?view=grid")

    assert page["view"] == "grid"
    assert [plate.name for plate in page["grid"].rooms] == ["Hall 1"]


def test_grid_stays_a_grid_from_day_to_day(conference: Conference) -> None:
    make_day(conference, dt.date(2025, 4, 25))

    page = context(f"{DAY}?view=grid&at=2025-04-24T09:30")

    today, tomorrow = (link.url for link in page["days"])
    assert today.endswith("/2025-04-24/?at=2025-04-24T09:30&view=grid#now")
    assert tomorrow.endswith("&view=grid")
    assert page["next"].url == tomorrow
    assert not any("view=grid" in link.url for link in context(DAY)["days"])


def test_own_time_changes_hours_and_not_the_day(conference: Conference) -> None:
    ours, theirs = browser().get(DAY), browser(zone="America/New_York").get(DAY)

    assert [titles(group.cards) for group in theirs.context["groups"]] == [
        titles(group.cards) for group in ours.context["groups"]
    ]
    assert [it.context["zone_label"] for it in (ours, theirs)] == ["Singapore time (UTC+8)", "New York time (UTC−4)"]
    assert theirs.context["venue_zone_label"] == "Singapore time (UTC+8)"
    for page, moment, hour in ((theirs, "2025-04-23T21:00-04:00", "21:00"), (ours, "2025-04-24T09:00+08:00", "09:00")):
        assert f'datetime="{moment}"' in page.text
        assert hour in [it.strip() for it in re.findall(r'<h2 class="hour-mark">(.*?)</h2>', page.text, re.DOTALL)]


def test_next_day_is_marked_by_the_clock_one_reads(conference: Conference) -> None:
    marks = {
        zone: [card.ends_next_day for it in context(DAY, zone=zone)["groups"] for card in it.cards]
        for zone in ("", "Europe/Vienna")
    }

    assert marks == {"": [False, True], "Europe/Vienna": [False, False]}


@pytest.mark.usefixtures("cached_at_half_past_nine")
def test_what_is_still_on_of_the_day_before_is_on_the_page_of_today(conference: Conference) -> None:
    wednesday = make_day(conference, dt.date(2025, 4, 23))
    make_event(conference, title="Hackathon", day=wednesday, start=at("18:00", wednesday.date), end=at("16:00"))

    page = browser().get(DAY).text.partition("On now</span>")[2].partition("</ul>")[0]
    links = day_links(conference, clock("09:30"))

    assert " ".join(re.sub(r"<[^>]*>", "", page).split()).endswith(" from Wed 18:00 until 16:00 22 h Session Hackathon")
    assert [day_subjects(link, links, lists_posters=False) for link in links[:2]] == [
        {"day 2025-04-23"},
        {"day 2025-04-23", "day 2025-04-24"},
    ]
    assert "posters of 2025-04-24" in day_subjects(links[1], links)


def test_picks_are_marked(conference: Conference) -> None:
    late = conference.events.get(title="Late")
    _, token = make_agenda(conference, late)

    page = browser(token=token).get(DAY)

    assert [guid for guid, pressed in presses(page.text).items() if pressed] == [str(late.guid)]
    assert titles(row.card for row in page.context["my_day"]) == ["Late"]
    assert 'id="agenda-count-rail">1<' in page.text


def test_draft_conference_is_not_found(conference: Conference) -> None:
    conference.status = "draft"
    conference.revise()

    assert [browser().get(url).status_code for url in (DAY, "/demo/", "/demo/schedule/", "/demo/agenda/")] == [404] * 4


def test_row_of_a_session_costs_few_elements() -> None:
    """A day has a hundred rows, and an old phone lays out each element."""
    conference = make_conference(slug="demo")
    session = make_event(conference, title="Orals", start="10:00", end="12:00")
    for number in range(3):
        talk = make_event(conference, kind="talk", title=f"Talk {number}", session=session, start="10:00", end="10:20")
        make_appearance(talk, make_person(conference, f"Speaker {number}"))

    page = browser().get(DAY).content.decode()

    [rows] = re.findall(r'<ol class="session-rows".*?</ol>', page, re.DOTALL)
    assert re.findall(r"<(\w+)", rows) == ["ol", *["li", "time", "h4", "a", "p", "button"] * 3]


def test_last_change_is_that_of_what_the_day_lists() -> None:
    """Of a full session the posters are only counted; those of a small one are listed."""
    conference = make_conference(slug="demo")
    hall, corner = (make_event(conference, title=title, start="10:00", end="12:00") for title in ("Hall", "Corner"))
    parents = [hall] * 13 + [corner]
    counted, *_, listed = (
        make_event(conference, kind="poster", title=f"Poster {number}", start="10:00", end="12:00", session=parent)
        for number, parent in enumerate(parents)
    )
    first, second = (dt.datetime(2025, 4, 20, hour, tzinfo=dt.UTC) for hour in (1, 2))
    conference.events.update(revised_at=first)

    def last_changes() -> list[dt.datetime]:
        return [browser().get(url).context["changed_at"] for url in (DAY, f"{DAY}?view=grid")]

    conference.events.filter(pk=counted.pk).update(revised_at=second)
    of_counted = last_changes()
    conference.events.filter(pk=listed.pk).update(revised_at=second)
    of_listed = last_changes()
    conference.events.update(revised_at=first)
    conference.events.filter(pk=hall.pk).update(revised_at=second)

    assert (of_counted, of_listed, last_changes()) == ([first] * 2, [second] * 2, [second] * 2)
