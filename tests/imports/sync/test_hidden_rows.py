"""Large imports on SQLite: rows written in slices that nobody sees, and what a failed or killed import leaves."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.models import Count
from django.test import Client

from events.imports.sync import hidden_rows
from events.imports.sync.engine import sync
from events.imports.sync.report import ImportHooks
from events.models import Conference, Event, Paper, Person, Room
from events.programme.data.schedule import AppearanceData, PaperData, PersonData, ScheduleData
from events.programme.queries.public_names import only_public
from tests.factories import THURSDAY, make_conference, make_room
from tests.imports.sync.killed_programmes import NEW, OLD, killed_import
from tests.imports.sync.programmes import event, everything, programme

COMMITTED = pytest.mark.django_db(transaction=True)
SLUG = "demo"


@pytest.fixture
def _sliced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_rows, "MIN_SLICED_ROWS", 10)
    monkeypatch.setattr("events.core.db.writing.SLICE_SECONDS", 0)
    monkeypatch.setattr("events.core.db.writing.PAUSE_SECONDS", 0)


def large(count: int = 30) -> ScheduleData:
    """A session with talks, each with a paper and a speaker of its own."""
    people = tuple(PersonData(key=f"person-{number}", name=f"Person {number}") for number in range(count))
    papers = tuple(
        PaperData(key=f"paper-{number}", title=f"Paper {number}", authors=(f"person-{number}",)) for number in range(count)
    )
    talks = [
        event(
            f"talk-{number}",
            session="keynote",
            room="hall-1",
            paper=f"paper-{number}",
            people=(AppearanceData(person=f"person-{number}", role="speaker"),),
        )
        for number in range(count)
    ]
    return programme(event(), *talks, people=people, papers=papers)


def seen(client: Client) -> list[str | int]:
    """What pages show of the programme: statuses, and which of the titles and names are there."""
    pages = [f"/{SLUG}/", f"/{SLUG}/schedule/2025-04-24/", f"/{SLUG}/papers/", f"/{SLUG}/people/", f"/{SLUG}/schedule.json"]
    shown: list[str | int] = []
    for page in pages:
        response = client.get(page)
        text = response.content.decode(errors="replace") if response.status_code == 200 else ""
        shown += [response.status_code, text.count("Talk-"), text.count("Paper "), text.count("Person ")]
    rows = [
        Event.objects.public(),
        Paper.objects.public(),
        Person.objects.public(),
        only_public(Room.objects.filter(conference__slug=SLUG)),
    ]
    return [*shown, *(query.count() for query in rows)]


def watched(client: Client, found: list[list[str | int]]) -> Callable[[str, int, int], None]:
    return lambda what, done, total: found.append(seen(client)) if what == "writing" and done < total else None


@COMMITTED
@pytest.mark.usefixtures("_sliced")
@pytest.mark.parametrize("is_new", [pytest.param(True, id="new-conference"), pytest.param(False, id="known-conference")])
def test_pages_show_nothing_of_an_import_until_all_is_there(client: Client, *, is_new: bool) -> None:
    if not is_new:
        # A room by hand stays on its page, although hidden events are in it meanwhile.
        make_room(make_conference(slug=SLUG, start=THURSDAY, end=THURSDAY), "By hand")
    if connection.vendor != "sqlite":
        pytest.skip("the pages would be read in the transaction of the import")
    before, during = seen(client), list[list[str | int]]()

    sync(large(), source="file", hooks=ImportHooks(progress=watched(client, during), publish=True))

    assert during
    assert during == [before] * len(during)
    assert seen(client) != before
    assert Event.objects.public().filter(conference__slug=SLUG).count() == 31


class Reader(threading.Thread):
    """Counts public rows on a connection of its own, again and again."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.may_end, self.counts = threading.Event(), set[tuple[int, ...]]()

    def run(self) -> None:
        try:
            while not self.may_end.is_set():
                # One statement, so that it reads one state.
                rows = Conference.objects.filter(slug=SLUG).aggregate(
                    events=Count("events", distinct=True), papers=Count("papers", distinct=True)
                )
                self.counts.add((rows["events"], rows["papers"]))
        finally:
            connection.close()


@COMMITTED
@pytest.mark.usefixtures("_sliced")
def test_other_threads_see_the_old_or_the_new_programme() -> None:
    make_conference(slug=SLUG, start=THURSDAY, end=THURSDAY)
    reader = Reader()
    reader.start()

    sync(large(), source="file")
    reader.may_end.set()
    reader.join(60)

    assert reader.counts <= {(0, 0), (31, 30)}
    assert (0, 0) in reader.counts


@COMMITTED
@pytest.mark.parametrize("is_new", [pytest.param(True, id="new-conference"), pytest.param(False, id="known-conference")])
def test_slices_store_what_one_transaction_stores(monkeypatch: pytest.MonkeyPatch, *, is_new: bool) -> None:
    data = large()
    other = dataclasses.replace(data, conference=dataclasses.replace(data.conference, slug="other"))
    if not is_new:
        for slug in (SLUG, "other"):
            sync(dataclasses.replace(programme(), conference=dataclasses.replace(data.conference, slug=slug)), source="file")
    sync(other, source="file")
    monkeypatch.setattr(hidden_rows, "MIN_SLICED_ROWS", 10)
    monkeypatch.setattr("events.core.db.writing.SLICE_SECONDS", 0)

    sync(data, source="file")

    assert stored(SLUG) == stored("other")
    assert list(Conference.objects.order_by("slug").values_list("slug", flat=True)) == [SLUG, "other"]


def stored(slug: str) -> dict[str, Any]:
    events = Event.objects.filter(conference__slug=slug).order_by("source_key")
    columns = ("source", "source_key", "title", "status", "sequence", "imported", "announced__people", "announced__text")
    history = Event.history.filter(conference__slug=slug).order_by("source_key")
    return {
        "events": list(events.values(*columns, "announced__title", "session__source_key", "paper__title", "room__name")),
        "people": list(Person.objects.filter(conference__slug=slug).order_by("source_key").values("name", "sort_key")),
        "history of events": list(history.values("title", "history_type")),
        "history of people": Person.history.filter(conference__slug=slug).count(),
        "history of the conference": [it.history_type for it in Conference.history.filter(slug=slug)],
    }


@COMMITTED
@pytest.mark.usefixtures("_sliced")
def test_failed_import_leaves_nothing() -> None:
    sync(OLD, source="file")
    before = everything()

    def fail(*args: Any) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        sync(NEW, source="file", hooks=ImportHooks(on_written=fail))

    assert everything() == before


@pytest.mark.slow
@COMMITTED
@pytest.mark.parametrize(
    ("step", "times"),
    [
        pytest.param("writing", 0, id="after-the-first-slice"),
        pytest.param("writing", 1, id="between-slices"),
        pytest.param("written", 0, id="before-the-last-commit"),
    ],
)
def test_next_import_removes_what_a_killed_one_left(client: Client, step: str, times: int) -> None:
    sync(OLD, source="file")
    before = seen(client)
    status = killed_import(step, times, smallest=10)
    shown, conferences = seen(client), Conference.objects.count()
    report = sync(NEW, source="file")

    assert status == -9
    assert shown == before
    assert conferences == (2 if connection.vendor == "sqlite" else 1)
    assert str(report) == "created 40, changed 18, cancelled 2, unchanged 0, skipped 0"
    assert [it.slug for it in Conference.objects.all()] == [SLUG]
    assert Event.objects.count() == Event.objects.filter(conference__slug=SLUG).count() == 60
    assert not Event.history.exclude(conference__slug=SLUG).exists()
