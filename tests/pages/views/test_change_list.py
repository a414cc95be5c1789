"""The page of changes: one entry for what was changed at once."""

from __future__ import annotations

from typing import Any

import pytest
from defusedxml import ElementTree
from django.test import Client

from events.models import ChangeGroup, Conference, Event
from events.programme.models.publication import publish_conference
from tests.factories import at, make_conference, make_event
from tests.pages.views.test_atom import ATOM

pytestmark = pytest.mark.django_db


def make_moved(count: int) -> ChangeGroup:
    conference = make_conference(slug="demo", name="Demo")
    events = [make_event(conference, title=f"Talk {n}", start="09:00", end="10:00") for n in range(count)]
    for event in events:
        Event.objects.filter(pk=event.pk).update(start=at("09:30"), end=at("10:30"))
    group = ChangeGroup.objects.create(conference=conference, kind="action", title="Moved", note="The hall is late.")
    conference.events.record_changes(reason="The hall is late.", group=group)
    return group


def text_of(url: str) -> str:
    return " ".join(Client().get(url).text.partition("<main")[2].partition("</main")[0].split())


def test_action_is_one_entry_that_unfolds() -> None:
    make_moved(3)

    text = text_of("/demo/changes/")

    assert text.count("<summary>") == 1
    assert "3 changes" in text
    assert text.count("<b>Moved</b>") == 3
    assert text.count("<del>Thu 24 Apr, 09:00–10:00</del>") == 3
    assert text.count("The hall is late.") == 1


def test_action_on_one_event_reads_like_an_edit() -> None:
    make_moved(1)

    text = text_of("/demo/changes/")

    assert "<summary>" not in text
    assert text.count("<b>Moved</b>") == 1


@pytest.mark.parametrize(("note", "summaries"), [("", 0), ("1 event is no longer in the programme.", 1)])
def test_undo_on_one_event_reads_like_an_edit(note: str, summaries: int) -> None:
    conference = make_conference(slug="demo", name="Demo")
    event = make_event(conference, title="Talk", start="09:00", end="10:00", status="cancelled")
    Event.objects.filter(pk=event.pk).update(status="confirmed")
    group = ChangeGroup.objects.create(
        conference=conference, kind="undo", title="Taken back: Cancelled", note=note, is_public=True
    )
    conference.events.record_changes(group=group)

    text = text_of("/demo/changes/")

    assert text.count("<summary>") == summaries
    assert ("Taken back" in text) == bool(summaries)
    assert "Takes place after all" in text or "takes place after all" in text
    assert note in text


def test_publication_is_one_entry_with_its_note() -> None:
    conference = make_conference(slug="demo", name="Demo", status="draft")
    for n in range(3):
        make_event(conference, title=f"Talk {n}", start="09:00", end="10:00")
    publish_conference(conference, note="Come *all*.")

    text = text_of("/demo/changes/")

    assert "Demo is published" in text
    assert "Come <em>all</em>." in text
    assert text.count("<b>New</b>: Thu 24 Apr, 09:00–10:00") == 3


@pytest.mark.parametrize(
    ("kind", "titles"),
    [("new", ["Fresh"]), ("moved", ["Moved one"]), ("cancelled", ["Off"]), ("nonsense", ["Fresh", "Moved one", "Off"])],
)
def test_filter_shows_one_kind(kind: str, titles: list[str]) -> None:
    conference = make_conference(slug="demo")
    fresh, moved, off = (
        make_event(conference, title=title, start="09:00", end="10:00", status=status)
        for title, status in [("Fresh", "draft"), ("Moved one", "confirmed"), ("Off", "confirmed")]
    )
    fresh.status, moved.start, off.status = "confirmed", at("09:30"), "cancelled"
    for event in (fresh, moved, off):
        event.revise()

    text = text_of(f"/demo/changes/?kind={kind}")

    assert [title for title in ("Fresh", "Moved one", "Off") if f">{title}</a>" in text] == titles


def test_filter_of_nothing_says_so() -> None:
    make_moved(1)

    assert "No changes of this kind" in text_of("/demo/changes/?kind=cancelled")


def test_group_of_hidden_events_is_no_entry() -> None:
    conference = make_conference(slug="demo")
    make_event(conference, title="Canary", status="draft")
    group = ChangeGroup.objects.create(conference=conference, kind="action", title="Moved", note="Canary note")

    conference.events.record_changes(group=group)

    assert "Canary" not in text_of("/demo/changes/")
    assert "Canary" not in Client().get("/demo/changes.atom").text


def test_feed_has_one_entry_for_what_was_changed_at_once() -> None:
    make_moved(3)

    root = ElementTree.fromstring(Client().get("/demo/changes.atom").content)

    found = [(it.findtext(f"{ATOM}title"), it.findtext(f"{ATOM}summary")) for it in root.findall(f"{ATOM}entry")]
    assert [title for title, _ in found] == ["Moved"]
    assert str(found[0][1]).count("Talk ") == 3


@pytest.mark.parametrize("count", [2, 4])
def test_queries_do_not_grow_with_the_rows(count: int, django_assert_num_queries: Any) -> None:
    make_moved(count)
    Client().get("/demo/")

    with django_assert_num_queries(QUERIES):
        Client().get("/demo/changes/")
    assert Conference.objects.count() == 1


QUERIES = 9
