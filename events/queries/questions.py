"""What was asked of an event: for everybody, and for one asker."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Page
from django.http import QueryDict
from django.urls import reverse

from events.models import Agenda, Conference, Event, Question, QuestionState
from events.models.question_times import closes_at, is_closed, is_forgotten
from events.queries.question_pages import page_of_questions
from events.schedule.clock import Clock
from events.schedule.names import is_given

FLAGS = {QuestionState.ANSWERED: "fine", QuestionState.SKIPPED: "tight", QuestionState.HIDDEN: "cancelled"}


@dataclass(frozen=True)
class QuestionLine:
    """One question as everybody may read it; ``text`` is empty once it was taken off the page."""

    pk: int
    guid: UUID
    text: str
    name: str
    is_chosen_name: bool
    state: str
    state_text: str
    flag: str
    reason: str
    count: int
    asked_at: dt.datetime
    takes_votes: bool
    url: str
    withdraw_url: str

    @property
    def is_waiting(self) -> bool:
        return self.state == QuestionState.OPEN


@dataclass(frozen=True)
class QuestionPage:
    """One page of what waits and, behind it, what was decided; the counts are of all."""

    event: Event
    waiting: list[QuestionLine]
    decided: list[QuestionLine]
    waiting_count: int
    decided_count: int
    page: Page[Question]
    is_newest: bool
    is_closed: bool
    closes_at: dt.datetime
    is_forgotten: bool
    url: str
    ask_url: str

    @property
    def newest_url(self) -> str:
        return f"{self.url}?sort=new"

    @property
    def again_url(self) -> str:
        """Where these very lists come from."""
        asked = {"sort": "new"} if self.is_newest else {}
        if self.page.number > 1:
            asked["page"] = str(self.page.number)
        return f"{self.url}?{urlencode(asked)}" if asked else self.url

    @property
    def count(self) -> int:
        return self.waiting_count + self.decided_count


def page_url(event: Event) -> str:
    return reverse("events:question-list", args=[event.conference.slug, event.guid])


def asked_event(conference: Conference, guid: UUID) -> Event | None:
    """A public event that takes questions."""
    found = Event.objects.public().filter(conference=conference, guid=guid, takes_questions=True)
    event = found.select_related("type").first()
    if event is not None:
        event.conference = conference
    return event


def question_count(event: Event) -> int | None:
    """Nothing where none are taken."""
    return event.questions.exclude(state=QuestionState.HIDDEN).count() if event.takes_questions else None


def question_page(event: Event, clock: Clock, query: QueryDict) -> QuestionPage:
    """The most wanted first or, with ``sort=new``, the newest, which nobody could vote for yet."""
    newest = query.get("sort") == "new"
    order = ("-asked_at", "-pk") if newest else ("-count", "asked_at", "pk")
    page, waiting_count = page_of_questions(event, event.questions.counted().open_first(*order), query.get("page"))
    shown = question_lines(event, page, clock.now)
    return QuestionPage(
        event=event,
        waiting=[it for it in shown if it.is_waiting],
        decided=[it for it in shown if not it.is_waiting],
        waiting_count=waiting_count,
        decided_count=page.paginator.count - waiting_count,
        page=page,
        is_newest=newest,
        is_closed=is_closed(event, clock.now),
        closes_at=closes_at(event),
        is_forgotten=is_forgotten(event, clock.now),
        url=page_url(event),
        ask_url=reverse("events:question-ask", args=[event.conference.slug, event.guid]),
    )


def question_lines(event: Event, questions: Iterable[Question], now: dt.datetime) -> list[QuestionLine]:
    open_still, forgotten = not is_closed(event, now), is_forgotten(event, now)
    return [_line(event, it, takes_votes=open_still, named=not forgotten) for it in questions]


def _line(event: Event, question: Question, *, takes_votes: bool, named: bool) -> QuestionLine:
    state, address = QuestionState(question.state), [event.conference.slug, event.guid, question.guid]
    hidden = state == QuestionState.HIDDEN
    # A name without its holder is nobody's any more, whatever the row still says.
    name = question.name if named and question.agenda_id and not hidden else ""
    return QuestionLine(
        pk=question.pk,
        guid=question.guid,
        text="" if hidden else question.text,
        name=name,
        is_chosen_name=bool(name) and not is_given(name),
        state=state.value,
        state_text=state.label,
        flag=FLAGS.get(state, ""),
        reason=question.reason,
        count=getattr(question, "count", 0),
        asked_at=question.asked_at,
        takes_votes=takes_votes and state == QuestionState.OPEN,
        url=reverse("events:question-vote", args=address),
        withdraw_url=reverse("events:question-withdraw", args=address),
    )


def known_question(event: Event, guid: UUID) -> Question | None:
    """One that is on the page, with its votes."""
    question = event.questions.exclude(state=QuestionState.HIDDEN).counted().filter(guid=guid).first()
    if question is not None:
        question.event = event
    return question


def own_question(agenda: Agenda | None, event: Event, guid: UUID) -> Question | None:
    question = event.questions.filter(agenda=agenda, guid=guid).first() if agenda else None
    if question is not None:
        question.event = event
    return question


def question_line(question: Question, now: dt.datetime) -> QuestionLine:
    counted = Question.objects.counted().get(pk=question.pk)
    return question_lines(question.event, [counted], now)[0]


def given_name_of(agenda: Agenda, event: Event) -> str:
    """The name that who asked here already is known by."""
    names = event.questions.filter(agenda=agenda).exclude(name="").values_list("name", flat=True)
    return next((name for name in names if is_given(name)), "")


@dataclass(frozen=True)
class OwnVotes:
    """What an agenda asked and voted for at an event, by row number."""

    asked: dict[int, QuestionLine]
    voted: dict[int, QuestionLine]


def own_votes(agenda: Agenda, event: Event, now: dt.datetime) -> OwnVotes:
    voted = set(agenda.question_votes.filter(question__event=event).values_list("question", flat=True))
    mine = set(event.questions.filter(agenda=agenda).values_list("pk", flat=True))
    found = event.questions.filter(pk__in=voted | mine).counted() if voted | mine else []
    lines = {line.pk: line for line in question_lines(event, found, now)}
    return OwnVotes(
        asked={pk: line for pk, line in lines.items() if pk in mine},
        voted={pk: line for pk, line in lines.items() if pk in voted},
    )
