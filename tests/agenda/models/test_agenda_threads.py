"""Many requests of one visitor at once, each in a thread and a connection of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from events.agenda.visitor import VISITOR_COOKIE
from events.models import Agenda, Bookmark, Conference, Event, Visitor
from tests.factories import make_agenda, make_conference, make_event
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 16


def post_all(event: Event, token: str, states: Sequence[str]) -> list[int]:
    """Send every state at the same moment; the status codes that came back."""
    url = reverse("events:bookmark-set", args=[event.conference.slug, event.guid])

    def post(state: str) -> int:
        client = Client()
        client.cookies[VISITOR_COOKIE] = token
        return client.post(url, {"on": state}).status_code

    return at_once(*[partial(post, state) for state in states])


def picked() -> list[bool]:
    return [bookmark.removed_at is None for bookmark in Bookmark.objects.all()]


def test_first_bookmark_sent_many_times_at_once_is_one_agenda_and_one_pick() -> None:
    event = make_event(make_conference())

    codes = post_all(event, Visitor.objects.create().new_token(), ["1"] * AT_ONCE)

    assert codes == [302] * AT_ONCE
    assert [agenda.revision for agenda in Agenda.objects.all()] == [1]
    assert picked() == [True]


def test_mixed_states_at_once_end_in_the_last_one_written() -> None:
    conference = make_conference()
    event = make_event(conference)
    agenda, token = make_agenda(conference, event)

    codes = post_all(event, token, ["0", "1"] * (AT_ONCE // 2))

    assert codes == [302] * AT_ONCE
    # Each change flips the state and counts once: none was lost, none was written twice.
    revision = Agenda.objects.get(pk=agenda.pk).revision
    assert picked() == [revision % 2 == 1]


@pytest.mark.parametrize("last", ["0", "1"])
def test_last_acknowledged_state_stands(last: str) -> None:
    conference = make_conference()
    event = make_event(conference)
    _, token = make_agenda(conference, event)
    post_all(event, token, ["0", "1"] * (AT_ONCE // 2))

    codes = post_all(event, token, [last])

    assert codes == [302]
    assert picked() == [last == "1"]


def test_revise_in_two_threads_counts_both() -> None:
    event = make_event(make_conference(), title="Old")
    before = Conference.objects.get().revision
    titled, described = Event.objects.get(pk=event.pk), Event.objects.get(pk=event.pk)
    titled.title, described.abstract = "New", "Corrected"

    at_once(titled.revise, described.revise)

    after = Event.objects.select_related("conference").get(pk=event.pk)
    assert after.announced["title"] == after.title
    assert after.sequence in {1, 2}
    assert after.conference.revision == before + 2
