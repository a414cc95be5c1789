from __future__ import annotations

import datetime as dt

import pytest

from events.calendars.description import brief_description, description, summary
from events.models import Event, Track
from tests.factories import (
    THURSDAY,
    at,
    make_appearance,
    make_conference,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_zone,
)

LINK = "https://hallway.example/iclr-2025/events/1/"

pytestmark = pytest.mark.django_db


def described(event: Event, directions: str = "") -> list[str]:
    loaded = Event.objects.for_cards().get(pk=event.pk)
    return description(loaded, LINK, directions=directions).split("\n")


def test_summary_is_the_title() -> None:
    event = make_event(make_conference(), title="Training Language Models\nin Academia")

    assert summary(event) == "Training Language Models in Academia"


def test_summary_says_cancelled_first() -> None:
    event = make_event(make_conference(), title="Karaoke", status="cancelled")

    assert summary(event) == "Cancelled: Karaoke"


def test_summary_is_at_most_120_characters() -> None:
    event = make_event(make_conference(), kind="social", title="é" * 300, status="cancelled", official=True, at_venue=True)

    assert summary(event) == f"Cancelled: {'é' * 106}… *"


@pytest.mark.parametrize(
    ("kind", "official", "at_venue", "expected"),
    [
        pytest.param("social", True, True, "Mixer *", id="official-and-at-the-venue"),
        pytest.param("social", True, False, "Mixer", id="official-elsewhere"),
        pytest.param("social", False, True, "Mixer", id="unofficial-at-the-venue"),
        pytest.param("social", True, None, "Mixer", id="official-place-unknown"),
        pytest.param("session", True, True, "Mixer", id="no-social"),
    ],
)
def test_asterisk_marks_official_socials_at_the_venue(kind: str, *, official: bool, at_venue: bool | None, expected: str) -> None:
    event = make_event(make_conference(), kind=kind, title="Mixer", official=official, at_venue=at_venue)

    assert summary(event) == expected


def test_description_tells_venue_time_and_place_first() -> None:
    conference = make_conference()
    zone = make_zone(conference, "Halls")
    event = make_event(conference, start="15:00", end="17:30", room=make_room(conference, "Hall 3 + Hall 2B", zone))

    assert described(event) == [
        "Thu 24 Apr, 15:00–17:30 Singapore time, Hall 3 + Hall 2B, Halls, Singapore EXPO",
        "Session",
        "",
        LINK,
    ]


def test_description_names_people_kind_board_and_subject() -> None:
    conference = make_conference()
    paper = make_paper(
        conference, make_person(conference, "Diederik Kingma"), make_person(conference, "Jimmy Ba"), tldr="It *adapts*."
    )
    track = Track.objects.create(conference=conference, name="Optimisation")
    event = make_event(
        conference, kind="poster", start="10:00", end="12:30", paper=paper, track=track, board="461", place="Foyer"
    )
    make_appearance(event, make_person(conference, "Ada Lovelace"))

    assert described(event) == [
        "Thu 24 Apr, 10:00–12:30 Singapore time, Foyer",
        "With Ada Lovelace",
        "Paper by Diederik Kingma, Jimmy Ba",
        "Poster · Optimisation · board #461",
        "",
        "It adapts.",
        "",
        LINK,
    ]


def test_description_keeps_a_hidden_paper_to_itself() -> None:
    conference = make_conference()
    paper = make_paper(conference, make_person(conference, "Anonymous"), tldr="Canary", abstract="Canary", is_public=False)
    event = make_event(conference, start="10:00", end="12:30", paper=paper, place="Foyer")

    assert described(event) == ["Thu 24 Apr, 10:00–12:30 Singapore time, Foyer", "Session", "", LINK]


def test_description_explains_the_asterisk() -> None:
    event = make_event(make_conference(), kind="social", start="18:00", end="20:00", place="Bar", official=True, at_venue=True)

    assert described(event) == ["Thu 24 Apr, 18:00–20:00 Singapore time, Bar", "Social", "* Official, at the venue", "", LINK]


def test_description_says_that_the_hour_is_to_be_announced() -> None:
    event = make_event(make_conference(), place="Hall 1")

    assert described(event)[0] == "Thu 24 Apr, time to be announced, Hall 1"


@pytest.mark.parametrize(
    ("start", "end", "when"),
    [
        pytest.param(
            at("22:00"),
            at("01:30", THURSDAY + dt.timedelta(days=1)),
            "Thu 24 Apr, 22:00–01:30 Singapore time",
            id="past-midnight",
        ),
        pytest.param(
            *(at("09:00"), at("17:00", THURSDAY + dt.timedelta(days=1)), "Thu 24 Apr, 09:00 – Fri 25 Apr, 17:00 Singapore time"),
            id="two-days",
        ),
    ],
)
def test_description_names_the_dates_that_are_needed(start: dt.datetime, end: dt.datetime, when: str) -> None:
    event = make_event(make_conference(), start=start, end=end)

    assert described(event)[0] == when


def test_description_is_plain_text() -> None:
    abstract = "**Bold** by [OpenReview](https://openreview.net/forum?id=1), $\\nabla f$."
    event = make_event(make_conference(), start="09:00", end="10:00", abstract=abstract)

    assert described(event)[3] == "Bold by OpenReview (https://openreview.net/forum?id=1), $\\nabla f$."


@pytest.mark.parametrize("letter", ["a", "é", "語", "👩‍👩‍👧"])
def test_description_stays_under_2000_octets_with_its_link(letter: str) -> None:
    event = make_event(make_conference(), start="09:00", end="10:00", abstract=f"{letter} " * 2_000)

    lines = described(event)

    assert len("\n".join(lines).encode()) <= 2_000
    assert (lines[3][-1], lines[-1]) == ("…", LINK)


def test_description_counts_names_beyond_the_first_eight() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    for number in range(10):
        make_appearance(event, make_person(conference, f"Person {number}"), position=number)

    assert described(event)[1] == f"With {', '.join(f'Person {number}' for number in range(8))} and 2 more"


def test_description_shows_the_way_to_the_venue_in_its_second_line() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference))

    assert described(event, "https://hallway.example/iclr-2025/venue/directions/")[1] == (
        "Directions: https://hallway.example/iclr-2025/venue/directions/"
    )


@pytest.mark.parametrize(
    ("address", "minutes", "way"),
    [
        pytest.param("12 Bar Street\nSingapore", 25, "Getting there: 12 Bar Street Singapore, 25 min from the venue", id="both"),
        pytest.param("12 Bar Street", None, "Getting there: 12 Bar Street", id="address"),
        pytest.param("", 25, "Getting there: 25 min from the venue", id="minutes"),
        pytest.param("", None, "Social", id="nothing-known"),
    ],
)
def test_description_tells_the_way_to_a_place_elsewhere(address: str, minutes: int | None, way: str) -> None:
    conference = make_conference()
    zone = make_zone(conference, "Bar", off_site=True)
    zone.venue.address = address
    zone.venue.save()
    room = make_room(conference, "Bar", zone)
    event = make_event(conference, kind="social", start="20:00", end="22:00", room=room, travel_minutes=minutes)

    assert described(event, "https://hallway.example/directions/")[1] == way


def test_summary_of_what_was_taken_back_says_so_first() -> None:
    event = make_event(make_conference(), title="é" * 300, status="cancelled")

    assert summary(event, removed=True) == f"Not in my agenda any more: {'é' * 92}…"


def test_brief_description_has_no_abstract_and_no_authors() -> None:
    conference = make_conference()
    paper = make_paper(conference, make_person(conference, "Jimmy Ba"), tldr="It adapts.")
    event = make_event(conference, start="09:00", end="10:00", paper=paper, place="Hall 1", abstract="Long")
    make_appearance(event, make_person(conference, "Ada Lovelace"))
    loaded = Event.objects.for_calendars().get(pk=event.pk)

    assert brief_description(loaded, LINK).split("\n") == [
        *("Thu 24 Apr, 09:00–10:00 Singapore time, Hall 1", "With Ada Lovelace", "Session", "", LINK),
    ]
