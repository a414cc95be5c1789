"""Polls: one open at an event, one vote of each agenda, and their end."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.db import IntegrityError

from events.agenda.merging import merge_visitors
from events.agenda.queries.personal_data import personal_data
from events.models import Conference, Event, Poll, PollVote, UncountedAgendas
from events.polls.models import PollRefusedError
from events.polls.queries import poll_results
from tests.factories import at, make_agenda
from tests.polls.polling import DURING, make_panel, make_poll

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("during")]


def counts(poll: Poll) -> list[int]:
    return [line.count for _, lines in poll_results(poll.event) for line in lines]


def test_vote_is_a_state_and_one_of_each_agenda() -> None:
    poll = make_poll(make_panel())
    agenda = make_agenda(poll.event.conference)[0]

    changed = [poll.vote(agenda, number) for number in [1, 1, 3, 3, 1]]

    assert changed == [True, False, True, False, True]
    assert (poll.votes.count(), counts(poll)) == (1, [1, 0, 0])


def test_database_takes_no_second_vote() -> None:
    poll = make_poll(make_panel())
    agenda = make_agenda(poll.event.conference)[0]
    poll.vote(agenda, 1)

    with pytest.raises(IntegrityError):
        PollVote.objects.create(poll=poll, agenda=agenda, answer=poll.answers.get(number=2))


def test_database_takes_no_second_open_poll() -> None:
    poll = make_poll(make_panel())

    with pytest.raises(IntegrityError):
        Poll.objects.create(event=poll.event, question="Another?", state="open")


def test_second_poll_is_refused_while_one_is_open(panel: Event) -> None:
    first, second = make_poll(panel), make_poll(panel, question="And data?", state="draft")

    with pytest.raises(PollRefusedError, match=r"is open at this event\. Close it before you open another poll\."):
        second.open(seen="draft")
    first.close(seen="open")

    assert second.open(seen="draft")
    assert list(Poll.objects.values_list("state", flat=True)) == ["closed", "open"]


def test_state_is_set_only_from_the_state_that_was_seen(panel: Event) -> None:
    poll = make_poll(panel, state="draft")

    done = [poll.open(seen="draft"), poll.open(seen="draft"), poll.close(seen="draft"), poll.close(seen="open")]

    assert done == [True, False, False, True]
    assert poll.open(seen="closed")
    assert Poll.objects.get().closed_at is None


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_vote_is_refused_unless_the_poll_is_open(panel: Event, state: str) -> None:
    poll = make_poll(panel, state=state)

    with pytest.raises(PollRefusedError, match="closed"):
        poll.vote(make_agenda(panel.conference)[0], 1)

    assert PollVote.objects.count() == 0


def test_poll_ends_with_its_event(panel: Event) -> None:
    poll, late = make_poll(panel), at("11:00")
    agenda = make_agenda(panel.conference)[0]

    with time_machine.travel(late - dt.timedelta(seconds=1), tick=False):
        assert poll.vote(agenda, 1)
    with time_machine.travel(late, tick=False):
        with pytest.raises(PollRefusedError, match="closed"):
            poll.vote(agenda, 2)
        poll.close(seen="open")
        with pytest.raises(PollRefusedError, match="over or cancelled"):
            poll.open(seen="closed")


def test_answers_of_an_opened_poll_stay(panel: Event) -> None:
    poll = make_poll(panel)

    with pytest.raises(PollRefusedError, match="opened meanwhile"):
        poll.set_answers(["Maybe", "Never"])

    assert [answer.text for answer in poll.answers.all()] == ["Yes", "No", "It depends"]


def test_vote_leaves_calendars_and_the_conference_as_they_were(panel: Event) -> None:
    poll, agenda = make_poll(panel), make_agenda(panel.conference)[0]
    agenda.fetches.create(client="x", at=DURING, agenda_revision=0, conference_revision=0)
    before = Conference.objects.get().revision

    poll.vote(agenda, 1)

    agenda.refresh_from_db()
    assert [it.agenda_revision for it in agenda.fetches.all()] == [agenda.revision]
    assert Conference.objects.get().revision == before


def test_votes_of_a_script_and_over_the_limit_are_left_out(panel: Event) -> None:
    poll = make_poll(panel, votes=(2, 0, 1))
    poll.vote(make_agenda(panel.conference)[0], 2, is_newcomer=True, counts=False)
    known = make_agenda(panel.conference, panel)[0]
    type(known).objects.filter(pk=known.pk).update(created_at=DURING - dt.timedelta(hours=1))
    poll.vote(known, 3, is_newcomer=True, counts=False)

    assert counts(poll) == [2, 0, 2]

    span = {"begun_from": DURING, "begun_until": DURING + dt.timedelta(minutes=1)}
    UncountedAgendas.objects.create(conference=panel.conference, reason="A script", **span)

    assert counts(poll) == [0, 0, 1]


def test_merged_agendas_have_one_vote(panel: Event) -> None:
    old, new = make_agenda(panel.conference)[0], make_agenda(panel.conference)[0]
    both = make_poll(panel)
    both.vote(new, 1)
    both.vote(old, 2)
    both.close(seen="open")
    make_poll(panel, question="And data?").vote(old, 3)

    merge_visitors(old.visitor, new.visitor)

    assert list(PollVote.objects.order_by("poll").values_list("answer__number", "agenda")) == [(1, new.pk), (3, new.pk)]


def test_vote_is_in_the_personal_data_and_goes_with_the_agenda(panel: Event) -> None:
    poll, agenda = make_poll(panel), make_agenda(panel.conference)[0]
    poll.vote(agenda, 2)

    (row,) = personal_data(agenda.visitor)["agendas"][0]["poll_votes"]
    agenda.delete()

    assert (row["poll_question"], row["answer_text"], row["poll_guid"]) == (poll.question, "No", poll.guid)
    assert PollVote.objects.count() == 0
