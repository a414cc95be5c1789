"""Rows made for tests are as the house itself would leave them."""

from __future__ import annotations

from typing import Any

import pytest

from events.models import Change, Conference, Event
from tests.factories import THURSDAY, make_conference, make_event, make_paper, make_person, make_room, make_type

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", ["confirmed", "tentative", "cancelled", "draft"])
@pytest.mark.parametrize("kind", ["talk", "social"])
def test_event_made_for_a_test_is_announced_as_any_other(status: str, kind: str) -> None:
    conference = make_conference()
    paper = make_paper(conference, make_person(conference))
    told: dict[str, Any] = {"room": make_room(conference), "paper": paper, "abstract": "On *trust*.", "recording_from": THURSDAY}
    plain = make_event(conference, kind=kind, status=status, start="09:00", end="10:00", **told)
    revision = Conference.objects.get().revision

    Event.objects.filter(pk=plain.pk).record_changes(quiet=True)

    stored = Event.objects.get()
    assert (stored.announced, stored.sequence, stored.revised_at) == (plain.announced, plain.sequence, plain.revised_at)
    assert bool(stored.announced) == (status != "draft")
    assert (Conference.objects.get().revision, Change.objects.count()) == (revision, 0)
    assert make_type(conference, kind) == stored.type


def test_talk_made_for_a_test_is_announced_with_its_session() -> None:
    conference = make_conference()
    session = make_event(conference, kind="session")
    alone = session.announced

    make_event(conference, kind="talk", session=session)

    session.refresh_from_db()
    assert session.announced["talks"] != alone.get("talks", "")
    assert Event.objects.all().record_changes(quiet=True) == []
