"""The agenda's page: what one goes to, what one may, and what one watches later."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from events.core.byte_cache import PROCESS_CACHE
from events.models import Agenda, Conference, Event
from events.web.request import WALKING_COOKIE
from tests.factories import THURSDAY, at, make_agenda, make_conference, make_event, make_room, make_walk, make_zone
from tests.visitors import browser, own_context

pytestmark = pytest.mark.django_db

URL = "/demo/agenda/"
SET = "/demo/agenda/walking/"


class Venue:
    """Hall 1 and Garnet, five minutes of stairs in the open; eight by the lift, the other way round."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference(slug="demo")
        zones = [make_zone(self.conference, name) for name in ("Hall 1", "Garnet", "Annex")]
        make_walk(self.conference, zones[0], zones[1], 5, covered=False, step_free=False)
        make_walk(self.conference, zones[0], zones[2], 3, covered=None, step_free=False)
        self.zones = zones
        self.rooms = [make_room(self.conference, zone.name, zone) for zone in zones]

    def talk(self, title: str, start: str, end: str, room: int = 0, **fields: Any) -> Event:
        return make_event(self.conference, kind="talk", title=title, start=start, end=end, room=self.rooms[room], **fields)

    def agenda(self, **levels: Event) -> tuple[Agenda, str]:
        agenda, token = make_agenda(self.conference)
        for level, event in levels.items():
            agenda.bookmark(event, on=True, level=level.partition("_")[0])
        return agenda, token


@pytest.fixture
def venue() -> Venue:
    return Venue()


def lead(html: str) -> str:
    (found,) = re.findall(r'<p class="lead">(.*?)</p>', html, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", found).split())


def test_lead_counts_musts_maybes_and_what_is_watched_later_apart(venue: Venue) -> None:
    _, token = venue.agenda(
        must_1=venue.talk("A", "09:00", "10:00"),
        must_2=venue.talk("B", "09:30", "10:30"),
        maybe=venue.talk("C", "09:40", "10:20"),
        later=venue.talk("D", "09:00", "10:00"),
    )

    page = browser(token=token).get(URL)

    assert lead(page.text) == "3 picks · 1 clash · 2 with a maybe · 1 to watch later"
    assert re.findall(r'class="gap" data-verdict="(\w+)"', page.text) == ["clash", "quiet"]
    assert re.findall(r'class="conflict" data-verdict="(\w+)"', page.text) == ["clash", "quiet", "quiet"]
    assert 'id="agenda-count-bar">3<' in page.text


def test_lead_counts_partial_overlaps_and_short_walks_apart(venue: Venue) -> None:
    _, token = venue.agenda(
        must_0=make_event(venue.conference, title="Workshop", start="09:00", end="17:00"),
        must_1=venue.talk("A", "10:00", "10:30"),
        must_2=venue.talk("B", "10:00", "10:30"),
        must_3=venue.talk("C", "10:30", "11:00", room=1),
    )

    page = browser(token=token).get(URL)

    assert lead(page.text) == "4 picks · 1 clash · 3 partial overlaps · 2 tight spots"
    verdicts = sorted(re.findall(r'class="conflict" data-verdict="(\w+)"', page.text))
    assert verdicts == ["clash", "partial", "partial", "partial", "tight", "tight"]


def test_agenda_of_recordings_alone_is_not_empty(venue: Venue) -> None:
    _, token = venue.agenda(later=venue.talk("D", "09:00", "10:00"))

    page = browser(token=token).get(URL)

    later = [row.card.title for row in own_context(page, "later")]
    assert (own_context(page, "empty"), own_context(page, "count"), later) == (False, 0, ["D"])


def recordings(html: str) -> str:
    return "".join(re.findall(r'id="(?:ready-to-watch|watch-later)".*?</section>', html, re.DOTALL))


@pytest.mark.parametrize(
    ("fields", "words", "link"),
    [
        pytest.param({}, "No recording announced yet", False, id="nothing known"),
        pytest.param({"recording_from": dt.date(2025, 4, 26)}, "26 April 2025", False, id="date alone"),
        pytest.param(
            {"recording_from": dt.date(2025, 4, 26), "recording_url": "https://example.org/v"},
            "26 April 2025",
            False,
            id="before",
        ),
        pytest.param(
            {"recording_from": dt.date(2025, 4, 25), "recording_url": "https://example.org/v", "recording_offset": 750},
            "Watch now, from 12:30",
            True,
            id="on the date",
        ),
        pytest.param({"recording_url": "https://example.org/v"}, "Watch now", True, id="at once"),
        pytest.param({"recording_from": dt.date(2025, 4, 24)}, "No link yet.", False, id="late"),
    ],
)
def test_recording_opens_on_its_date_and_has_no_link_before(venue: Venue, fields: dict[str, Any], words: str, link: bool) -> None:
    _, token = venue.agenda(later=venue.talk("D", "09:00", "10:00", **fields))

    section = recordings(browser(token=token).get(f"{URL}?at=2025-04-25T09:30").text)

    assert words in section
    assert ('href="https://example.org/v"' in section) is link


def test_what_can_be_watched_comes_first(venue: Venue) -> None:
    url = "https://example.org/v"
    _, token = venue.agenda(
        later_1=venue.talk("Unknown", "09:00", "10:00"),
        later_2=venue.talk("Second", "09:00", "10:00", recording_from=dt.date(2025, 5, 2), recording_url=url),
        later_3=venue.talk("First", "09:00", "10:00", recording_from=dt.date(2025, 5, 1), recording_url=url),
        later_4=venue.talk("Open", "09:00", "10:00", recording_from=THURSDAY, recording_url=url),
    )

    page = browser(token=token).get(f"{URL}?at=2025-04-25T09:30")

    assert [row.card.title for row in own_context(page, "ready")] == ["Open"]
    assert [row.card.title for row in own_context(page, "later")] == ["First", "Second", "Unknown"]
    assert lead(page.text) == "0 picks · 1 ready to watch · 3 to watch later"


def test_recordings_of_what_was_attended_are_ready_to_watch_once_it_is_over(venue: Venue) -> None:
    url = "https://example.org/v"
    _, token = venue.agenda(
        must=venue.talk("Over", "09:00", "10:00", recording_url=url),
        maybe=venue.talk("Not recorded", "09:00", "10:00"),
        must_2=venue.talk("Still on", "10:00", "12:00", recording_url=url),
    )

    page = browser(token=token).get(f"{URL}?at=2025-04-24T11:00")

    assert [row.card.title for row in own_context(page, "ready")] == ["Over"]
    assert ("1 ready to watch" in lead(page.text), "Tell me when recordings are out" in recordings(page.text)) == (True, True)


@pytest.mark.parametrize(("at", "is_first"), [("2025-04-25T09:30", False), ("2025-05-01T09:30", True)])
def test_recordings_stand_before_the_days_after_the_conference(venue: Venue, at: str, is_first: bool) -> None:
    _, token = venue.agenda(must=venue.talk("Over", "09:00", "10:00", recording_url="https://example.org/v"))

    html = browser(token=token).get(f"{URL}?at={at}").text

    assert (html.index('id="ready-to-watch"') < html.index("Thursday 24 April")) is is_first


@pytest.mark.parametrize(
    ("needs", "verdict", "sentence"),
    [
        pytest.param({}, "fine", "10 min · 5 min walk to Garnet, outdoors", id="any way"),
        pytest.param({"dry": "1"}, "fine", "10 min · 5 min walk to Garnet, outdoors", id="no dry way"),
        pytest.param({"step_free": "1"}, "barred", "10 min · no step-free way known to Garnet", id="no step-free way"),
    ],
)
def test_way_is_told_for_who_cannot_take_every_way(venue: Venue, needs: dict[str, str], verdict: str, sentence: str) -> None:
    _, token = venue.agenda(must_1=venue.talk("A", "09:00", "10:00"), must_2=venue.talk("B", "10:10", "11:00", room=1))
    client = browser(token=token)

    client.post(SET, needs)
    (day,) = own_context(client.get(URL), "agenda_days")

    assert (day.rows[1].gap.verdict, day.rows[1].gap.sentence) == (verdict, sentence)


def test_longer_way_that_can_be_taken_makes_it_tight(venue: Venue) -> None:
    make_walk(venue.conference, venue.zones[1], venue.zones[0], 8, covered=True, step_free=True)
    _, token = venue.agenda(must_1=venue.talk("A", "09:00", "10:00"), must_2=venue.talk("B", "10:05", "11:00", room=1))
    client = browser(token=token)
    sentences = []

    for values in ({}, {"step_free": "1"}, {"step_free": "0", "dry": "1"}, {"dry": "0"}):
        client.post(SET, values)
        (day,) = own_context(client.get(URL), "agenda_days")
        (row,) = day.rows[1:]
        sentences += [row.gap.sentence if row.gap else row.conflicts[0].sentence]

    late = "8 min walk: you arrive 10:08, 3 min late"
    fine = "5 min · 5 min walk to Garnet, outdoors"
    assert sentences == [fine, late, late, fine]


def test_own_parts_of_other_pages_follow_the_switch(venue: Venue) -> None:
    make_walk(venue.conference, venue.zones[1], venue.zones[0], 8, covered=True, step_free=True)
    other = venue.talk("B", "10:05", "11:00", room=1)
    _, token = venue.agenda(must_1=venue.talk("A", "09:00", "10:00"), must_2=other)
    client = browser(token=token)

    told = []
    for value in ("1", "0"):
        client.post(SET, {"step_free": value})
        told.append("you arrive 10:08" in client.get(f"{other.get_absolute_url()}?at=2025-04-24T08:00").text)

    assert told == [True, False]


def test_switch_is_remembered_for_this_conference_and_comes_back(venue: Venue) -> None:
    client = browser()

    response = client.post(SET, {"dry": "1", "next": "/demo/agenda/?at=2025-04-24"})

    assert (response.status_code, response.url) == (302, "/demo/agenda/?at=2025-04-24")
    cookie = response.cookies[WALKING_COOKIE]
    assert (cookie.value, cookie["path"], cookie["httponly"], cookie["samesite"]) == ("dry", "/demo/", True, "Lax")
    assert client.post(SET, {"step_free": "1"}).cookies[WALKING_COOKIE].value == "dry.step-free"
    assert client.post(SET, {"dry": "0"}).cookies[WALKING_COOKIE].value == "step-free"
    assert client.post(SET, {"step_free": "0"}).cookies[WALKING_COOKIE].value == ""


@pytest.mark.parametrize("sent", ["2", "\x00", "on", "x" * 5000])
def test_switch_that_cannot_be_read_changes_nothing(venue: Venue, sent: str) -> None:
    response = browser().post(SET, {"dry": sent}, follow=True)

    assert WALKING_COOKIE not in response.client.cookies
    assert "Something went wrong and nothing was changed. Please use the buttons." in response.text


@pytest.mark.parametrize("value", ["", "dry.dry", "rain", "\x00", "'; drop", "dry" * 2000])
def test_cookie_of_any_kind_is_read_calmly(venue: Venue, value: str) -> None:
    _, token = venue.agenda(must=venue.talk("A", "09:00", "10:00"))
    client = browser(token=token)
    client.cookies[WALKING_COOKIE] = value

    page = client.get(URL)

    assert (page.status_code, own_context(page, "step_free"), own_context(page, "dry")) == (200, False, value == "dry.dry")


@pytest.mark.parametrize("size", [1, 3, 60])
def test_agenda_takes_as_many_queries_for_sixty_picks_as_for_one(venue: Venue, size: int, django_assert_num_queries: Any) -> None:
    levels = ["must", "maybe", "later"]
    events = {
        f"{level}_{number}": venue.talk(f"{level} {number}", "09:00", "10:00")
        for level in levels
        for number in range(size // 3 or 1)
    }
    _, token = venue.agenda(**events)

    with django_assert_num_queries(15):
        assert browser(token=token).get(URL).status_code == 200


def test_address_of_the_recordings_stands_with_the_calendars(venue: Venue) -> None:
    agenda, token = venue.agenda(later=venue.talk("D", "09:00", "10:00"))
    address = reverse("events:recordings-feed", args=[agenda.feed_token])

    pages = [browser(token=token).get(url).text for url in (URL, f"{URL}calendar/")]

    assert [address in page for page in pages] == [False, True]


@time_machine.travel(at("20:00"), tick=False)
def test_page_asked_for_again_is_not_made_again(venue: Venue, django_assert_num_queries: Any) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    _, token = venue.agenda(must=venue.talk("A", "09:00", "10:00"), later=venue.talk("D", "09:00", "10:00"))
    client = browser(token=token)
    first = client.get(URL)

    # Is the frame current, and whose is the agenda.
    with django_assert_num_queries(1):
        again = client.get(URL)

    assert (again.text, lead(again.text)) == (first.text, "1 pick · 1 to watch later")
    assert "csrfmiddlewaretoken" not in first.text


@time_machine.travel(at("20:00"), tick=False)
def test_page_without_an_agenda_is_the_same_for_all_and_sets_no_cookie(venue: Venue, django_assert_num_queries: Any) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    venue.talk("A", "09:00", "10:00")
    _, token = venue.agenda()
    first = browser().get(URL)

    with django_assert_num_queries(1):
        again = browser().get(URL)

    _, of_another = make_agenda(make_conference(slug="other"))
    assert (first.text, again.text, dict(again.cookies)) == (browser(token=of_another).get(URL).text,) * 2 + ({},)
    begun = browser(token=token).get(URL)
    # Whoever has an agenda here may be signed in.
    assert [("Nothing picked yet" in it, "Have an account?" in it) for it in (first.text, begun.text)] == [
        (True, True),
        (True, False),
    ]
    assert '<a href="/account/">Sign in</a> and your picks are here.' in first.text


@time_machine.travel(at("08:00"), tick=False)
def test_pick_that_was_cancelled_is_no_empty_agenda(venue: Venue) -> None:
    talk = venue.talk("A", "09:00", "10:00")
    _, token = venue.agenda(must=talk)
    Event.objects.filter(pk=talk.pk).update(status="cancelled")

    page = browser(token=token).get(URL).text

    assert ("Nothing picked yet" in page, "Start with one of these" in page, lead(page)) == (
        False,
        False,
        "What you picked is cancelled",
    )


def test_page_that_was_kept_is_nobody_elses_and_follows_every_change(venue: Venue) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    talk = venue.talk("A", "09:00", "10:00")
    agenda, token = venue.agenda(must=talk)
    _, other = venue.agenda(maybe=talk)
    client = browser(token=token)

    def seen() -> tuple[str, bool]:
        page = client.get(URL)
        return lead(page.text), "Renamed" in page.text

    shown = [seen(), (lead(browser(token=other).get(URL).text), False)]
    talk.title = "Renamed"
    talk.revise()
    shown.append(seen())
    agenda.bookmark(talk, on=True, level="later")
    shown.append(seen())

    assert shown == [("1 pick", False), ("1 pick", False), ("1 pick", True), ("0 picks · 1 to watch later", True)]


def card_of(html: str, event: Event) -> str:
    """The stop of an event: its card and its level."""
    (stop,) = [it for it in html.split('<li class="stop"')[1:] if f'id="e-{event.guid}"' in it]
    return stop.partition("</li>")[0]


def test_pick_that_was_cancelled_has_no_level_and_is_not_counted(venue: Venue) -> None:
    off, kept = venue.talk("Off", "09:00", "10:00", status="cancelled"), venue.talk("Kept", "11:00", "12:00")
    _, token = venue.agenda(must_1=off, must_2=kept)

    page = browser(token=token).get(f"{URL}?at=2025-04-24T08:00").text

    assert lead(page) == "1 pick"
    assert 'id="agenda-count-bar">1<' in page
    assert ["level-menu" in card_of(page, it) for it in (off, kept)] == [False, True]
    assert '<span class="visually-hidden">How much you want Kept: </span><span>Must</span>' in page


def test_level_is_behind_one_button_and_presenting_is_on_the_page_of_the_event(venue: Venue) -> None:
    mine, other = venue.talk("Mine", "09:00", "10:00"), venue.talk("Other", "11:00", "12:00")
    agenda, token = venue.agenda(must=mine, maybe=other)
    agenda.present(mine, on=True)

    page = browser(token=token).get(f"{URL}?at=2025-04-24T08:00").text

    assert "You present this" in card_of(page, mine)
    assert "I present this" not in page
    assert "I present this" in browser(token=token).get(other.get_absolute_url()).text
    assert card_of(page, other).count('class="level"') == 3
    assert page.count('<details class="level-menu">') == 1


@pytest.mark.parametrize(("at", "is_led"), [("2025-04-25T09:30", False), ("2025-05-01T09:30", True)])
def test_overview_leads_to_what_is_ready_after_the_conference(venue: Venue, at: str, is_led: bool) -> None:
    url = "https://example.org/v"
    _, token = venue.agenda(
        must=venue.talk("Over", "09:00", "10:00", recording_url=url),
        later=venue.talk("Not yet", "09:00", "10:00", recording_url=url, recording_from=dt.date(2025, 6, 1)),
    )
    _, nothing = venue.agenda(must=venue.talk("Not recorded", "09:00", "10:00"))
    overview = f"{venue.conference.get_absolute_url()}?at={at}"

    page = browser(token=token).get(overview).text

    assert (page.count("#ready-to-watch"), "1 recording of your picks" in page) == ((1, True) if is_led else (0, False))
    assert "#ready-to-watch" not in browser(token=nothing).get(overview).text
