"""What fits into somebody's free time, as rows have it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import timezone

from events.agenda.queries.free_time import gap_query, requested_free_time
from events.core.spans import Span
from events.models import Agenda, Conference, Event, Topic, Track
from events.pages.queries.gaps import MAX_SUGGESTION_PARTS, SUGGESTIONS_PER_PAGE, GapPage, gap_page
from tests.factories import (
    THURSDAY,
    at,
    make_agenda,
    make_conference,
    make_day,
    make_event,
    make_paper,
    make_report,
    make_room,
    make_walk,
    make_zone,
)
from tests.pages.queries.reading import clock, query, titles

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_the_venue")]


class Programme:
    """A hall and a room five minutes away, and somebody who is free between two talks in the hall."""

    def __init__(self) -> None:
        self.conference: Conference = make_conference(slug="demo")
        hall, garnet = make_zone(self.conference, "Hall 1"), make_zone(self.conference, "Garnet")
        make_walk(self.conference, hall, garnet, 5)
        self.hall, self.garnet = make_room(self.conference, "Hall 1", hall), make_room(self.conference, "Garnet 212", garnet)
        self.topic = Topic.objects.create(conference=self.conference, area="Optimisation", slug="optimisation")
        self.track = Track.objects.create(conference=self.conference, name="Theory", slug="theory")
        self.before = self.talk("Before", "09:00", "10:00", topic=self.topic, track=self.track)
        self.after = self.talk("After", "11:00", "12:00")
        self.agenda: Agenda = make_agenda(self.conference, self.before, self.after)[0]

    def talk(self, title: str, start: str, end: str, **fields: Any) -> Event:
        return make_event(
            self.conference, **{"kind": "talk", "title": title, "start": start, "end": end, "room": self.hall} | fields
        )

    def page(self, start: str = "10:00", end: str = "11:00", now: str = "08:00", **asked: str) -> GapPage:
        with timezone.override(self.conference.zone):
            return gap_page(self.conference, self.agenda, Span(at(start), at(end)), clock(now), query(**asked))


@pytest.fixture
def programme() -> Programme:
    return Programme()


def proposed(page: GapPage) -> list[str]:
    return titles(it.card for it in page.suggestions)


def test_what_is_on_in_the_gap_is_proposed_with_the_time_there_is(programme: Programme) -> None:
    programme.talk("Here", "10:10", "10:40")
    programme.talk("Far", "10:00", "11:00", room=programme.garnet)

    page = programme.page()

    assert [(it.card.title, it.sentence) for it in page.suggestions] == [
        ("Far", "5 min walk, there at 10:05 · 50 min of 1 h left · leave at 10:55 for your next pick, 5 min away"),
        ("Here", "Same area · full 30 min"),
    ]
    assert (page.count, page.over, page.mine) == (2, False, [])


def test_less_than_ten_minutes_after_the_walk_is_no_proposal(programme: Programme) -> None:
    programme.talk("Nearly over", "09:00", "10:14", room=programme.garnet)
    programme.talk("Just", "09:00", "10:15", room=programme.garnet)

    assert proposed(programme.page()) == ["Just"]


def test_proposal_never_clashes_with_a_pick(programme: Programme) -> None:
    short = programme.talk("Mine too", "10:20", "10:40")
    programme.agenda.bookmark(short, on=True)
    programme.talk("During it", "10:20", "10:40")
    programme.talk("Beside it", "10:00", "10:20")

    page = programme.page()

    assert (proposed(page), titles(page.mine)) == (["Beside it"], ["Mine too"])


def test_private_entry_is_no_free_time(programme: Programme) -> None:
    programme.agenda.private_entries.create(title="Lunch with Eve", start=at("10:20"), end=at("10:40"))
    programme.talk("During it", "10:20", "10:40")
    programme.talk("Beside it", "10:00", "10:20")

    page = programme.page()

    assert (proposed(page), [it.title for it in page.private]) == (["Beside it"], ["Lunch with Eve"])


@pytest.mark.parametrize(("end", "is_taken"), [("11:00", True), ("10:51", True), ("10:50", False)])
def test_picks_that_leave_less_than_ten_minutes_take_the_time(programme: Programme, end: str, is_taken: bool) -> None:
    programme.agenda.bookmark(programme.talk("Mine too", "10:00", end), on=True)
    programme.talk("During it", "10:20", "10:40")

    page = programme.page()

    assert (page.is_taken, page.is_anything_on, proposed(page)) == (is_taken, True, [])


def test_pick_to_watch_later_takes_no_time(programme: Programme) -> None:
    later = programme.talk("Some day", "10:00", "11:00")
    programme.agenda.bookmark(later, on=True)
    programme.agenda.bookmarks.filter(event=later).update(level="later")
    programme.talk("Here", "10:00", "11:00")

    assert proposed(programme.page()) == ["Here"]


@pytest.mark.parametrize(
    "fields",
    [{"status": "draft"}, {"status": "cancelled"}, {"signup_state": "full"}, {"signup_state": "closed"}],
    ids=["draft", "cancelled", "full", "closed"],
)
def test_what_one_cannot_come_to_is_no_proposal(programme: Programme, fields: dict[str, str]) -> None:
    programme.talk("No", "10:00", "11:00", **fields)

    assert proposed(programme.page()) == []


def test_room_that_is_full_now_is_no_proposal_for_now(programme: Programme) -> None:
    programme.talk("Full", "10:00", "11:00", room=programme.garnet)
    programme.talk("Next in it", "10:40", "11:00", room=programme.garnet)
    make_report(programme.garnet, "full", "10:05")

    assert proposed(programme.page("10:10", "11:00", now="10:10")) == ["Next in it"]
    assert proposed(programme.page("10:30", "11:00", now="10:30")) == ["Full", "Next in it"]


def test_breaks_and_services_are_told_apart(programme: Programme) -> None:
    programme.talk("Registration", "08:00", "18:00", kind="service")
    programme.talk("Coffee", "10:00", "10:30", kind="break")
    programme.talk("Lunch", "12:00", "13:00", kind="break")

    page = programme.page()

    assert (proposed(page), titles(page.open)) == ([], ["Coffee", "Registration"])


def test_what_is_near_the_picks_comes_first_and_says_why(programme: Programme) -> None:
    paper = make_paper(programme.conference, topic=programme.topic)
    programme.talk("Nothing alike", "10:00", "10:30")
    programme.talk("Track", "10:10", "10:40", track=programme.track)
    programme.talk("Topic", "10:20", "10:50", paper=paper)

    assert [(it.card.title, it.why) for it in programme.page().suggestions] == [
        ("Topic", ["Same topic as Before"]),
        ("Track", ["Same track as Before"]),
        ("Nothing alike", []),
    ]


def test_several_picks_on_a_topic_are_counted(programme: Programme) -> None:
    programme.agenda.bookmark(programme.talk("Evening", "18:00", "19:00", topic=programme.topic), on=True)
    programme.talk("Topic", "10:20", "10:50", topic=programme.topic)

    assert programme.page().suggestions[0].why == ["Same topic as Before and 1 more of your picks"]


def test_posters_of_a_session_are_one_proposal_with_how_many_are_alike(programme: Programme) -> None:
    session = programme.talk("Poster session 1", "10:00", "12:00", kind="session")
    for number in range(20):
        paper = make_paper(programme.conference, topic=programme.topic if number < 3 else None)
        programme.talk(f"Poster {number}", "10:00", "12:00", kind="poster", session=session, paper=paper, announce=False)

    (suggestion,) = programme.page().suggestions

    assert (suggestion.card.title, suggestion.parts) == ("Poster session 1", [])
    assert suggestion.why == ["3 of its posters are about topics you picked"]


def test_talks_that_fit_stand_in_their_session_best_first_in_order_of_time(programme: Programme) -> None:
    session = programme.talk("Oral 1A", "09:30", "12:00", kind="session")
    for number in range(6):
        fields = {"topic": programme.topic} if number == 5 else {}
        programme.talk(f"Talk {number}", f"10:{number}0", f"10:{number}9", session=session, **fields)
        programme.talk(f"Long {number}", f"09:{number}0", f"10:{number}9", session=session, **fields)

    (suggestion,) = programme.page().suggestions

    assert suggestion.card.title == "Oral 1A"
    assert len(suggestion.parts) == MAX_SUGGESTION_PARTS
    assert [it.event.title for it in suggestion.parts] == ["Long 1", "Long 2", "Long 3", "Long 5"]
    assert suggestion.parts[-1].sentence == "59 min of 1 h 9 min left · near your picks"
    assert suggestion.more_parts == 1


def test_proposals_come_in_pages(programme: Programme) -> None:
    for number in range(SUGGESTIONS_PER_PAGE + 1):
        programme.talk(f"Talk {number:02}", "10:00", "10:30")

    pages = [programme.page(), programme.page(page="2")]

    assert [(page.count, len(page.suggestions)) for page in pages] == [(13, 12), (13, 1)]


def test_over_midnight_the_evening_before_is_still_on(programme: Programme) -> None:
    tomorrow = THURSDAY + dt.timedelta(days=1)
    programme.talk("Party", "20:00", "23:59")
    make_event(programme.conference, kind="social", title="Night", start=at("22:00"), end=at("02:00", tomorrow))

    span = Span(at("00:30", tomorrow), at("04:00", tomorrow))
    page = gap_page(programme.conference, programme.agenda, span, clock(), query())

    assert proposed(page) == ["Night"]


def test_nobody_without_an_agenda_is_kept_from_seeing_what_is_on(programme: Programme) -> None:
    page = gap_page(programme.conference, None, Span(at("09:00"), at("12:00")), clock(), query())

    assert proposed(page) == ["Before", "After"]


@pytest.mark.parametrize(
    ("asked", "now", "span"),
    [
        pytest.param({"from": "2025-04-24T10:00", "to": "2025-04-24T11:00"}, "08:00", ("10:00", "11:00"), id="a gap"),
        pytest.param({"from": "2025-04-24T10:00", "to": "2025-04-24T11:00"}, "10:20", ("10:20", "11:00"), id="one in it"),
        pytest.param({"from": "2025-04-24T10:00", "to": "2025-04-24T11:00"}, "12:00", ("10:00", "11:00"), id="over"),
        pytest.param({"to": "2025-04-24T09:00"}, "08:00", ("08:00", "09:00"), id="before the first"),
        pytest.param({"from": "2025-04-24T12:00"}, "08:00", ("12:00", "04:00"), id="after the last"),
        pytest.param({}, "10:20", ("10:20", "11:00"), id="free now"),
        pytest.param({}, "13:00", ("13:00", "04:00"), id="free for the rest of the day"),
    ],
)
def test_time_asked_about(programme: Programme, asked: dict[str, str], now: str, span: tuple[str, str]) -> None:
    start, end = span
    expected = Span.from_times(at(start), at(end, THURSDAY + dt.timedelta(days=end == "04:00")))

    assert requested_free_time(query(**asked), programme.agenda, clock(now)).span == expected


@pytest.mark.parametrize(
    "asked",
    [
        {"from": "soon"},
        {"to": "2025-04-24T25:00"},
        {"from": "\x00"},
        {"from": "2025-04-24T11:00", "to": "2025-04-24T10:00"},
        {"from": "2025-04-24T11:00", "to": "2025-04-24T11:00"},
        {"from": "2025-04-24", "to": "2025-04-28"},
        {"from": "0001-01-01", "to": "9999-12-31"},
    ],
)
def test_time_that_cannot_be_is_refused_in_a_sentence(programme: Programme, asked: dict[str, str]) -> None:
    found = requested_free_time(query(**asked), programme.agenda, clock())

    assert found.span is None
    assert found.problem.endswith(".")


def test_what_asks_for_a_gap_is_read_as_that_gap(programme: Programme) -> None:
    asked = gap_query(at("10:00"), at("11:00"), clock(own="Europe/Vienna"))

    assert asked == "from=2025-04-24T10:00&to=2025-04-24T11:00"
    assert requested_free_time(QueryDict(asked), None, clock()).span == Span.from_times(at("10:00"), at("11:00"))


@pytest.mark.parametrize("size", [1, 3, 60])
def test_gap_takes_as_many_queries_for_sixty_as_for_one(programme: Programme, size: int, django_assert_num_queries: Any) -> None:
    make_day(programme.conference)
    for number in range(size):
        session = programme.talk(f"Session {number}", "10:00", "11:00", kind="session", topic=programme.topic)
        programme.talk(f"Talk {number}", "10:00", "10:30", session=session)
        programme.talk(f"Poster {number}", "10:00", "10:30", session=session, kind="poster", topic=programme.topic)
        programme.talk(f"Coffee {number}", "10:00", "10:30", kind="break")
        programme.agenda.bookmark(programme.talk(f"Pick {number}", "18:00", "18:30", topic=programme.topic), on=True)
    agenda = Agenda.objects.select_related("conference").get()

    with django_assert_num_queries(11):
        page = gap_page(programme.conference, agenda, Span(at("10:00"), at("11:00")), clock(), query())

    assert page.count == size
