from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from events.agenda.queries.conflicts import conflicts_with_bookmarks
from events.core.clock import Clock
from events.models import Award, Event, Link, Service, Status, Venue
from events.pages.queries.event import EventPage, NearbyEvents, event_conflicts, event_page, public_event
from events.pages.queries.lists import Recording
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_appearance,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_person,
    make_room,
    make_walk,
    make_zone,
)
from tests.pages.queries.reading import clock, flags, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]

VIDEO = "https://example.org/video"


def page_of(event: Event, now: Clock | None = None) -> EventPage:
    found = public_event(event.conference, event.pk)
    assert found is not None
    return event_page(found, now or clock())


def titles_of(keys: list[int]) -> list[str]:
    found = Event.objects.in_bulk(keys)
    return [found[key].title for key in keys]


def test_public_event_is_found_in_its_conference_only() -> None:
    event, draft = make_event(make_conference()), make_event(make_conference(), status="draft")

    found = [
        public_event(event.conference, event.pk),
        public_event(make_conference(), event.pk),
        public_event(draft.conference, draft.pk),
        public_event(event.conference, draft.pk + 1),
    ]

    assert found == [event, None, None, None]


def test_page_of_a_session_lists_its_talks_by_time_then_board() -> None:
    conference = make_conference()
    session = make_event(conference, start="09:00", end="12:00")
    for title, fields in {
        "Late": {"start": "10:00", "end": "10:15"},
        "Board 100": {"kind": "poster", "board": "#100"},
        "Board 9": {"kind": "poster", "board": "#9"},
        "Board 10": {"kind": "poster", "board": "#10"},
        "Early": {"start": "09:30", "end": "09:45"},
        "Draft": {"status": "draft"},
    }.items():
        make_event(conference, title=title, session=session, **fields)  # type: ignore[arg-type]

    page = page_of(session)

    assert titles(page.talks) == ["Early", "Late"]
    assert [titles(cards) for _, cards in page.posters] == [["Board 9", "Board 10", "Board 100"]]


def test_page_of_a_talk_leads_to_its_session() -> None:
    conference = make_conference()
    session = make_event(conference, title="Oral 1A")
    talk = make_event(conference, kind="talk", session=session)

    assert page_of(talk).parent is not None
    assert titles(it for it in [page_of(talk).parent] if it) == ["Oral 1A"]
    assert page_of(session).parent is None


def test_page_shows_other_slots_of_the_paper() -> None:
    conference = make_conference()
    paper = make_paper(conference)
    oral = make_event(conference, kind="talk", title="Oral", paper=paper)
    make_event(conference, kind="poster", title="Poster", paper=paper)
    make_event(conference, kind="poster", title="Draft", paper=paper, status="draft")
    make_event(conference, kind="poster", title="Another paper", paper=make_paper(conference))

    page = page_of(oral)

    assert (page.paper, titles_of(page.nearby.same_paper)) == (paper, ["Poster"])


def test_page_tells_nothing_of_a_hidden_paper() -> None:
    conference = make_conference()
    paper = make_paper(conference, is_public=False)
    Link.objects.create(paper=paper, url="https://example.org/secret")
    oral = make_event(conference, kind="talk", paper=paper)
    make_event(conference, kind="poster", paper=paper)
    Award.objects.create(conference=conference, name="Secret", year=2025, paper=paper, event=oral)

    page = page_of(oral)

    assert (page.paper, page.nearby.same_paper, page.links, page.awards) == (None, [], [], [])


def test_page_has_links_and_awards_of_the_event_and_its_paper_each_once() -> None:
    conference = make_conference()
    paper = make_paper(conference)
    oral = make_event(conference, kind="talk", paper=paper)
    Link.objects.create(event=oral, kind="slides", url="https://example.org/slides")
    Link.objects.create(paper=paper, kind="code", url="https://example.org/code")
    Award.objects.create(conference=conference, name="Test of time", year=2025, paper=paper, event=oral)

    page = page_of(oral)

    assert [link.kind for link in page.links] == ["slides", "code"]
    assert [award.name for award in page.awards] == ["Test of time"]


def test_page_shows_what_else_is_on_meanwhile() -> None:
    conference = make_conference()
    session = make_event(conference, title="My session", start="10:00", end="12:00")
    talk = make_event(conference, kind="talk", title="Mine", start="10:15", end="10:30", session=session)
    for title, start, end, fields in [
        ("Sister", "10:15", "10:30", {"session": session}),
        ("Before", "10:00", "10:15", {}),
        ("After", "10:30", "11:00", {}),
        ("Around", "09:00", "17:00", {}),
        ("Same time", "10:15", "10:30", {}),
        ("Desk", "07:00", "19:00", {"kind": "service"}),
        ("Draft", "10:15", "10:30", {"status": "draft"}),
    ]:
        make_event(conference, title=title, start=start, end=end, **fields)

    assert titles_of(page_of(talk).nearby.parallel) == ["Around", "Same time"]
    assert titles_of(page_of(session).nearby.parallel) == ["Around", "Before", "Same time", "After"]


def test_what_is_cancelled_is_neither_on_meanwhile_nor_next_in_the_room() -> None:
    conference = make_conference()
    hall = make_room(conference)
    event = make_event(conference, start="10:00", end="11:00", room=hall)
    make_event(conference, start="10:00", end="11:00", status=Status.CANCELLED)
    make_event(conference, start="11:00", end="12:00", room=hall, status=Status.CANCELLED)
    after = make_event(conference, start="14:00", end="15:00", room=hall)

    assert page_of(event).nearby == NearbyEvents([], [], [], [after.pk])


def test_page_shows_a_dozen_of_what_else_is_on() -> None:
    conference = make_conference()
    events = [make_event(conference, start="10:00", end="11:00") for _ in range(15)]

    assert len(page_of(events[0]).nearby.parallel) == 12


def test_page_without_an_hour_has_nothing_meanwhile() -> None:
    conference = make_conference()
    make_event(conference, start="10:00", end="11:00")

    page = page_of(make_event(conference, room=make_room(conference)))

    assert page.nearby == NearbyEvents([], [], [], [])


def test_page_shows_what_the_room_holds_before_and_after_on_that_day() -> None:
    conference = make_conference()
    hall, other = make_room(conference, "Hall 1"), make_room(conference, "Hall 2")
    friday = make_day(conference, THURSDAY + dt.timedelta(days=1))
    event = make_event(conference, start="11:00", end="12:00", room=hall)
    for title, start, end, fields in [
        ("Long before", "08:00", "09:00", {}),
        ("Just before", "10:00", "11:00", {}),
        ("Just after", "12:00", "13:00", {}),
        ("Long after", "15:00", "16:00", {}),
        ("Elsewhere", "12:00", "13:00", {"room": other}),
        ("Inside", "11:00", "11:15", {"session": event}),
        ("Draft", "12:00", "12:30", {"status": "draft"}),
    ]:
        make_event(conference, title=title, start=start, end=end, **{"room": hall} | fields)
    make_event(conference, title="Tomorrow", day=friday, start="07:00", end="08:00", room=hall)

    page = page_of(event)

    assert [titles_of(page.nearby.before), titles_of(page.nearby.after)] == [["Just before"], ["Just after"]]


@pytest.mark.parametrize(
    ("fields", "recording"),
    [
        pytest.param({}, None, id="nobody-records"),
        pytest.param({"recording_url": VIDEO}, Recording(VIDEO, None, ""), id="public"),
        pytest.param(
            {"recording_url": VIDEO, "recording_offset": 1380}, Recording(VIDEO, None, "23:00"), id="starts-at-23-minutes"
        ),
        pytest.param({"recording_url": VIDEO, "recording_offset": 5}, Recording(VIDEO, None, "0:05"), id="starts-at-5-seconds"),
        pytest.param(
            {"recording_url": VIDEO, "recording_from": dt.date(2025, 4, 24)},
            Recording(VIDEO, dt.date(2025, 4, 24), ""),
            id="public-since-today",
        ),
        pytest.param(
            {"recording_url": VIDEO, "recording_from": dt.date(2025, 5, 28)},
            Recording("", dt.date(2025, 5, 28), ""),
            id="not-before-its-date",
        ),
        pytest.param({"recording_from": dt.date(2025, 5, 28)}, Recording("", dt.date(2025, 5, 28), ""), id="date-without-a-link"),
    ],
)
def test_recording_has_no_link_before_its_date(fields: dict[str, Any], recording: Recording | None) -> None:
    assert page_of(make_event(make_conference(), **fields)).recording == recording


def test_recording_whose_date_came_without_a_link_is_not_available() -> None:
    event = make_event(make_conference(), recording_from=THURSDAY)

    recording = page_of(event, clock("09:00", THURSDAY + dt.timedelta(days=9))).recording

    assert recording is not None
    assert recording.is_available is False


def test_page_tells_its_own_changes_and_a_fresh_move() -> None:
    event = make_event(make_conference(), start="09:00", end="10:00")
    event.start = at("09:30")
    event.revise(reason="Lunch is late")

    page = page_of(event, Clock(timezone.now(), event.conference.zone))

    assert [(line.what, line.old, line.new, line.reason) for line in page.changes] == [
        ("Moved", "Thu 24 Apr, 09:00", "09:30", "Lunch is late")
    ]
    assert (flags(page.card), page.reason) == ([("moved", "Moved from 09:00")], "Lunch is late")


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        pytest.param([("room", "Ill"), ("cancelled", "Flu"), ("title", "Typo")], "Flu", id="cancelled"),
        pytest.param([("cancelled", "Flu"), ("confirmed", "Well again")], "", id="takes-place-after-all"),
        pytest.param([("room", "Too small"), ("title", "Typo")], "Too small", id="moved"),
        pytest.param([("room", "Too small"), ("cancelled", "")], "", id="cancelled-without-a-reason"),
        pytest.param([("title", "Typo")], "", id="new-title"),
    ],
)
def test_page_names_the_reason_of_its_cancellation_or_move(steps: list[tuple[str, str]], reason: str) -> None:
    conference = make_conference()
    event = make_event(conference, start="09:00", end="10:00", room=make_room(conference, "A"))
    for change, why in steps:
        if change == "room":
            event.room = make_room(conference, "B")
        elif change == "title":
            event.title = "Another title"
        else:
            event.status = change
        event.revise(reason=why)

    assert page_of(event, Clock(timezone.now(), conference.zone)).reason == reason


def test_page_shows_twenty_changes_at_most() -> None:
    event = make_event(make_conference())
    for number in range(25):
        event.title = f"Title {number}"
        event.revise()

    changes = page_of(event).changes

    assert [changes[0].new, len(changes)] == ["Title 24", 20]


def test_page_names_the_taxi_stand_of_its_zone_or_the_nearest_known() -> None:
    conference = make_conference()
    hall, far, off = make_zone(conference, "Hall 1"), make_zone(conference, "Hall 6"), make_zone(conference, "Hall 9")
    between, unknown = make_zone(conference, "Hall 3"), make_zone(conference, "Hall 4")
    second = Service.objects.create(conference=conference, name="Second stand", icon="taxi", zone=far)
    first = Service.objects.create(
        conference=conference, name="Stand", icon="car-taxi-front", room=make_room(conference, "A", hall)
    )
    Service.objects.create(conference=conference, name="Third stand", icon="taxi", zone=off)
    Service.objects.create(conference=conference, name="Desk", icon="id-card", zone=unknown)
    make_walk(conference, hall, between, minutes=9)
    make_walk(conference, between, far, minutes=4)

    zones = (hall, far, between, unknown)
    told = [page_of(make_event(conference, room=make_room(conference, "X", zone))).taxi for zone in zones]

    assert [(it.service, it.way.minutes) if it else None for it in told] == [(first, 0), (second, 0), (second, 4), None]


def test_page_names_no_taxi_stand_of_what_is_elsewhere_or_nowhere() -> None:
    conference = make_conference()
    bar = make_zone(conference, "Bar", off_site=True)
    Service.objects.create(conference=conference, name="Stand", icon="taxi", zone=bar)

    assert [
        page_of(it).taxi for it in (make_event(conference), make_event(conference, room=make_room(conference, "B", bar)))
    ] == [
        None,
        None,
    ]


def test_page_tells_what_is_in_the_way_of_my_picks() -> None:
    conference = make_conference()
    picked = make_event(conference, kind="talk", title="A", start="10:00", end="11:00")
    event = make_event(conference, kind="talk", start="10:30", end="11:00")
    agenda, _ = make_agenda(conference, picked)
    found = public_event(conference, event.pk)
    assert found is not None

    conflicts = conflicts_with_bookmarks(found, agenda, clock())

    assert [(it.other.title, it.verdict) for it in conflicts] == [("A", "clash")]


def test_repeated_partial_conflicts_are_summed_up_without_what_is_over() -> None:
    conference = make_conference()
    workshop = make_event(conference, title="Workshop", start="09:00", end="17:00")
    make_event(conference, kind="break", session=workshop, start="12:00", end="13:00")
    hours = [("09:00", "10:00"), ("11:00", "11:45"), ("11:30", "12:15"), ("14:00", "14:30")]
    talks = [make_event(conference, kind="talk", title=start, start=start, end=end) for start, end in hours]
    agenda, _ = make_agenda(conference, *talks)
    found = public_event(conference, workshop.pk)
    assert found is not None
    lines = conflicts_with_bookmarks(found, agenda, clock("08:00"))

    before, later, alone, after = (event_conflicts(found, lines, clock(hour)) for hour in ("08:00", "10:30", "13:00", "17:00"))

    assert ([it.other.title for it in before.missed], before.lines) == (["09:00", "11:00", "11:30", "14:00"], [])
    # The talks at 11:00 and 11:30 overlap, and from 12:00 the workshop has its break.
    assert before.missed_time == dt.timedelta(minutes=60 + 60 + 30)
    assert (len(later.missed), later.missed_time) == (3, dt.timedelta(minutes=90))
    assert ([it.sentence for it in alone.lines], alone.missed) == (["You would miss 30 of 420 min"], [])
    assert (after.lines, after.missed) == ([], [])


def test_workshop_in_conflict_with_a_talk_is_not_what_is_missed_of_the_talk() -> None:
    conference = make_conference()
    talk = make_event(conference, kind="talk", start="10:00", end="11:00")
    sessions = [make_event(conference, title=title, start="09:00", end="17:00") for title in ("A", "B")]
    agenda, _ = make_agenda(conference, *sessions)
    found = public_event(conference, talk.pk)
    assert found is not None

    conflicts = event_conflicts(found, conflicts_with_bookmarks(found, agenda, clock()), clock("08:00"))

    assert ([it.sentence for it in conflicts.lines], conflicts.missed) == (["You would miss 60 of 480 min"] * 2, [])


def test_poster_asks_not_how_full_it_is_and_what_is_in_the_building_needs_no_map() -> None:
    conference = make_conference()
    room = make_room(conference, "Hall 1")
    Venue.objects.update(address="1 Expo Drive, Singapore")
    poster = make_event(conference, kind="poster", start="10:00", end="12:00", room=room)
    talk = make_event(conference, kind="talk", start="10:00", end="12:00", room=room)
    dinner = make_event(conference, kind="social", start="10:00", end="12:00", place="A bar")

    pages = [page_of(event, clock("10:30")) for event in (poster, talk, dinner)]

    assert [(page.crowd is not None, bool(page.maps)) for page in pages] == [(False, False), (True, False), (False, True)]


def test_event_page_has_all_people_and_the_abstract_of_its_paper() -> None:
    conference = make_conference()
    authors = [make_person(conference, f"Author {number}") for number in range(7)]
    paper = make_paper(conference, *authors, title="Adam", abstract="Of the paper.")
    oral = make_event(conference, kind="talk", title="Adam", paper=paper)
    other = make_event(conference, kind="talk", title="Adam, ten years on", paper=paper, abstract="Of the talk.")

    pages = [page_of(oral), page_of(other)]

    assert [len(page.people) for page in pages] == [7, 7]
    assert [(page.texts, page.other_title) for page in pages] == [(["Of the paper."], ""), (["Of the talk."], "Adam")]


@pytest.mark.parametrize(
    ("notes", "source"),
    [("Crowded.", VIDEO), (f"Crowded.\n\nSource: [an account]({VIDEO}).", "")],
    ids=["not in the notes", "in the notes"],
)
def test_source_of_notes_is_named_once(notes: str, source: str) -> None:
    event = make_event(make_conference(), notes=notes, notes_source=VIDEO)

    assert page_of(event).unnamed_source == source


def test_page_of_a_talk_names_who_chairs_its_session_but_not_of_a_draft() -> None:
    conference = make_conference()
    session, draft = make_event(conference, title="Oral 1A"), make_event(conference, status="draft")
    chair, speaker = make_person(conference, "Chair"), make_person(conference, "Speaker")
    for event in (session, draft):
        make_appearance(event, chair, role="moderator")
        make_appearance(event, make_person(conference, "Panellist"), role="panellist")
    talk = make_event(conference, kind="talk", session=session)
    make_appearance(talk, speaker)
    by_paper = make_event(conference, kind="talk", session=session, paper=make_paper(conference, speaker))
    hidden = make_event(conference, kind="talk")
    Event.objects.filter(pk=hidden.pk).update(session=draft)

    pages = [page_of(it) for it in (talk, by_paper)]

    named = [([it.name for it in page.chairs], [it.name for it in page.people]) for page in pages]
    assert named == [(["Chair"], ["Speaker"]), (["Chair"], ["Speaker"])]
    assert public_event(conference, hidden.pk) is None
    assert [it.name for it in page_of(session).people] == ["Chair", "Panellist"]
