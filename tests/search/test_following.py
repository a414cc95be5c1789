"""The index follows a change at once where it was touched; a server compares the rest in the background."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any, Self

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.utils import timezone

from events.models import Amenity, Award, Conference, Event, SearchEntry, SearchIndex, SearchWord, Service
from events.search import following, indexing
from events.search.following import COMPARISON_INTERVAL, BackgroundComparison, compare_if_due
from events.search.texts import texts_of
from tests.factories import at, make_appearance, make_conference, make_event, make_paper, make_person, make_room
from tests.search.searching import reindex

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def scheduled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float]]:
    """What would be compared in the background."""
    calls: list[tuple[int, float]] = []
    background = BackgroundComparison()
    background.is_started = True
    monkeypatch.setattr(background, "schedule", lambda pk, seconds=following.DELAY_SECONDS: calls.append((pk, seconds)))
    monkeypatch.setattr(following, "BACKGROUND_COMPARISON", background)
    return calls


def written(conference: Conference) -> set[tuple[Any, ...]]:
    return set(SearchEntry.objects.filter(conference=conference).values_list("thing", "target", "digest"))


def due(conference: Conference) -> set[tuple[Any, ...]]:
    return {(text.thing, text.target, text.digest) for text in texts_of(conference.pk)}


def spelled(conference: Conference) -> set[str]:
    return set(SearchWord.objects.filter(conference=conference).values_list("word", flat=True))


class Programme:
    def __init__(self) -> None:
        self.conference = make_conference()
        self.room, self.hall = make_room(self.conference, "Garnet"), make_room(self.conference, "Opal")
        self.speaker, self.author = (make_person(self.conference, name) for name in ("Ada Lovelace", "Song Han"))
        self.paper = make_paper(self.conference, self.author, title="Gradients")
        self.session = make_event(self.conference, title="Afternoon", kind="session")
        self.talk = make_event(self.conference, title="Gradients, the talk", paper=self.paper, session=self.session)
        self.poster = make_event(self.conference, title="Gradients", kind="poster", paper=self.paper)
        self.event = make_event(self.conference, title="Opening", room=self.room)
        self.draft = make_event(self.conference, title="Surprise", status="draft", room=self.hall)
        make_appearance(self.event, self.speaker)
        make_appearance(self.draft, make_person(self.conference, "Grace Hopper"))
        self.service = Service.objects.create(conference=self.conference, name="Cloakroom")
        self.hours = make_event(self.conference, title="Cloakroom hours", kind="service", service=self.service)
        Amenity.objects.create(conference=self.conference, name="Water", event=self.event)
        Award.objects.create(conference=self.conference, name="Best talk", year=2025, event=self.talk)
        Event.objects.filter(conference=self.conference).record_changes()
        reindex(self.conference)


def revised(event: Event, **values: Any) -> None:
    for name, value in values.items():
        setattr(event, name, value)
    event.revise()


CHANGES: dict[str, Callable[[Programme], Any]] = {
    "renamed": lambda it: revised(it.event, title="Welcome"),
    "described": lambda it: revised(it.event, abstract="Of everything"),
    "published, with its speaker and room": lambda it: revised(it.draft, status="confirmed"),
    "hidden, with its speaker, room and amenity": lambda it: revised(it.event, status="draft"),
    "session renamed, which its talks show": lambda it: revised(it.session, title="Evening"),
    "session hidden, with its talks": lambda it: revised(it.session, status="draft"),
    "one time of a paper": lambda it: revised(it.poster, title="A poster", board="12"),
    "only time of a paper that is left": lambda it: revised(it.talk, status="draft"),
    "hours of a service": lambda it: revised(it.hours, title="Coats", place="Behind the stairs"),
    "moved": lambda it: revised(it.event, room=it.hall),
    "cancelled": lambda it: revised(it.event, status="cancelled"),
    "at another hour": lambda it: revised(it.event, start=at("11:00"), end=at("12:00")),
    "at another hour and renamed": lambda it: revised(it.event, start=at("11:00"), end=at("12:00"), title="Welcome"),
}
WITHOUT_OTHER_TEXTS = {"cancelled", "at another hour"}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_change_touches_is_indexed_at_once(change: str, scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    before = written(programme.conference)
    scheduled.clear()

    CHANGES[change](programme)

    assert (before == written(programme.conference)) == (change in WITHOUT_OTHER_TEXTS)
    assert written(programme.conference) == due(programme.conference)
    entries = SearchEntry.objects.filter(conference=programme.conference).values_list("title", "people")
    assert spelled(programme.conference) == {word for texts in entries for word in " ".join(texts).split() if len(word) > 2}
    assert scheduled == [(programme.conference.pk, following.DELAY_SECONDS)]


@pytest.mark.usefixtures("scheduled")
def test_another_hour_reads_no_texts() -> None:
    event = make_event(make_conference(), kind="talk", start="09:00", end="10:00")
    reindex(event.conference)

    with CaptureQueries() as queries:
        revised(event, start=at("11:00"), end=at("12:00"))

    assert [sql for sql in queries.statements if "events_searchentry" in sql] == []


def test_touched_entries_cost_the_same_for_one_event_and_for_three() -> None:
    conference = make_conference()
    events = [make_event(conference, title=title) for title in ("Alpha", "Beta", "Gamma")]
    reindex(conference)
    Event.objects.filter(pk__in=[event.pk for event in events[1:]]).update(title="Renamed")
    Event.objects.filter(pk=events[0].pk).update(title="Welcome")

    counts = []
    for chosen in (events[:1], events):
        with CaptureQueries() as queries:
            indexing.index_events(conference.pk, [event.pk for event in chosen])
        counts.append(len(queries.statements))

    assert counts[0] == counts[1]
    assert written(conference) == due(conference)


class CaptureQueries:
    """Statements other than those that ask for one removed word, and those of a transaction."""

    def __enter__(self) -> Self:
        self.statements: list[str] = []
        self.wrapper = connection.execute_wrapper(self.record)
        self.wrapper.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.wrapper.__exit__(*error)

    def record(self, execute: Any, sql: str, *rest: Any) -> Any:
        if "SELECT 1 FROM events_searchentry" not in sql:
            self.statements.append(sql)
        return execute(sql, *rest)


def test_deleted_event_is_taken_out(scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    pk = programme.event.pk
    Event.objects.filter(pk=pk).delete()

    indexing.index_events(programme.conference.pk, [pk])

    assert ("event", pk) not in {(thing, target) for thing, target, _ in written(programme.conference)}


def test_change_of_many_events_is_left_to_the_comparison(
    monkeypatch: pytest.MonkeyPatch, scheduled: list[tuple[int, float]]
) -> None:
    programme = Programme()
    before = written(programme.conference)
    monkeypatch.setattr(following, "MAX_TOUCHED_EVENTS", 1)

    revised(programme.session, title="Evening")

    assert written(programme.conference) == before
    assert compare_if_due(programme.conference.pk) is None
    assert written(programme.conference) == due(programme.conference) != before


def test_change_of_another_row_is_left_to_the_comparison(scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    programme.speaker.bio = "Wrote the first program."
    scheduled.clear()

    programme.speaker.revise()

    assert scheduled == [(programme.conference.pk, following.DELAY_SECONDS)]
    assert indexing.stale_conferences() == [programme.conference.pk]
    assert compare_if_due(programme.conference.pk) is None
    assert indexing.stale_conferences() == []
    assert written(programme.conference) == due(programme.conference)


def test_hidden_event_is_in_no_answer_while_the_comparison_is_outstanding(scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    slug = programme.conference.slug

    revised(programme.event, status="draft")

    for question in ("opening", "ada lovelace", "garnet", "water"):
        page = Client().get(f"/{slug}/search/?q={question}").context["search_page"]
        assert (page.count, page.results, page.other_spellings) == (0, [], [])


def test_comparison_waits_for_the_interval_after_that_of_another_process(scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    programme.conference.bump_revision()
    now = timezone.now()

    assert SearchIndex.objects.claim(programme.conference.pk, now, COMPARISON_INTERVAL)
    assert not SearchIndex.objects.claim(programme.conference.pk, now, COMPARISON_INTERVAL)
    wait = compare_if_due(programme.conference.pk)
    assert wait is not None
    assert dt.timedelta() < wait <= COMPARISON_INTERVAL
    assert indexing.stale_conferences() == [programme.conference.pk]

    SearchIndex.objects.update(compared_at=now - COMPARISON_INTERVAL)
    assert compare_if_due(programme.conference.pk) is None


def test_conference_without_an_index_is_compared_at_once(scheduled: list[tuple[int, float]]) -> None:
    programme = Programme()
    SearchEntry.objects.all().delete()
    SearchIndex.objects.all().delete()

    assert compare_if_due(programme.conference.pk) is None
    assert written(programme.conference) == due(programme.conference)


@pytest.mark.parametrize("batch_size", [1, 500])
def test_change_during_a_comparison_is_neither_overwritten_nor_compared_without_end(
    monkeypatch: pytest.MonkeyPatch, scheduled: list[tuple[int, float]], batch_size: int
) -> None:
    programme = Programme()
    SearchEntry.objects.filter(target=programme.paper.pk, thing="paper").update(digest="")
    programme.conference.bump_revision()
    reads = []

    def texts(conference_id: int, keys: Any = None) -> Any:
        found = list(texts_of(conference_id, keys))
        reads.append(keys)
        if len(reads) == 1:
            revised(programme.event, title="Welcome")
        return found

    monkeypatch.setattr(indexing, "texts_of", texts)
    monkeypatch.setattr(indexing, "COMPARED_PER_STEP", batch_size)
    SearchEntry.objects.filter(thing="person").update(digest="")
    wait = compare_if_due(programme.conference.pk)

    # The whole, what the change touched, and under the lock what differed from the whole, in slices.
    assert [keys is None for keys in reads][:2] == [True, False]
    assert not any(keys is None for keys in reads[1:])
    assert wait == COMPARISON_INTERVAL
    assert written(programme.conference) == due(programme.conference)


def test_thread_of_a_server_compares_once_for_several_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    programme = Programme()
    background, compared, finished = BackgroundComparison(), [], threading.Event()

    def compare(conference_id: int) -> None:
        try:
            compared.append((conference_id, compare_if_due(conference_id)))
        finally:
            finished.set()

    monkeypatch.setattr(following, "BACKGROUND_COMPARISON", background)
    monkeypatch.setattr(following, "DELAY_SECONDS", 0)
    background.is_started = True
    background._turn.acquire()
    monkeypatch.setattr(following, "compare_if_due", compare)
    Event.objects.filter(pk=programme.hours.pk).update(abstract="Coats and bags")
    programme.conference.bump_revision()
    background._turn.release()

    assert finished.wait(20)
    with background._turn:
        assert compared == [(programme.conference.pk, None)]
    assert written(programme.conference) == due(programme.conference)


def test_change_is_scheduled_once_until_its_comparison_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[tuple[float, Callable[..., Any], tuple[int, ...]]] = []
    monkeypatch.setattr(following, "_start_timer", lambda seconds, call, *values: timers.append((seconds, call, values)))
    programme = Programme()
    background = BackgroundComparison()

    for _ in range(3):
        background.schedule(programme.conference.pk)
    (_, run, values), *others = timers
    run(*values)
    background.schedule(programme.conference.pk)

    assert others == []
    assert len(timers) == 2


def test_fault_of_a_comparison_is_logged_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    timers: list[float] = []
    monkeypatch.setattr(following, "_start_timer", lambda seconds, *_: timers.append(seconds))

    def fault(conference_id: int) -> Any:
        raise RuntimeError("out of order")

    monkeypatch.setattr(following, "compare_if_due", fault)
    BackgroundComparison()._run(1)

    assert "out of order" in caplog.text
    assert timers == [COMPARISON_INTERVAL.total_seconds()]


def test_server_compares_what_an_earlier_process_left(
    monkeypatch: pytest.MonkeyPatch, scheduled: list[tuple[int, float]]
) -> None:
    programme = Programme()
    Conference.objects.update(revision=99)
    scheduled.clear()
    monkeypatch.setattr(following, "_start_timer", lambda seconds, call, *values: call(*values))

    config: Any = apps.get_app_config("events")
    config.start_serving()

    assert scheduled == [(programme.conference.pk, 0)]
