"""The index is updated by any change of the programme."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from events.imports.sync.engine import sync
from events.imports.sync.report import PUBLISHING
from events.models import Conference, Event, SearchEntry, SearchIndex, SearchWord, Topic
from events.programme.data.schedule import ConferenceData, DayData, EventData, EventTypeData, ScheduleData
from events.search import indexing
from events.search.texts import texts_of
from tests.factories import THURSDAY, make_appearance, make_conference, make_event, make_paper, make_person, make_room
from tests.search.searching import reindex
from tests.security.world import World

pytestmark = pytest.mark.django_db(transaction=True)


def entries(conference: Conference) -> dict[tuple[str, int], tuple[str, str, str, str]]:
    rows = SearchEntry.objects.filter(conference=conference)
    return {(it.thing, it.target): (it.facets, it.title, it.people, it.rest) for it in rows}


def due(conference: Conference) -> dict[tuple[str, int], tuple[str, str, str, str]]:
    """What the entries would be if they were all made now."""
    texts = [(it, it.fields()) for it in texts_of(conference.pk)]
    return {(it.thing, it.target): (it.facets, made["title"], made["people"], made["rest"]) for it, made in texts}  # type: ignore[misc]


def titles(conference: Conference) -> set[str]:
    return set(SearchEntry.objects.filter(conference=conference).values_list("title", flat=True))


class Rows:
    def __init__(self) -> None:
        self.conference = make_conference()
        self.topic = Topic.objects.create(conference=self.conference, area="Theory", slug="theory")
        self.room = make_room(self.conference, "Garnet")
        self.person = make_person(self.conference, "Ada Lovelace")
        self.author = make_person(self.conference, "Song Han")
        self.paper = make_paper(self.conference, self.author, title="Gradients", topic=self.topic)
        self.event = make_event(self.conference, title="Opening", room=self.room)
        self.draft = make_event(self.conference, title="Surprise", status="draft")
        make_appearance(self.event, self.person)
        Event.objects.filter(pk=self.event.pk).record_changes()


def revised(row: Any, **values: Any) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.revise()


CHANGES: dict[str, tuple[Callable[[Rows], Any], set[str], set[str]]] = {
    "event renamed": (lambda it: revised(it.event, title="Welcome"), {"welcome"}, {"opening"}),
    "draft published": (lambda it: revised(it.draft, status="confirmed"), {"surprise"}, set()),
    "event hidden, and with it its speaker and room": (
        lambda it: revised(it.event, status="draft"),
        set(),
        {"opening", "ada lovelace", "garnet"},
    ),
    "event cancelled": (lambda it: revised(it.event, status="cancelled"), set(), set()),
    "person renamed": (lambda it: revised(it.person, name="Ada King"), {"ada king"}, {"ada lovelace"}),
    "room renamed": (lambda it: revised(it.room, name="Opal"), {"opal"}, {"garnet"}),
    "paper hidden, and with it its author": (lambda it: revised(it.paper, is_public=False), set(), {"gradients", "song han"}),
    "topic renamed": (lambda it: revised(it.topic, area="Practice"), set(), set()),
    "conference withdrawn": (
        lambda it: revised(it.conference, status="draft"),
        set(),
        {"opening", "ada lovelace", "garnet", "gradients", "song han"},
    ),
    "many changed at once": (
        lambda it: (
            Event.objects.filter(pk=it.event.pk).update(title="Welcome"),
            Event.objects.filter(pk=it.event.pk).record_changes(),
        ),
        {"welcome"},
        {"opening"},
    ),
    "speaker taken out": (
        lambda it: (it.event.appearances.all().delete(), Event.objects.filter(pk=it.event.pk).record_changes()),
        set(),
        {"ada lovelace"},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_change_is_in_the_index_when_others_see_it(change: str) -> None:
    rows = Rows()
    before = titles(rows.conference)
    act, added, removed = CHANGES[change]

    with transaction.atomic():
        act(rows)

    assert before == {"opening", "ada lovelace", "garnet", "gradients", "song han"}
    assert titles(rows.conference) == before - removed | added
    assert entries(rows.conference) == due(rows.conference)


def spelled(conference: Conference) -> set[str]:
    return set(SearchWord.objects.filter(conference=conference).values_list("word", flat=True))


@pytest.mark.parametrize("change", CHANGES)
def test_words_for_spelling_are_those_of_the_titles_and_names_in_the_index(change: str) -> None:
    rows = Rows()
    make_event(rows.conference, title="Second opening by Ada")
    Event.objects.filter(conference=rows.conference).record_changes()
    act, _, _ = CHANGES[change]

    with transaction.atomic():
        act(rows)

    written = SearchEntry.objects.filter(conference=rows.conference).values_list("title", "people")
    words = {word for texts in written for word in " ".join(texts).split() if len(word) > 2}
    assert spelled(rows.conference) == words
    assert not spelled(rows.conference) & {"surprise"} or "surprise" in titles(rows.conference)


def test_word_has_a_row_for_each_of_its_cuts() -> None:
    rows = Rows()

    assert set(SearchWord.objects.filter(conference=rows.conference, word="song").values_list("cut", flat=True)) == {
        *("song", "ong", "sng", "sog", "son"),
    }


def test_change_that_is_taken_back_is_not_in_the_index() -> None:
    rows = Rows()
    before = entries(rows.conference)

    with transaction.atomic():
        revised(rows.event, title="Welcome")
        transaction.set_rollback(True)

    assert entries(rows.conference) == before


def test_conference_that_is_published_is_found_from_then_on() -> None:
    conference = make_conference(status="draft")
    make_event(conference, title="Opening")
    conference.bump_revision()
    hidden = titles(conference)

    revised(conference, status="published")

    assert (hidden, titles(conference)) == (set(), {"opening"})


def test_import_is_found_and_an_import_that_only_looks_is_not() -> None:
    data = ScheduleData(
        conference=ConferenceData(slug="demo", name="Demo", timezone="Asia/Singapore", start=THURSDAY, end=THURSDAY),
        days=[DayData(key="thursday", date=THURSDAY)],
        types=[EventTypeData(key="talk", name="Talk", kind="talk")],
        events=[EventData(key="1", type="talk", title="Opening", day="thursday")],
    )

    sync(data, source="file", dry_run=True)
    looked = SearchEntry.objects.count()
    sync(data, source="file", hooks=PUBLISHING)

    assert (looked, titles(Conference.objects.get(slug="demo"))) == (0, {"opening"})


def test_deletion_and_renaming_in_the_admin_update_the_index() -> None:
    world = World()
    client = world.client("organiser")
    paper = make_paper(world.conference, title="Withdrawn")
    world.conference.bump_revision()
    before = titles(world.conference)

    client.post(reverse("admin:events_paper_delete", args=[paper.pk]), {"post": "yes"})

    assert "withdrawn" in before
    assert titles(world.conference) == before - {"withdrawn"}
    assert entries(world.conference) == due(world.conference)


def test_current_index_costs_one_query_and_writes_no_entry(django_assert_num_queries: Any) -> None:
    rows = Rows()
    before = set(SearchEntry.objects.values_list("pk", flat=True))

    with django_assert_num_queries(1):
        indexing.reindex(rows.conference.pk)
    rows.conference.bump_revision()

    assert set(SearchEntry.objects.values_list("pk", flat=True)) == before
    assert SearchIndex.objects.get().revision == Conference.objects.get().revision


def test_only_what_differs_is_written() -> None:
    rows = Rows()
    before = {entry["pk"]: entry for entry in SearchEntry.objects.values("pk", "title", "people", "rest")}

    revised(rows.event, title="Welcome")

    after = {entry["pk"]: entry for entry in SearchEntry.objects.values("pk", "title", "people", "rest")}
    assert after.keys() == before.keys()
    assert [entry["title"] for key, entry in after.items() if entry != before[key]] == ["welcome"]


def test_programme_that_moves_while_it_is_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows()
    reads = []

    def texts(conference_id: int, keys: Any = None) -> Any:
        reads.append(keys)
        found = list(texts_of(conference_id, keys))
        if len(reads) == 1:
            Event.objects.filter(pk=rows.event.pk).update(title="Welcome")
            Conference.objects.filter(pk=conference_id).update(revision=999)
        return found

    monkeypatch.setattr(indexing, "texts_of", texts)
    rows.conference.bump_revision()

    assert reads[:2] == [None, None]
    assert "welcome" in titles(rows.conference)
    assert SearchIndex.objects.get().revision == 999


def test_error_in_the_index_undoes_no_change_and_the_next_change_repairs_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rows = Rows()

    def fault(conference_id: int, keys: Any = None) -> Any:
        raise RuntimeError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr(indexing, "texts_of", fault)
        revised(rows.event, title="Welcome")

    rows.event.refresh_from_db()
    assert (rows.event.title, "opening" in titles(rows.conference)) == ("Welcome", True)
    assert "out of order" in caplog.text
    rows.room.floor = "2"
    rows.room.revise()
    assert entries(rows.conference) == due(rows.conference)


def test_simultaneous_changes_leave_the_index_correct() -> None:
    conference = make_conference()
    events = [make_event(conference, title=f"Event {number}") for number in range(8)]

    def rename(event: Event) -> None:
        try:
            revised(event, title=f"{event.title} renamed")
        finally:
            connection.close()

    # With this thread's own no more connections than PostgreSQL's pool has: one more would wait, on a busy machine too long.
    with ThreadPoolExecutor(7) as pool:
        list(pool.map(rename, events))

    assert len(titles(conference)) == 8
    assert {title.rpartition(" ")[2] for title in titles(conference)} == {"renamed"}
    assert entries(conference) == due(conference)


def test_deleting_a_conference_deletes_its_entries() -> None:
    rows = Rows()
    other = Rows()

    Conference.objects.filter(pk=rows.conference.pk).delete()

    assert (entries(rows.conference), spelled(rows.conference)) == ({}, set())
    assert entries(other.conference) == due(other.conference)
    assert Client().get(f"/{other.conference.slug}/search/?q=opening").context["search_page"].count == 1


def test_every_row_has_its_entry_after_a_reindex() -> None:
    rows = Rows()
    SearchEntry.objects.all().delete()

    reindex(rows.conference)

    assert entries(rows.conference) == due(rows.conference)
    assert {it.thing for it in texts_of(rows.conference.pk)} == {"event", "paper", "person", "room"}


def test_pending_list_of_the_index_is_empty() -> None:
    rows = Rows()
    revised(rows.event, title="Renamed")

    assert waiting() == 0


def waiting() -> int:
    """How much PostgreSQL has put aside; SQLite puts nothing aside, and says so itself by finding its index whole."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT gin_clean_pending_list('search_entry_words')")
            return int(cursor.fetchone()[0])
        cursor.execute("INSERT INTO events_searchentry_words (events_searchentry_words, rank) VALUES ('integrity-check', 1)")
        return 0
