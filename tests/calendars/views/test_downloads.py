"""The agenda as a file: what an earlier one had in it and is gone has to be said, because importing never deletes."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Bookmark, BookmarkLevel
from tests.calendars.reading import read, values
from tests.calendars.world import World
from tests.factories import make_event

FILE = "/iclr-2025/agenda.ics"

pytestmark = pytest.mark.django_db


def take_away(world: World) -> bytes:
    response = world.visitor().post(FILE)
    assert response.status_code == 200
    return bytes(response.content)


def look(world: World) -> bytes:
    return bytes(world.visitor().get(FILE).content)


def shown(body: bytes) -> list[tuple[str, str]]:
    return [(entry.summary, entry.status) for entry in read(body)]


def stamp(body: bytes, name: str = "DTSTAMP") -> str:
    (value,) = values(body, name)
    return value


TITLE = "Erde & Mond / für alle"
TAKEN_BACK = (f"Not in my agenda any more: {TITLE}", "CANCELLED")


def test_button_and_address_give_the_same_file_and_only_the_button_remembers(world: World) -> None:
    before = look(world)
    assert list(Bookmark.objects.values_list("downloaded_at", flat=True)) == [None]

    file = world.visitor().post(FILE)

    assert (file.content, look(world)) == (before, before)
    assert file["Content-Disposition"].startswith("attachment;")
    assert [it is not None for it in Bookmark.objects.values_list("downloaded_at", flat=True)] == [True]


def test_etag_stays_when_only_the_file_was_taken_away(world: World) -> None:
    etag = world.visitor().get(FILE)["ETag"]

    take_away(world)

    assert world.visitor().get(FILE, headers={"if-none-match": etag}).status_code == 304


def test_reading_the_file_writes_nothing(world: World) -> None:
    with CaptureQueriesContext(connection) as asked:
        look(world)

    assert [it["sql"] for it in asked.captured_queries if not it["sql"].startswith("SELECT")] == []


def test_pick_that_was_taken_back_before_any_download_is_absent(world: World) -> None:
    look(world)

    world.agenda.bookmark(world.event, on=False)

    assert shown(look(world)) == []


def test_pick_that_was_downloaded_and_taken_back_is_cancelled_in_the_next_file(world: World) -> None:
    first = take_away(world)

    world.agenda.bookmark(world.event, on=False)

    second = take_away(world)
    assert shown(second) == [TAKEN_BACK]
    assert values(second, "UID") == values(first, "UID")
    assert values(second, "TRANSP") == [":TRANSPARENT"]
    assert stamp(second) == stamp(second, "LAST-MODIFIED") >= stamp(first)
    assert shown(Client().get(world.feed).content) == []


def test_each_file_is_newer_than_the_one_before_it(world: World, time_machine: Any) -> None:
    bodies = []
    for hour, on in enumerate([True, False, True, True]):
        time_machine.move_to(dt.datetime(2027, 4, 1, hour, tzinfo=dt.UTC), tick=False)
        world.agenda.bookmark(world.event, on=on)
        bodies.append(take_away(world))

    assert [shown(body)[0][1] for body in bodies] == ["CONFIRMED", "CANCELLED", "CONFIRMED", "CONFIRMED"]
    # Nothing has changed between the last two.
    assert list(map(stamp, bodies))[1:] == [":20270401T010000Z", ":20270401T020000Z", ":20270401T020000Z"]
    assert stamp(bodies[0]) < stamp(bodies[1])
    sequences = [int(values(body, "SEQUENCE")[0].removeprefix(":")) for body in bodies]
    assert sequences == sorted(sequences)


@pytest.mark.parametrize("hidden", ["event", "session"])
def test_hidden_event_is_not_even_said_to_be_gone(world: World, hidden: str) -> None:
    take_away(world)
    world.agenda.bookmark(world.event, on=False)

    if hidden == "event":
        world.event.status = "draft"
    else:
        world.event.session = make_event(world.conference, status="draft")
    world.event.revise()

    body = look(world)
    assert shown(body) == []
    assert "Erde" not in body.decode()


def test_pick_to_watch_later_is_not_in_the_file_and_said_to_be_gone_if_it_was(world: World) -> None:
    other = make_event(world.conference, title="Never downloaded", start="11:00", end="12:00")
    take_away(world)
    world.agenda.bookmark(other, on=True)

    world.agenda.bookmarks.update(level=BookmarkLevel.LATER)

    assert shown(look(world)) == [TAKEN_BACK]


@pytest.mark.parametrize("verb", ["present", "exchange", "bookmark"])
def test_what_one_comes_to_after_all_is_newer_than_the_file_that_took_it_back(world: World, time_machine: Any, verb: str) -> None:
    other = make_event(world.conference, title="Never downloaded", start="11:00", end="12:00")
    world.agenda.bookmark(other, on=True)
    take_away(world)
    world.agenda.bookmarks.filter(event=other).update(downloaded_at=None)
    time_machine.move_to(dt.datetime(2027, 4, 1, 1, tzinfo=dt.UTC), tick=False)
    world.agenda.bookmark(world.event, on=True, level=BookmarkLevel.LATER)
    gone = dict(zip(values(look(world), "STATUS"), values(look(world), "DTSTAMP"), strict=True))[":CANCELLED"]

    time_machine.move_to(dt.datetime(2027, 4, 1, 2, tzinfo=dt.UTC), tick=False)
    if verb == "exchange":
        world.agenda.exchange(world.event, of=other)
    else:
        world.agenda.bookmark(other, on=False)
        world.agenda.present(world.event, on=True) if verb == "present" else world.agenda.bookmark(
            world.event, on=True, level="maybe"
        )

    assert (gone, shown(look(world)), stamp(look(world))) == (":20270401T010000Z", [(TITLE, "CONFIRMED")], ":20270401T020000Z")


def test_talk_that_was_imported_keeps_its_entry_beside_its_session(world: World) -> None:
    session = make_event(world.conference, title="Oral", start="09:00", end="12:00", place="Hall 1")
    talk = make_event(world.conference, kind="talk", title="Talk", session=session, start="09:00", end="09:15", place="Hall 1")
    world.agenda.bookmark(world.event, on=False)
    world.agenda.bookmark(session, on=True)
    world.agenda.bookmark(talk, on=True)
    together = take_away(world)

    world.agenda.bookmark(session, on=False)
    alone = take_away(world)
    world.agenda.bookmark(session, on=True)
    again = look(world)

    assert [name for name, _ in shown(together)] == ["Oral"]
    assert sorted(shown(alone)) == [("Not in my agenda any more: Oral", "CANCELLED"), ("Talk", "CONFIRMED")]
    assert sorted(name for name, _ in shown(again)) == ["Oral", "Talk"]


def test_file_is_written_as_the_feed_and_leaves_nothing_out(world: World) -> None:
    coffee = make_event(world.conference, kind="break", title="Coffee", start="10:00", end="10:30")
    off = make_event(world.conference, title="Off", start="13:00", end="14:00", status="cancelled")
    for event in [coffee, off]:
        world.agenda.bookmark(event, on=True)
    world.agenda.set_feed_options(
        feed_must_only=True, feed_breaks=False, feed_cancelled="dropped", feed_alarm=True, feed_busy=False
    )

    body = look(world)

    assert shown(body) == [(TITLE, "CONFIRMED"), ("Coffee", "CONFIRMED"), ("Cancelled: Off", "CANCELLED")]
    assert (values(body, "TRANSP"), body.count(b"BEGIN:VALARM")) == ([":TRANSPARENT"] * 3, 2)


def test_button_without_an_agenda_gives_an_empty_file_and_begins_none(world: World) -> None:
    response = Client().post(FILE)

    assert (response.status_code, read(response.content)) == (200, [])
    assert VISITOR_COOKIE not in response.cookies


@pytest.mark.parametrize("picks", [1, 3])
@pytest.mark.parametrize(("method", "queries"), [("get", 8), ("post", 9)])
def test_file_costs_the_same_queries_for_one_pick_and_three(
    world: World, django_assert_num_queries: Any, method: str, queries: int, picks: int
) -> None:
    for number in range(1, picks):
        event = make_event(world.conference, start=f"1{number}:00", end=f"1{number}:30")
        world.agenda.bookmark(event, on=True)
    client = world.visitor()

    with django_assert_num_queries(queries):
        response = getattr(client, method)(FILE)

    assert len(read(response.content)) == picks
