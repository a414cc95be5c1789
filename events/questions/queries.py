"""Questions for pages: the list of an event, an agenda's questions and votes, and the moderators' stage."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncMinute
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.core.clock import Clock
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.participation import is_participation_closed, is_past_retention, participation_closes_at
from events.questions.models import (
    UNDECIDED_STATES,
    Question,
    QuestionQuerySet,
    QuestionState,
)
from events.questions.rules import is_pseudonym

QUESTIONS_PER_PAGE = 50
QUESTION_BADGES = {QuestionState.ANSWERED: "fine", QuestionState.SKIPPED: "tight", QuestionState.HIDDEN: "cancelled"}


def page_of_questions(event: Event, questions: QuestionQuerySet, number: str | None) -> tuple[Page[Question], int]:
    """Return the page, and the number of all questions that wait."""
    waiting = Count("pk", filter=Q(state=QuestionState.OPEN))
    counts = event.questions.on_page().aggregate(waiting=waiting, all=Count("pk"))
    paginator = Paginator(questions, QUESTIONS_PER_PAGE)
    # Fill the cached property: the paginator would otherwise count again, with all votes.
    paginator.__dict__["count"] = counts["all"]
    return paginator.get_page(number), counts["waiting"]


@dataclass(frozen=True)
class QuestionLine:
    """The public part of a question; ``text`` is empty once it is hidden."""

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
    counts_newcomers: bool
    asked_at: dt.datetime
    takes_votes: bool
    url: str
    withdraw_url: str

    @property
    def state_sentence(self) -> str:
        return self.state_text if self.text else f"{self.state_text} by the moderators"

    @property
    def is_waiting(self) -> bool:
        return self.state == QuestionState.OPEN

    @property
    def is_undecided(self) -> bool:
        return self.state in UNDECIDED_STATES


@dataclass(frozen=True)
class QuestionPage:
    """One page of the waiting questions, then of decided ones. The counts are of all pages."""

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
    def page_url(self) -> str:
        query = {"sort": "new"} if self.is_newest else {}
        if self.page.number > 1:
            query["page"] = str(self.page.number)
        return f"{self.url}?{urlencode(query)}" if query else self.url

    @property
    def count(self) -> int:
        return self.waiting_count + self.decided_count


def question_list_url(event: Event) -> str:
    return reverse("events:question-list", args=[event.conference.slug, event.guid])


def event_taking_questions(conference: Conference, guid: UUID) -> Event | None:
    events = Event.objects.public().filter(conference=conference, guid=guid, takes_questions=True)
    event = events.select_related("type").first()
    if event is not None:
        event.conference = conference
    return event


def question_count(event: Event, clock: Clock) -> int | None:
    if event.takes_questions:
        clock.is_live()
    return event.questions.on_page().exclude(state=QuestionState.HIDDEN).count() if event.takes_questions else None


def question_page(event: Event, clock: Clock, query: QueryDict) -> QuestionPage:
    """Sort by votes or, with ``sort=new``, by time."""
    newest = query.get("sort") == "new"
    order = ("-asked_at", "-pk") if newest else ("-count", "asked_at", "pk")
    page, waiting_count = page_of_questions(event, event.questions.on_page().counted().open_first(*order), query.get("page"))
    lines = question_lines(event, page, clock.now)
    return QuestionPage(
        event=event,
        waiting=[line for line in lines if line.is_waiting],
        decided=[line for line in lines if not line.is_waiting],
        waiting_count=waiting_count,
        decided_count=page.paginator.count - waiting_count,
        page=page,
        is_newest=newest,
        is_closed=is_participation_closed(event, clock.now),
        closes_at=participation_closes_at(event),
        is_forgotten=is_past_retention(event, clock.now),
        url=question_list_url(event),
        ask_url=reverse("events:question-ask", args=[event.conference.slug, event.guid]),
    )


def question_lines(event: Event, questions: Iterable[Question], now: dt.datetime) -> list[QuestionLine]:
    takes_votes, named = not is_participation_closed(event, now), not is_past_retention(event, now)
    return [_make_question_line(event, question, takes_votes=takes_votes, named=named) for question in questions]


def _make_question_line(event: Event, question: Question, *, takes_votes: bool, named: bool) -> QuestionLine:
    state, address = QuestionState(question.state), [event.conference.slug, event.guid, question.guid]
    hidden = state == QuestionState.HIDDEN
    # A question without its agenda has no asker any more: the name in the row is not shown.
    name = question.name if named and question.agenda_id and not hidden else ""
    return QuestionLine(
        pk=question.pk,
        guid=question.guid,
        text="" if hidden else question.text,
        name=name,
        is_chosen_name=bool(name) and not is_pseudonym(name),
        state=state.value,
        state_text=question.state_text,
        flag=QUESTION_BADGES.get(state, ""),
        reason=question.reason,
        count=getattr(question, "count", 0),
        counts_newcomers=question.counts_newcomers,
        asked_at=question.asked_at,
        takes_votes=takes_votes and state == QuestionState.OPEN,
        url=reverse("events:question-vote", args=address),
        withdraw_url=reverse("events:question-withdraw", args=address),
    )


def visible_question(event: Event, guid: UUID) -> Question | None:
    question = event.questions.on_page().exclude(state=QuestionState.HIDDEN).counted().filter(guid=guid).first()
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


def pseudonym_of(agenda: Agenda, event: Event) -> str:
    names = event.questions.filter(agenda=agenda).exclude(name="").values_list("name", flat=True)
    return next((name for name in names if is_pseudonym(name)), "")


@dataclass(frozen=True)
class OwnVotes:
    """The questions and votes of an agenda at an event, by primary key."""

    asked: dict[int, QuestionLine]
    voted: dict[int, QuestionLine]


def own_votes(agenda: Agenda, event: Event, now: dt.datetime) -> OwnVotes:
    voted = set(agenda.question_votes.filter(question__event=event).values_list("question", flat=True))
    mine = set(event.questions.filter(agenda=agenda).values_list("pk", flat=True))
    questions = event.questions.filter(pk__in=voted | mine).counted() if voted | mine else []
    lines = {line.pk: line for line in question_lines(event, questions, now)}
    return OwnVotes(
        asked={pk: line for pk, line in lines.items() if pk in mine},
        voted={pk: line for pk, line in lines.items() if pk in voted},
    )


@dataclass(frozen=True)
class StagePage:
    """One page for moderators: waiting questions by votes, then decided ones, the latest first; and the held ones.

    Those are at most QUESTIONS_PER_PAGE, the oldest first.
    """

    event: Event
    waiting: list[Question]
    held: list[Question]
    decided: list[Question]
    waiting_count: int
    page: Page[Question]


def stage_events(events: QuerySet[Event]) -> list[Event]:
    """Return those of these events that take questions, with ``waiting`` and ``held``: open ones first, then by time."""
    waiting = Count("questions", filter=Q(questions__state=QuestionState.OPEN))
    held = Count("questions", filter=Q(questions__state=QuestionState.HELD))
    asked = events.filter(takes_questions=True).select_related("conference", "day").annotate(waiting=waiting, held=held)
    ordered, now = asked.order_by("-conference__start", "day__date", "start", "title", "pk"), timezone.now()
    return sorted(ordered, key=lambda event: is_participation_closed(event, now))


def stage_event(events: QuerySet[Event], slug: str, guid: UUID) -> Event | None:
    return events.filter(conference__slug=slug, guid=guid, takes_questions=True).select_related("conference", "day").first()


def stage_page(event: Event, number: str | None = None) -> StagePage:
    # Moderators see no askers: names and agendas are not read.
    unnamed = event.questions.counted().with_newcomer_votes().defer("name", "agenda")
    questions = unnamed.on_page().open_first("-last_decided", "-count", "asked_at", "pk")
    page, waiting_count = page_of_questions(event, questions, number)
    return StagePage(
        event=event,
        waiting=[question for question in page if question.state == QuestionState.OPEN],
        decided=[question for question in page if question.state != QuestionState.OPEN],
        held=list(unnamed.held().order_by("asked_at", "pk")[:QUESTIONS_PER_PAGE]),
        waiting_count=waiting_count,
        page=page,
    )


def question_with_newcomer_votes(event: Event, guid: UUID) -> Question | None:
    # Without the asker, because moderators see it.
    return event.questions.filter(guid=guid).counted().with_newcomer_votes().defer("name", "agenda").first()


@dataclass(frozen=True)
class VotesOfMinute:
    minute: dt.datetime
    newcomers: int
    uncounted: int


def votes_by_minute(question: Question) -> list[VotesOfMinute]:
    """Return the minutes in which newcomers voted for the question; ``uncounted`` votes were over the limit."""
    votes = question.votes.filter(is_from_newcomer=True).annotate(minute=TruncMinute("at")).order_by("minute").values("minute")
    rows = votes.annotate(newcomers=Count("pk"), uncounted=Count("pk", filter=Q(counts=False)))
    return [VotesOfMinute(**row) for row in rows]
