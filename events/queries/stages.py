"""Questions for who runs a stage: what is asked, how many want it, and not a word on who asked."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core.paginator import Page
from django.db.models import Count, Q
from django.utils import timezone

from events.models import Event, Question, QuestionState
from events.models.question_times import is_closed
from events.queries.question_pages import page_of_questions


@dataclass(frozen=True)
class Stage:
    """One page of what waits, the most wanted first, and behind it what was decided, the latest first."""

    event: Event
    waiting: list[Question]
    decided: list[Question]
    waiting_count: int
    page: Page[Question]


def stages() -> list[Event]:
    """The events that take questions, with how many wait: those that go on first, and the next one first of them."""
    waiting = Count("questions", filter=Q(questions__state=QuestionState.OPEN))
    events = Event.objects.filter(takes_questions=True).select_related("conference", "day").annotate(waiting=waiting)
    ordered, now = events.order_by("-conference__start", "day__date", "start", "title", "pk"), timezone.now()
    return sorted(ordered, key=lambda event: is_closed(event, now))


def stage_event(guid: UUID) -> Event | None:
    return Event.objects.filter(guid=guid, takes_questions=True).select_related("conference", "day").first()


def stage_of(event: Event, number: str | None = None) -> Stage:
    # Names and agendas are not even read.
    questions = event.questions.counted().defer("name", "agenda").open_first("-last_decided", "-count", "asked_at", "pk")
    page, waiting_count = page_of_questions(event, questions, number)
    return Stage(
        event=event,
        waiting=[it for it in page if it.state == QuestionState.OPEN],
        decided=[it for it in page if it.state != QuestionState.OPEN],
        waiting_count=waiting_count,
        page=page,
    )
