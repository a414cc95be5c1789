"""The data that questions store for an agenda."""

from __future__ import annotations

from collections.abc import Sequence

from events.agenda.lifecycle import AgendaData, StoredList
from events.agenda.models.agenda import Agenda
from events.questions.models import Question, QuestionVote

QUESTION_COLUMNS = ("guid", "event__guid", "text", "name", "state", "reason", "counts_newcomers", "asked_at", "decided_at")


def merge_questions(agenda: Agenda, other: Agenda) -> bool:
    """Merge without changing shown names.

    Of two votes for one question one counts; votes for the visitor's questions are dropped.
    """
    asked = Question.objects.filter(agenda=other).update(agenda=agenda)
    twice = QuestionVote.objects.filter(agenda=other, question__in=agenda.question_votes.values("question"))
    twice.delete()
    voted = other.question_votes.update(agenda=agenda)
    agenda.question_votes.filter(question__agenda=agenda).delete()
    return bool(asked or voted)


def release_questions(agendas: Sequence[Agenda]) -> None:
    Question.objects.filter(agenda__in=agendas).anonymise()


QUESTIONS_AGENDA_DATA = AgendaData(
    lists=(
        StoredList("questions", Question, QUESTION_COLUMNS),
        StoredList("question_votes", QuestionVote, ("question__guid", "at", "is_from_newcomer", "counts")),
    ),
    merge=merge_questions,
    release=release_questions,
)
