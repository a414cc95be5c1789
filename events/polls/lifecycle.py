"""The data that polls store for an agenda."""

from __future__ import annotations

from events.agenda.lifecycle import AgendaData, StoredList
from events.agenda.models.agenda import Agenda
from events.polls.models import PollVote

POLL_VOTE_COLUMNS = ("poll__guid", "poll__question", "answer__text", "at", "is_from_newcomer", "counts")


def merge_poll_votes(agenda: Agenda, other: Agenda) -> bool:
    """Of two votes in one poll, the one of ``agenda`` counts."""
    PollVote.objects.filter(agenda=other, poll__in=agenda.poll_votes.values("poll")).delete()
    return bool(other.poll_votes.update(agenda=agenda))


POLLS_AGENDA_DATA = AgendaData(
    lists=(StoredList("poll_votes", PollVote, POLL_VOTE_COLUMNS),),
    merge=merge_poll_votes,
)
