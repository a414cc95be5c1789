"""Many votes at once, each in a separate thread and connection."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import time_machine
from django.test import Client

from events.core.db import writing
from events.models import Agenda, Poll, PollVote
from events.polls.models import PollRefusedError
from events.polls.queries import poll_results
from tests.factories import make_agenda
from tests.polls.polling import DURING, make_panel, make_poll, vote_url
from tests.threads import at_once
from tests.visitors import browser

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 64


@pytest.fixture(autouse=True)
def _during() -> Iterator[None]:
    with time_machine.travel(DURING):
        yield


def test_votes_of_many_at_once_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    # Here it is about the counts, not about how soon a busy machine gives up.
    monkeypatch.setattr(writing, "QUEUE_TIMEOUT_SECONDS", 60)
    poll = make_poll(make_panel())
    url = vote_url(poll)

    codes = at_once(*[lambda n=n: Client().post(url, {"answer": n % 3 + 1}).status_code for n in range(AT_ONCE)])  # type: ignore[misc]

    assert codes == [302] * AT_ONCE
    assert [line.count for _, lines in poll_results(poll.event) for line in lines] == [22, 21, 21]


def test_votes_of_one_agenda_at_once_are_one() -> None:
    poll = make_poll(make_panel())
    url, (agenda, token) = vote_url(poll), make_agenda(poll.event.conference)
    before = agenda.revision

    codes = at_once(*[lambda n=n: browser(token=token).post(url, {"answer": n % 3 + 1}).status_code for n in range(16)])  # type: ignore[misc]

    assert codes == [302] * 16
    assert PollVote.objects.count() == 1
    assert Agenda.objects.get(pk=agenda.pk).revision > before


def test_of_polls_opened_at_once_one_is() -> None:
    panel = make_panel()
    polls = [make_poll(panel, question=f"{number}?", state="draft") for number in range(8)]

    def opened(poll: Poll) -> bool:
        try:
            return poll.open(seen="draft")
        except PollRefusedError:
            return False

    done = at_once(*[lambda poll=poll: opened(poll) for poll in polls])  # type: ignore[misc]

    assert sum(done) == Poll.objects.filter(state="open").count() == 1


def test_vote_counts_before_the_poll_is_closed_or_is_refused() -> None:
    poll = make_poll(make_panel())
    agendas = [make_agenda(poll.event.conference)[0] for _ in range(8)]

    def voted(agenda: Agenda) -> bool:
        try:
            return poll.vote(agenda, 1)
        except PollRefusedError:
            return False

    acts = [lambda agenda=agenda: voted(agenda) for agenda in agendas]  # type: ignore[misc]
    done = at_once(*acts[:4], lambda: poll.close(seen="open"), *acts[4:])

    assert done[4]
    assert PollVote.objects.count() == sum(done) - 1
