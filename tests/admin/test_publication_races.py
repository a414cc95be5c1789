"""Two organisers publish at once, and one takes back what another edits."""

from __future__ import annotations

import pytest

from events.imports.sync.undo import UndoRefusedError, undo
from events.models import Change, ChangeGroup, Event
from events.programme.models.publication import publish_conference
from tests.admin.pages import act, open_form, save, url
from tests.admin.test_races import two_organisers
from tests.factories import make_conference, make_event
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_who_publish_at_once_announce_once() -> None:
    conference = make_conference(status="draft")
    for title in ("One", "Two"):
        make_event(conference, title=title)

    answers = at_once(lambda: publish_conference(conference), lambda: publish_conference(conference))

    assert sorted(answer is None for answer in answers) == [False, True]
    assert (ChangeGroup.objects.count(), Change.objects.count()) == (1, 2)


def test_undo_against_an_edit_loses_neither() -> None:
    event = make_event(make_conference(), title="Old", start="09:00", end="10:00")
    mover, editor = two_organisers()
    act(mover, "session", "move", [event], minutes="30", reason="", apply="1")
    group = ChangeGroup.objects.get()
    address = url("change", "session", event.pk)
    form = open_form(editor, address)

    def take_back() -> str:
        try:
            undo(group)
        except UndoRefusedError:
            return "refused"
        return "taken back"

    undone, saved = at_once(take_back, lambda: save(editor, address, form, title="By hand").status_code)

    event.refresh_from_db()
    moved_back = event.start == Event.objects.get().history.earliest().start if undone == "taken back" else False
    # Who comes second is refused: either the title was saved and the move stays, or the other way round.
    assert (undone, saved, event.title) in [("refused", 302, "By hand"), ("taken back", 200, "Old")]
    assert moved_back == (undone == "taken back")
