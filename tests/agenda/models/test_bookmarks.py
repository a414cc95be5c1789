"""Standing at a pick oneself, and ticking picks off."""

from __future__ import annotations

import pytest

from events.models import Agenda, Bookmark, BookmarkLevel
from tests.factories import make_agenda, make_conference, make_event

pytestmark = pytest.mark.django_db


def state(agenda: Agenda) -> tuple[bool, str, bool, int]:
    bookmark = agenda.bookmarks.get()
    return bookmark.removed_at is None, bookmark.level, bookmark.presents, Agenda.objects.get(pk=agenda.pk).revision


def test_presenting_picks_it_as_a_must() -> None:
    conference = make_conference()
    event = make_event(conference, kind="poster")
    agenda, _ = make_agenda(conference)

    assert [agenda.present(event, on=True), agenda.present(event, on=True)] == [True, False]

    assert state(agenda) == (True, "must", True, 1)


def test_presenting_what_was_only_a_maybe_makes_it_a_must() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    Bookmark.objects.update(level=BookmarkLevel.MAYBE)

    assert agenda.present(event, on=True)

    assert state(agenda) == (True, "must", True, 2)


def test_presenting_what_was_taken_back_picks_it_again() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference, event)
    agenda.bookmark(event, on=False)

    assert agenda.present(event, on=True)

    assert state(agenda) == (True, "must", True, 3)


def test_presenting_no_more_keeps_the_pick() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, _ = make_agenda(conference)
    agenda.present(event, on=True)

    assert [agenda.present(event, on=False), agenda.present(event, on=False)] == [True, False]

    assert state(agenda) == (True, "must", False, 2)


def test_not_presenting_what_was_never_picked_picks_nothing() -> None:
    conference = make_conference()
    agenda, _ = make_agenda(conference)

    assert not agenda.present(make_event(conference), on=False)

    assert agenda.bookmarks.count() == 0


def test_visit_ticked_twice_keeps_the_first_time() -> None:
    conference = make_conference()
    event = make_event(conference, kind="poster")
    agenda, _ = make_agenda(conference, event)

    assert agenda.visit(event, on=True)
    first = agenda.bookmarks.get().visited_at
    assert not agenda.visit(event, on=True)

    assert first is not None
    assert agenda.bookmarks.get().visited_at == first
    assert [agenda.visit(event, on=False), agenda.visit(event, on=False)] == [True, False]
    assert agenda.bookmarks.get().visited_at is None


def test_what_is_not_picked_cannot_be_ticked_off() -> None:
    conference = make_conference()
    event = make_event(conference, kind="poster")
    agenda, _ = make_agenda(conference, event)
    agenda.bookmark(event, on=False)

    assert not agenda.visit(event, on=True)

    assert agenda.bookmarks.get().visited_at is None
