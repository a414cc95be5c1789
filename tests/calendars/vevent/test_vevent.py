from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from events.calendars.vevent import Style
from events.models import Conference, Event, Track
from tests.calendars.readers.entry import Entry
from tests.calendars.reading import entries, names_in, read, values
from tests.calendars.writing import SITE, property_of, written
from tests.factories import THURSDAY, at, make_conference, make_event, make_room, make_zone

FRIDAY = THURSDAY + dt.timedelta(days=1)

pytestmark = pytest.mark.django_db


def test_vevent_is_read_alike_by_both_parsers() -> None:
    event = make_event(
        make_conference(), title="Building, safe; and “robust” AI: part 1", start="09:00", end="10:00", place="Hall 1"
    )

    start, end = dt.datetime(2025, 4, 24, 1, tzinfo=dt.UTC), dt.datetime(2025, 4, 24, 2, tzinfo=dt.UTC)
    assert read(written(event)) == [Entry(str(event.guid), start, end, "Building, safe; and “robust” AI: part 1", "CONFIRMED")]


def test_vevent_says_each_thing_once_and_nothing_that_is_forbidden() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    (lines,) = entries(written(event))

    assert sorted(names_in(lines)) == [
        *("CATEGORIES", "CLASS", "CREATED", "DESCRIPTION", "DTEND", "DTSTAMP", "DTSTART", "LAST-MODIFIED", "SEQUENCE"),
        *("STATUS", "SUMMARY", "TRANSP", "UID", "URL"),
    ]


@pytest.mark.parametrize(
    ("kind", "fields", "status"),
    [
        pytest.param("session", {"start": "09:00", "end": "10:00", "place": "Hall 1"}, "CONFIRMED", id="time-and-place"),
        pytest.param("session", {"start": "09:00", "end": "10:00"}, "TENTATIVE", id="no-place-yet"),
        pytest.param("break", {"start": "09:00", "end": "10:00"}, "CONFIRMED", id="a-break-needs-no-place"),
        pytest.param("session", {"place": "Hall 1"}, "TENTATIVE", id="no-hour-yet"),
        pytest.param(
            "session",
            {"start": "09:00", "end": "10:00", "place": "Hall 1", "status": "tentative"},
            "TENTATIVE",
            id="organisers-say-so",
        ),
        pytest.param("session", {"status": "cancelled"}, "CANCELLED", id="cancelled-before-it-had-an-hour"),
    ],
)
def test_status_says_what_is_settled(kind: str, fields: dict[str, Any], status: str) -> None:
    event = make_event(make_conference(), kind=kind, **fields)

    assert [entry.status for entry in read(written(event))] == [status]


def test_unknown_hour_is_a_whole_day_that_blocks_nothing() -> None:
    event = make_event(make_conference(), title="Invited talk", place="Hall 1")

    body = written(event)

    assert read(body) == [Entry(str(event.guid), THURSDAY, FRIDAY, "Invited talk", "TENTATIVE")]
    assert (values(body, "DTSTART"), values(body, "DTEND")) == ([";VALUE=DATE:20250424"], [";VALUE=DATE:20250425"])
    assert values(body, "TRANSP") == [":TRANSPARENT"]


def test_event_past_midnight_keeps_its_instants() -> None:
    event = make_event(make_conference(), start="22:00", end=at("01:30", FRIDAY))

    assert (property_of(event, "DTSTART"), property_of(event, "DTEND")) == ("20250424T140000Z", "20250424T173000Z")


@pytest.mark.parametrize(
    ("zone", "start", "end", "utc"),
    [
        pytest.param(
            *("Europe/Vienna", dt.datetime(2025, 3, 30, 1, 30), dt.datetime(2025, 3, 30, 3, 30)),
            ("20250330T003000Z", "20250330T013000Z"),
            id="an-hour-is-missing",
        ),
        pytest.param(
            *("Europe/Vienna", dt.datetime(2025, 10, 26, 1, 30), dt.datetime(2025, 10, 26, 3, 30)),
            ("20251025T233000Z", "20251026T023000Z"),
            id="an-hour-comes-twice",
        ),
        pytest.param(
            *("America/New_York", dt.datetime(2025, 11, 2, 0, 30), dt.datetime(2025, 11, 2, 2, 30)),
            ("20251102T043000Z", "20251102T073000Z"),
            id="new-york",
        ),
    ],
)
def test_event_over_a_change_of_clocks_keeps_its_instants(
    zone: str, start: dt.datetime, end: dt.datetime, utc: tuple[str, str]
) -> None:
    venue = ZoneInfo(zone)
    conference = make_conference(timezone=zone, start=start.date(), end=end.date())
    event = make_event(conference, start=start.replace(tzinfo=venue), end=end.replace(tzinfo=venue))

    body = written(event)

    assert len(read(body)) == 1
    assert (values(body, "DTSTART"), values(body, "DTEND")) == ([f":{utc[0]}"], [f":{utc[1]}"])


def test_schedule_blocks_nobody_and_a_pick_does() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")

    assert values(written(event), "TRANSP") == [":OPAQUE"]
    assert values(written(event, Style(transparent=True)), "TRANSP") == [":TRANSPARENT"]


def at_venue(conference: Conference, *, off_site: bool = False) -> Event:
    zone = make_zone(conference, "Hall 1", off_site=off_site)
    zone.venue.latitude, zone.venue.longitude = 1.3340333, 103.9589306
    zone.venue.revise()
    return make_event(conference, start="09:00", end="10:00", room=make_room(conference, "Hall 1", zone, floor="1"))


def test_location_is_one_line_and_geo_has_six_decimals() -> None:
    event = at_venue(make_conference())

    assert (property_of(event, "LOCATION"), property_of(event, "GEO")) == (
        r"Hall 1\, floor 1\, Singapore EXPO",
        "1.334033;103.958931",
    )


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param("#43", r"Board 43\, Hall 1\, floor 1\, Singapore EXPO", id="number"),
        pytest.param("Board A7", r"Board A7\, Hall 1\, floor 1\, Singapore EXPO", id="named-board"),
        pytest.param("#", r"Hall 1\, floor 1\, Singapore EXPO", id="empty"),
    ],
)
def test_location_of_a_poster_begins_with_its_board(board: str, expected: str) -> None:
    event = at_venue(make_conference())
    event.board = board
    event.revise()

    assert property_of(event, "LOCATION") == expected


def test_board_without_a_room_is_the_location() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00", board="43")

    assert (property_of(event, "LOCATION"), property_of(event, "STATUS")) == ("Board 43", "TENTATIVE")


def test_place_elsewhere_has_no_coordinates_of_the_venue() -> None:
    event = at_venue(make_conference(), off_site=True)

    assert values(written(event), "GEO") == []


def test_categories_are_type_and_track() -> None:
    conference = make_conference()
    event = make_event(conference, track=Track.objects.create(conference=conference, name="Vision, audio; robots"))

    assert property_of(event, "CATEGORIES") == r"Session,Vision\, audio\; robots"


def test_categories_mark_official_socials_at_the_venue() -> None:
    event = make_event(make_conference(), kind="social", official=True, at_venue=True)

    assert property_of(event, "CATEGORIES") == "Social,Official at the venue (*)"


def test_url_is_absolute_from_the_site_and_stands_in_the_text() -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00")
    link = f"{SITE}{event.get_absolute_url()}"

    assert property_of(event, "URL") == link
    assert property_of(event, "DESCRIPTION").split(r"\n")[-1] == link
