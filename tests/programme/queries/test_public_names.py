"""Which events make a name public: the same ones that attendees see."""

from __future__ import annotations

from itertools import product

import pytest

from events.models import Event
from events.programme.queries.public_names import public_events_by_row
from tests.factories import make_conference, make_event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_names_are_public_by_the_events_that_attendees_see() -> None:
    for published, outer, session, talk in product(("published", "draft"), *[("draft", "confirmed", "cancelled")] * 3):
        conference = make_conference(status=published)
        top = make_event(conference, status=outer)
        inside = make_event(conference, status=session, session=top)
        make_event(conference, kind="talk", status=talk, session=inside)

    assert set(public_events_by_row()) == set(Event.objects.public())
    # Of each published conference: 18 of the sessions, 12 of the events in them, and 8 of the talks in those.
    assert Event.objects.public().count() == 18 + 12 + 8
