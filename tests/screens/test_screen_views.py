"""Wall screens as a browser gets them."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
import time_machine
from django.test import Client

from events.core.byte_cache import PROCESS_CACHE
from events.models import Announcement, Conference, CrowdReport, Room
from events.web.request import ZONE_COOKIE
from tests.factories import (
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_walk,
    make_zone,
)
from tests.visitors import browser

pytestmark = pytest.mark.django_db
AT = "at=2025-04-24T09:40"
DOOR = f"/demo/screen/?room=hall-1&{AT}"
FOYER = f"/demo/screen/?zone=all&{AT}"


@pytest.fixture
def hall() -> Room:
    return make_room(make_conference(slug="demo", name="Demo"), "Hall 1")


def full(room: Room) -> None:
    CrowdReport.objects.create(conference=room.conference, room=room, by_staff=True, state="full", at=at("09:38"))


def words(response: Any) -> str:
    """What can be read on the screen."""
    body = re.sub(r"(?s)^.*?<body>", "", response.text)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def test_door(hall: Room) -> None:
    make_event(hall.conference, kind="invited-talk", title="Open science", start="09:00", end="10:00", room=hall)
    make_event(hall.conference, title="Orals", start="10:00", end="11:30", room=hall)
    Announcement.objects.create(conference=hall.conference, title="Lunch is late", text="By *an hour*.", starts_at=at("08:00"))

    assert words(Client().get(DOOR)) == (
        "Hall 1 09:40 Thursday 24 April Now until 10:00 Open science Invited talk Next 10:00 in 20 min Orals "
        "Lunch is late By an hour. Demo · Singapore time (UTC+8) Preview of 09:40"
    )


@pytest.mark.parametrize(("now", "until"), [("2025-04-23T20:00", "10:00 next day"), ("2025-04-24T09:00", "10:00")])
def test_end_on_another_day_is_named(hall: Room, now: str, until: str) -> None:
    begins = at("18:00", dt.date(2025, 4, 23))
    other = make_room(hall.conference, "Hall 2", hall.zone, position=1)
    for room in (hall, other):
        make_event(hall.conference, kind="social", title="Hackathon", start=begins, end=at("10:00"), room=room)

    assert f"Now until {until} Hackathon" in words(Client().get(f"/demo/screen/?room=hall-1&at={now}"))
    assert f"Now: Hackathon until {until} " in words(Client().get(f"/demo/screen/?zone=all&at={now}"))


def test_foyer(hall: Room) -> None:
    garnet = make_room(hall.conference, "Garnet 212", make_zone(hall.conference, "Garnet", letter="G", position=1))
    make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)
    make_event(hall.conference, title="Orals", start="10:00", end="11:30", room=garnet)

    assert words(Client().get(FOYER)) == (
        "Demo 09:40 Thursday 24 April Now Next Hall 1 Now: Open science until 10:00 "
        "G Garnet 212 Nothing on Next: Orals 10:00 in 20 min Demo · Singapore time (UTC+8) Preview of 09:40"
    )


def test_door_sends_on_who_looks_for_what_was_here(hall: Room) -> None:
    conference = hall.conference
    event = make_event(conference, title="Open science", start="10:00", end="11:00", room=hall)
    make_event(conference, start="07:00", end="07:30", room=hall)
    event.room = make_room(conference, "Garnet 212")
    event.revise()

    door = words(Client().get(DOOR))

    assert "Open science: now in Garnet 212 , 10:00 Nothing is on here." in door


def test_full_room_says_where_to_go(hall: Room) -> None:
    garnet = make_room(hall.conference, "Garnet 212", hall.zone, position=1)
    for room in (hall, garnet):
        make_event(hall.conference, title=f"In {room.name}", start="09:00", end="10:00", room=room)
    full(hall)

    there = "Full Go instead to Garnet 212 close by In Garnet 212"
    assert f"{there} Now until 10:00 In Hall 1" in words(Client().get(DOOR))
    assert f"Hall 1 Now: In Hall 1 until 10:00 {there}" in words(Client().get(FOYER))


def test_cancelled_is_said(hall: Room) -> None:
    make_event(hall.conference, title="Gone", status="cancelled", start="09:00", end="10:00", room=hall)

    assert "Cancelled 09:00– 10:00 Gone Session" in words(Client().get(DOOR))
    assert "Now" not in words(Client().get(DOOR))
    assert "<del>Gone</del>" in Client().get(DOOR).text
    other = make_room(hall.conference, "Hall 2", hall.zone, position=1)
    make_event(hall.conference, title="On", start="09:00", end="10:00", room=other)
    assert "Hall 1 Gone Cancelled" in words(Client().get(FOYER))


def test_talk_that_takes_place_is_shown_without_its_cancelled_session(hall: Room) -> None:
    session = make_event(hall.conference, title="Gone", status="cancelled", start="09:00", end="17:00", room=hall)
    talk = make_event(hall.conference, kind="talk", title="Adam", start="09:00", end="10:00", room=hall, session=session)
    other = make_room(hall.conference, "Hall 2", hall.zone, position=1)
    make_event(hall.conference, title="On", start="09:00", end="10:00", room=other)

    assert "Now until 10:00 Adam Talk" in words(Client().get(DOOR))
    assert "Now: Adam until 10:00" in words(Client().get(FOYER))
    talk.status = "cancelled"
    talk.revise()
    assert "Cancelled 09:00– 17:00 Gone Adam Cancelled" in words(Client().get(DOOR))
    assert "Gone Cancelled Adam Cancelled" in words(Client().get(FOYER))


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2025-04-24T18:00", "Nothing is on here."),
        ("2025-04-23T18:00", "Tomorrow 09:00 Open science No more events here today."),
        ("2025-04-20T18:00", "Thursday 24 April 09:00 Open science No more events here today."),
        ("2025-05-20T18:00", "Demo is over. Thank you for coming."),
    ],
)
def test_door_with_nothing_on(hall: Room, moment: str, expected: str) -> None:
    make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)

    assert expected in words(Client().get(f"/demo/screen/?room=hall-1&at={moment}"))


def test_cancelled_is_not_counted_down_to(hall: Room) -> None:
    make_event(hall.conference, title="Gone", status="cancelled", start="10:00", end="11:00", room=hall)

    assert "Next 10:00 Cancelled Gone" in words(Client().get(DOOR))


def test_foyer_says_where_the_first_thing_of_a_day_to_come_is(hall: Room) -> None:
    make_room(hall.conference, "Garnet 212", make_zone(hall.conference, "Garnet", letter="G"))
    make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)

    shown = words(Client().get("/demo/screen/?zone=all&at=2025-04-23T18:00"))

    assert "Tomorrow 09:00 Hall 1 Open science No more events here today." in shown


def test_what_has_no_hour_is_not_called_now(hall: Room) -> None:
    make_event(hall.conference, title="Town hall", room=hall)
    make_room(hall.conference, "Hall 2", hall.zone)

    assert "Hall 1 Nothing on Town hall Time to be announced" in words(Client().get(FOYER))


def test_kinds_have_the_colours_that_organisers_gave_them(hall: Room) -> None:
    event = make_event(hall.conference, start="09:00", end="10:00", room=hall)
    event.type.colour = "#123456"
    event.type.save()

    page = Client().get(DOOR).text

    assert f'data-type="{event.type.slug}"' in page
    assert re.search(r'<link rel="stylesheet" href="/demo/colours.css\?revision=\d+">', page)
    assert f'[data-type="{event.type.slug}"]' in Client().get("/demo/colours.css").text


def test_choice_links_every_screen(hall: Room) -> None:
    make_room(hall.conference, "Garnet 212", make_zone(hall.conference, "Garnet"))
    make_zone(hall.conference, "A walkway without a room")

    response = Client().get("/demo/screen/")

    links = re.findall(r'href="(/demo/screen/\?[^"]*)"', response.text)
    assert links == [
        *("/demo/screen/?zone=all", "/demo/screen/?zone=garnet", "/demo/screen/?room=garnet-212"),
        *("/demo/screen/?zone=hall-1", "/demo/screen/?room=hall-1"),
    ]
    assert {url: Client().get(url).status_code for url in links} == dict.fromkeys(links, 200)


def test_choice_without_rooms() -> None:
    make_conference(slug="demo")

    assert "There are no rooms yet" in Client().get("/demo/screen/").text


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("zone=cellar", "This conference has no “cellar”: choose one of these."),
        ("room=garnet&zone=cellar", "This conference has no “garnet” in “cellar”: choose one of these."),
        ("room=%3Cscript%3E", "This conference has no “&lt;script&gt;”: choose one of these."),
        (f"zone={'x' * 900}", f"This conference has no “{'x' * 60}”: choose one of these."),
        ("room=%00", "This conference has no"),
    ],
)
@pytest.mark.parametrize("part", ["", "&part=screen"], ids=["page", "part"])
def test_place_we_do_not_have_is_not_found_and_the_others_are_offered(hall: Room, query: str, named: str, part: str) -> None:
    response = Client().get(f"/demo/screen/?{query}{part}")

    assert response.status_code == 404
    assert named in response.text
    assert "/demo/screen/?zone=hall-1" in response.text
    assert "\x02" not in response.text


def test_fragment_is_what_changes_on_the_page(hall: Room) -> None:
    make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)

    page, fragment = Client().get(DOOR).text, Client().get(f"{DOOR}&part=screen").text

    assert fragment.strip() in page
    assert (fragment.count("<html"), fragment.count('id="screen"')) == (0, 1)


def test_fragment_is_304_until_the_minute_or_the_programme_changes(hall: Room) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    event = make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)
    url = "/demo/screen/?room=hall-1&part=screen"

    def ask(etag: str = "") -> Any:
        return Client().get(url, headers={"If-None-Match": etag})

    with time_machine.travel(at("09:40:10"), tick=False):
        first = ask()
    with time_machine.travel(at("09:40:50"), tick=False):
        again = ask(first["ETag"])
        event.title = "Open weights"
        event.revise()
        changed = ask(first["ETag"])
    with time_machine.travel(at("09:41"), tick=False):
        later = ask(changed["ETag"])

    assert [it.status_code for it in (first, again, changed, later)] == [200, 304, 200, 200]
    assert ("Open weights" in changed.text, "09:41" in later.text) == (True, True)


def test_every_worker_makes_the_same_bytes_of_a_minute(hall: Room) -> None:
    make_event(hall.conference, start="09:00", end="10:00", room=hall)

    with time_machine.travel(at("09:40:10"), tick=False):
        first = Client().get("/demo/screen/?room=hall-1&part=screen")
    with time_machine.travel(at("09:40:50"), tick=False):
        second = Client().get("/demo/screen/?room=hall-1&part=screen")

    assert PROCESS_CACHE.max_bytes == 0
    assert (first.content, first["ETag"]) == (second.content, second["ETag"])
    assert words(first).endswith("As of 09:40")


def test_kept_screen_takes_one_query(hall: Room, django_assert_num_queries: Any) -> None:
    PROCESS_CACHE.max_bytes = 2**24
    make_event(hall.conference, start="09:00", end="10:00", room=hall)
    with time_machine.travel(at("09:40"), tick=False):
        first = Client().get(DOOR)

        with django_assert_num_queries(1):
            second = Client().get(DOOR)

    assert second.content == first.content


def test_screen_is_nobodys(hall: Room) -> None:
    event = make_event(hall.conference, title="Open science", start="09:00", end="10:00", room=hall)
    _, token = make_agenda(hall.conference, event)
    mine = browser(token=token)
    mine.cookies[ZONE_COOKIE] = "Europe/Vienna"

    responses = [client.get(DOOR) for client in (Client(), mine)]

    assert responses[0].content == responses[1].content
    assert [dict(it.cookies) for it in responses] == [{}, {}]
    assert ("csrf" in responses[0].text, responses[0]["X-Robots-Tag"]) == (False, "noindex")


def test_screen_works_without_a_script(hall: Room) -> None:
    make_event(hall.conference, start="09:00", end="10:00", room=hall)

    assert '<noscript><meta http-equiv="refresh" content="60"></noscript>' in Client().get(DOOR).text


def test_rooms_take_turns_without_a_script(hall: Room) -> None:
    zone = make_zone(hall.conference, "Garnet")
    for number in range(9):
        room = make_room(hall.conference, f"Garnet {number}", zone, position=number)
        make_event(hall.conference, start="09:00", end="11:00", room=room)

    def shown(minute: int) -> list[bool]:
        page = Client().get(f"/demo/screen/?zone=garnet&at=2025-04-24T09:{minute}").text
        return [not hidden for hidden in re.findall(r'<div class="wall-sheet"( hidden)?>', page)]

    first, second, third, fourth = (shown(minute) for minute in range(40, 44))

    assert [sum(it) for it in (first, second, third)] == [1, 1, 1]
    assert (len({*map(tuple, (first, second, third))}), fourth) == (3, first)


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "تعلم \u202e", "表現学習" * 70, "x" * 300, "{{ 7*7 }}{% csrf %}"])
def test_title_is_text_whatever_it_is(hall: Room, title: str) -> None:
    make_event(hall.conference, title=title, start="09:00", end="10:00", room=hall)

    page = Client().get(DOOR).text

    assert page.count("<script") == 1
    assert title.replace("<", "&lt;").replace(">", "&gt;") in page


def test_screen_of_a_draft_conference_is_none() -> None:
    conference: Conference = make_conference(slug="demo", status="draft")
    make_room(conference, "Hall 1")

    assert Client().get(DOOR).status_code == 404


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("url", "queries"), [(DOOR, 11), (FOYER, 12), ("/demo/screen/", 4)], ids=["door", "foyer", "choice"])
def test_screen_takes_as_many_queries_for_three_full_rooms_as_for_one(
    hall: Room, url: str, queries: int, size: int, django_assert_num_queries: Any
) -> None:
    conference = hall.conference
    free = make_room(conference, "Free", make_zone(conference, "Garnet"), position=9)
    make_walk(conference, hall.zone, free.zone)
    rooms = [hall, *(make_room(conference, f"Hall 1 {number}", hall.zone) for number in range(size - 1))]
    for room in [*rooms, free]:
        session = make_event(conference, start="09:00", end="10:30", room=room)
        talk = make_event(conference, kind="talk", start="09:30", end="10:00", session=session, paper=make_paper(conference))
        make_event(conference, kind="poster", start="10:30", end="11:00", room=room)
        for number in range(size):
            make_appearance(talk, make_person(conference, f"Speaker {number}"))
    for room in rooms:
        full(room)

    with django_assert_num_queries(queries):
        Client().get(url)
