"""Polls for pages: those of an event, with results for those who voted, and the open one for wall screens."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.core.clock import Clock
from events.polls.models import Poll, PollAnswer, PollState, PollVote, counted_answers
from events.polls.rules import percents
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.participation import is_past_retention

MAX_SHORT_ANSWER_CHARS = 40
"""Longer ones need two lines on a wall screen."""


@dataclass(frozen=True)
class PollLine:
    """One answer; ``count`` and ``percent`` are 0 where no result is shown."""

    number: int
    text: str
    count: int = 0
    percent: int = 0
    is_mine: bool = False


@dataclass(frozen=True)
class PollCard:
    """A poll as one visitor sees it: the result is shown after their vote and when it is closed."""

    pk: int
    guid: UUID
    question: str
    answers: list[PollLine]
    is_open: bool
    is_forgotten: bool
    shows_result: bool
    has_voted: bool
    url: str
    page_url: str

    @property
    def count(self) -> int:
        return sum(answer.count for answer in self.answers)

    @property
    def has_long_answers(self) -> bool:
        return any(len(answer.text) > MAX_SHORT_ANSWER_CHARS for answer in self.answers)

    @property
    def element_id(self) -> str:
        return f"poll-{self.guid}"


def poll_page_url(event: Event) -> str:
    return reverse("events:poll-list", args=[event.conference.slug, event.guid])


def has_open_poll() -> Exists:
    """For queries of events; of one that is not over, the poll takes votes."""
    return Exists(Poll.objects.filter(event=OuterRef("pk"), state=PollState.OPEN))


def polls_of(event: Event, clock: Clock) -> list[PollCard]:
    """All polls that attendees see at this event, the open one first, without the answer of anybody."""
    polls = _in_event(event, event.polls.opened().in_order())
    if not polls:
        return []
    clock.is_live()
    return poll_cards(polls, clock.now)


def _in_event(event: Event, polls: Iterable[Poll]) -> list[Poll]:
    found = sorted(polls, key=lambda poll: poll.state != PollState.OPEN)
    for poll in found:
        poll.event = event
    return found


def poll_cards(polls: Sequence[Poll], now: dt.datetime, mine: Mapping[int, int] | None = None) -> list[PollCard]:
    """``mine`` has the visitor's answers by id of their poll."""
    answers: dict[int, list[PollAnswer]] = {poll.pk: [] for poll in polls}
    for answer in counted_answers(list(answers)) if answers else ():
        answers[answer.poll_id].append(answer)
    # A pinned time in the future closes no poll, as that would show its result.
    now = min(now, timezone.now())
    return [_poll_card(poll, answers[poll.pk], now, (mine or {}).get(poll.pk)) for poll in polls]


def _poll_card(poll: Poll, answers: Sequence[PollAnswer], now: dt.datetime, mine: int | None) -> PollCard:
    event = poll.event
    is_open, is_forgotten = poll.takes_votes(now), is_past_retention(event, now)
    shows_result = not is_forgotten and (not is_open or mine is not None)
    counts = [getattr(answer, "count", 0) if shows_result else 0 for answer in answers]
    lines = [
        PollLine(answer.number, answer.text, count, percent, is_mine=answer.pk == mine)
        for answer, count, percent in zip(answers, counts, percents(counts), strict=True)
    ]
    return PollCard(
        pk=poll.pk,
        guid=poll.guid,
        question=poll.question,
        answers=lines,
        is_open=is_open,
        is_forgotten=is_forgotten,
        shows_result=shows_result,
        has_voted=mine is not None,
        url=reverse("events:poll-vote", args=[event.conference.slug, event.guid, poll.guid]),
        page_url=poll_page_url(event),
    )


def visible_poll(event: Event, guid: UUID) -> Poll | None:
    return next(iter(_in_event(event, event.polls.opened().filter(guid=guid))), None)


def poll_by_pk(conference: Conference, pk: int) -> Poll | None:
    poll = (
        Poll.objects.opened()
        .filter(event__in=Event.objects.public(), event__conference=conference, pk=pk)
        .select_related("event")
        .first()
    )
    if poll is not None:
        poll.event.conference = conference
    return poll


def poll_card(poll: Poll, agenda: Agenda | None, now: dt.datetime) -> PollCard:
    """The poll as this visitor sees it."""
    mine = PollVote.objects.filter(poll=poll, agenda=agenda).values_list("poll", "answer") if agenda else ()
    return poll_cards([poll], now, dict(mine))[0]


def open_result(event: Event, now: dt.datetime) -> PollCard | None:
    """The open poll of an event with its result, for a wall screen."""
    polls = _in_event(event, event.polls.filter(state=PollState.OPEN))
    # No answer has the id 0: the result is shown, and no answer is anybody's.
    cards = poll_cards(polls, now, {poll.pk: 0 for poll in polls})
    return next((card for card in cards if card.is_open), None)


def poll_results(event: Event) -> list[tuple[Poll, list[PollLine]]]:
    """All polls of an event, also drafts, with their results, for organisers and moderators."""
    polls = list(event.polls.order_by("pk"))
    answers: dict[int, list[PollAnswer]] = {poll.pk: [] for poll in polls}
    for answer in counted_answers(list(answers)) if answers else ():
        answers[answer.poll_id].append(answer)
    return [(poll, _result_lines(answers[poll.pk])) for poll in polls]


def _result_lines(answers: Sequence[PollAnswer]) -> list[PollLine]:
    counts = [int(getattr(answer, "count", 0)) for answer in answers]
    shares = percents(counts)
    return [
        PollLine(answer.number, answer.text, count, share) for answer, count, share in zip(answers, counts, shares, strict=True)
    ]
