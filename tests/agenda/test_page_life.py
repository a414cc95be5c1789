"""Kept pages equal fresh ones: after any edit of the programme, and until the moment at which they say that they end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from events.core.byte_cache import PROCESS_CACHE
from events.core.clock import Clock, PageClock, PageEnd
from events.models import Change, Conference, RevisionScope, Service
from events.programme.queries.revisions import KnownRevisions, known_revisions
from tests.agenda.kept_pages import (
    DAYS,
    EDITS,
    POSTER_PAGES,
    edit,
    fresh,
    make_posters,
    make_programme,
    own_pages,
    pages_of,
    shown,
    visitors,
)
from tests.factories import SINGAPORE, at, make_agenda, make_conference, make_day, make_event
from tests.visitors import browser

pytestmark = pytest.mark.django_db
MORNING = dt.datetime(2025, 4, 24, 0, 30, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _cache() -> Iterator[None]:
    PROCESS_CACHE.max_bytes = 2**24
    yield
    PROCESS_CACHE.clear()


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(sorted(EDITS)), st.integers(0, 11)), min_size=1, max_size=3))
def test_kept_pages_equal_fresh_ones_after_any_edits(edits: list[tuple[int, str, int]]) -> None:
    PROCESS_CACHE.clear()
    Conference.objects.all().delete()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        for url in pages_of(events):
            shown(url)
        for place, what, number in edits:
            # Calendar entries are kept by the time of the last change.
            traveller.shift(0.001)
            edit(events, place, what, number)
        for url in pages_of(events):
            assert shown(url) == fresh(url), url


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 6), st.sampled_from(sorted(EDITS)), st.integers(0, 11)), min_size=1, max_size=3),
    st.integers(0, 2),
)
def test_kept_pages_of_a_visitor_equal_fresh_ones_after_any_edits(edits: list[tuple[int, str, int]], who: int) -> None:
    PROCESS_CACHE.clear()
    Conference.objects.all().delete()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        pages, token = own_pages(events), visitors(events)[who]
        for url in pages:
            shown(url, token)
        for place, what, number in edits:
            traveller.shift(0.001)
            edit(events, place, what, number)
        for url in pages:
            assert shown(url, token) == fresh(url, token), url


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 26 * 60), st.integers(0, 15 * 60), st.integers(0, 1), st.sampled_from(["", "?at=2025-04-24T09:30"]))
def test_kept_pages_of_a_visitor_equal_fresh_ones_until_their_end(minutes: int, seconds: int, who: int, query: str) -> None:
    PROCESS_CACHE.clear()
    Conference.objects.all().delete()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        token = visitors(events)[who]
        traveller.move_to(MORNING + dt.timedelta(minutes=minutes))
        urls = [url + query for url in own_pages(events)]
        for url in urls:
            shown(url, token)
        traveller.shift(seconds)
        for url in urls:
            assert shown(url, token) == fresh(url, token), url


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 26 * 60), st.integers(0, 15 * 60), st.integers(0, 9), st.sampled_from(["", "at=2025-04-24T09:30"]))
def test_kept_page_equals_a_fresh_one_until_its_end(minutes: int, seconds: int, place: int, query: str) -> None:
    PROCESS_CACHE.clear()
    Conference.objects.all().delete()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        moved = events[4]
        moved.start = at("12:00")
        moved.end = at("12:30")
        moved.revise()
        moved.conference.announcements.create(title="Lunch", text="Now", starts_at=at("11:50"), until=at("13:10"))
        events[5].signup_until = at("10:10")
        events[5].recording_url, events[5].recording_from = "https://example.org/", dt.date(2025, 4, 25)
        events[5].revise()
        page = [*(event.get_absolute_url() for event in events), *DAYS][place]
        url = f"{page}{'&' if '?' in page else '?'}{query}"
        traveller.move_to(MORNING + dt.timedelta(minutes=minutes))
        shown(url)
        traveller.shift(seconds)
        assert shown(url) == fresh(url)


def test_page_of_another_day_stays_when_an_event_changes(django_assert_num_queries: Any) -> None:
    with time_machine.travel(MORNING - dt.timedelta(days=2), tick=False) as traveller:
        *_, flo = make_programme()
        for day in DAYS:
            shown(day)
        traveller.shift(100)
        flo.title = "Renamed"
        flo.revise()
        known_revisions(flo.conference.pk).advance(flo.conference.pk)
        with django_assert_num_queries(1):
            assert "Workshop" in shown(DAYS[1])[1]
        assert all("Renamed" in shown(day)[1] for day in (DAYS[0], DAYS[2]))


@settings(max_examples=settings.default.max_examples // 3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(sorted(EDITS)), st.integers(0, 11)), min_size=1, max_size=3),
    st.sampled_from([0, 2]),
)
@example([(3, "title", 1)], 2)
@example([(2, "title", 1)], 0)
@example([(2, "hours", 1)], 0)
@example([(2, "move", 3)], 0)
def test_kept_pages_with_posters_equal_fresh_ones_after_any_edits(edits: list[tuple[int, str, int]], listed: int) -> None:
    PROCESS_CACHE.clear()
    Conference.objects.all().delete()
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_posters(make_programme(), listed=listed)
        session, _, counted, last = events
        agenda, token = make_agenda(session.conference, session, counted, last)
        feed = f"/feeds/{agenda.feed_token}.ics"
        urls = [*(event.get_absolute_url() for event in events), "/demo/", "/demo/agenda/", *DAYS, *POSTER_PAGES, feed]
        for url in urls:
            shown(url, token)
        for place, what, number in edits:
            # Calendar entries are kept by the time of the last change.
            traveller.shift(0.001)
            edit(events, place, what, number)
        for url in urls:
            assert shown(url, token) == fresh(url, token), url


@pytest.mark.parametrize("what", ["title", "move", "board", "abstract"])
def test_pages_that_only_count_a_poster_stay_when_it_changes(what: str, django_assert_num_queries: Any) -> None:
    with time_machine.travel(MORNING - dt.timedelta(days=2), tick=False) as traveller:
        session, *_, poster = make_posters(make_programme(), listed=0)
        counting = ["/demo/", DAYS[0], DAYS[2]]
        before = [shown(url) for url in [*counting, session.get_absolute_url()]]
        traveller.shift(0.001)
        edit([poster], 0, what, 3)
        known_revisions(poster.conference_id).advance(poster.conference_id)
        for url, page in zip(counting, before, strict=False):
            with django_assert_num_queries(1):
                assert shown(url) == page
            assert fresh(url) == page
        if what != "abstract":
            assert shown(session.get_absolute_url()) != before[-1]


def test_overview_stays_when_a_later_day_changes(django_assert_num_queries: Any) -> None:
    saturday = dt.date(2025, 4, 26)
    with time_machine.travel(MORNING - dt.timedelta(days=2), tick=False) as traveller:
        conference = make_programme()[0].conference
        late, keynote, desk = (
            make_event(conference, kind=kind, title=kind, start="10:00", end="11:00", day=make_day(conference, saturday))
            for kind in ("talk", "invited-talk", "service")
        )
        desk.service = Service.objects.create(conference=conference, name="Registration")
        for event in (late, keynote, desk):
            event.revise()
        shown("/demo/")
        traveller.shift(0.001)
        late.title = "Renamed"
        late.revise()
        known_revisions(conference.pk).advance(conference.pk)
        with django_assert_num_queries(1):
            shown("/demo/")
        keynote.title = "First words"
        keynote.revise()
        assert "First words" in shown("/demo/")[1]
        desk.start = at("09:45", saturday)
        desk.revise()
        assert shown("/demo/") == fresh("/demo/")


def test_page_of_another_hour_stays_when_an_event_changes(django_assert_num_queries: Any) -> None:
    with time_machine.travel(MORNING - dt.timedelta(days=2), tick=False) as traveller:
        *_, eve, flo = make_programme()
        eve.start, eve.end = at("20:00"), at("21:00")
        eve.revise()
        shown(eve.get_absolute_url())
        traveller.shift(100)
        flo.title = "Renamed"
        flo.revise()
        known_revisions(flo.conference.pk).advance(flo.conference.pk)
        with django_assert_num_queries(1):
            browser().get(eve.get_absolute_url())


@pytest.mark.parametrize(("place", "what"), [(4, "title"), (4, "move"), (4, "status"), (3, "move"), (2, "room"), (0, "title")])
def test_what_is_personal_follows_the_bookmarks_and_the_shown_event(place: int, what: str) -> None:
    with time_machine.travel(MORNING, tick=False) as traveller:
        events = make_programme()
        token = visitors(events)[1]
        urls = [events[3].get_absolute_url(), "/demo/", DAYS[0]]
        before = [shown(url, token) for url in urls]
        traveller.shift(0.001)
        edit(events, place, what, 3 if what == "move" else 1)

        after = [shown(url, token) for url in urls]

        assert after == [fresh(url, token) for url in urls]
        assert after != before


def test_what_is_personal_stays_when_another_event_changes_and_a_minute_passes(django_assert_num_queries: Any) -> None:
    with time_machine.travel(MORNING - dt.timedelta(days=2), tick=False) as traveller:
        *_, eve, flo = make_programme()
        flo.start, flo.end = at("20:00"), at("21:00")
        flo.revise()
        _, token = make_agenda(eve.conference, flo)
        for _ in range(2):
            shown(flo.get_absolute_url(), token)
        traveller.shift(100)
        eve.title = "Renamed"
        eve.revise()
        known_revisions(eve.conference.pk).advance(eve.conference.pk)
        with django_assert_num_queries(1):
            # Is it current, and whose is the agenda.
            browser(token=token).get(flo.get_absolute_url())


def test_another_process_learns_of_the_change_at_its_next_request() -> None:
    *_, eve, flo = make_programme()
    conference, here, there = flo.conference, KnownRevisions(), KnownRevisions()
    since = Conference.objects.get().revision
    for process in (here, there):
        process.advance(conference.pk)
    flo.title = "Renamed"
    flo.revise()
    for process in (here, there):
        process.advance(conference.pk)
        assert not process.holds(since, frozenset({f"event {flo.guid}"}))
        assert process.holds(since, frozenset({f"event {eve.guid}"}))
        assert not process.holds(since, None)


@pytest.mark.parametrize("what", ["a gap", "a bump", "a restored backup"])
def test_everything_is_stale_after(what: str) -> None:
    *_, flo = make_programme()
    conference, process = flo.conference, KnownRevisions()
    since = process.advance(conference.pk) or 0
    flo.title = "Renamed"
    flo.revise()
    if what == "a gap":
        RevisionScope.objects.order_by("revision").last().delete()  # type: ignore[union-attr]
    elif what == "a bump":
        conference.bump_revision()
    else:
        Conference.objects.update(revision=since - 1)
    process.advance(conference.pk)

    assert not process.holds(since, frozenset({"event of another"}))


def test_old_scopes_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.programme.models.conference.KEPT_SCOPES", 2)
    conference = make_conference()
    for number in range(4):
        conference.bump_revision(subjects=[f"event {number}"])

    assert sorted(RevisionScope.objects.values_list("revision", flat=True)) == [3, 4]


def test_first_change_of_a_conference_changes_every_menu() -> None:
    event = make_event(make_conference(slug="demo"), title="Ada")
    event.revise()
    Change.objects.all().delete()
    RevisionScope.objects.all().delete()
    event.title = "Bea"
    event.revise()

    assert not RevisionScope.objects.exists()


NOON = dt.datetime(2025, 4, 24, 12, 0, 20, tzinfo=SINGAPORE)


@pytest.mark.parametrize(
    ("ask", "end"),
    [
        (lambda clock: clock.has_come(NOON - dt.timedelta(1)), "12:15:20"),
        (lambda clock: clock.has_come(NOON + dt.timedelta(minutes=7)), "12:07:20"),
        (lambda clock: clock.now, "12:01:00"),
        (lambda clock: clock.is_live(), "12:01:00"),
        (lambda clock: clock.made_at, "12:15:20"),
        (lambda clock: clock.today, "12:15:20"),
    ],
)
def test_page_ends_when_an_answer_changes(ask: Any, end: str) -> None:
    page_end = PageEnd.of_page_made(NOON)

    ask(PageClock.of_page(Clock(NOON, SINGAPORE), page_end))

    assert f"{page_end.moment:%H:%M:%S}" == end


def test_pinned_clock_stands_still_but_for_what_is_live() -> None:
    page_end = PageEnd.of_page_made(NOON)
    clock = PageClock.of_page(Clock(NOON - dt.timedelta(days=3), SINGAPORE, pinned=True), page_end)

    assert (clock.now, clock.has_come(NOON), clock.not_after_now()) == (NOON - dt.timedelta(days=3), False, clock)
    assert page_end.moment == NOON + dt.timedelta(minutes=15)
    clock.is_live()
    assert page_end.moment == page_end.next_minute
