"""The questions to an event, a page at a time: those that wait, and behind them what was decided."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q

from events.models import Event, Question, QuestionState
from events.models.questions import QuestionQuerySet

PER_PAGE = 50


def page_of_questions(event: Event, questions: QuestionQuerySet, number: str | None) -> tuple[Page[Question], int]:
    """The page, and how many wait in all."""
    waiting = Count("pk", filter=Q(state=QuestionState.OPEN))
    counts = event.questions.aggregate(waiting=waiting, all=Count("pk"))
    paginator = Paginator(questions, PER_PAGE)
    # Where a cached property keeps it: else it would be counted once more, with all votes.
    paginator.__dict__["count"] = counts["all"]
    return paginator.get_page(number), counts["waiting"]
