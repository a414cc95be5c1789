"""Polls of an event with their answers, and votes: one of each agenda in each poll."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.db import models, transaction
from django.db.models import Count, Q
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.counting import is_known_agenda_q, uncounted_agenda_ids
from events.core.db.fields import LineField
from events.core.db.writing import serialized_write
from events.programme.models.event import Event
from events.programme.participation import is_participation_closed, is_past_retention
from events.programme.rules.subjects import poll_subjects

MIN_POLL_ANSWERS = 2
MAX_POLL_ANSWERS = 6
MAX_POLL_QUESTION_CHARS = 200
MAX_POLL_ANSWER_CHARS = 80


class PollState(models.TextChoices):
    DRAFT = "draft", "Draft"
    OPEN = "open", "Open"
    CLOSED = "closed", "Closed"


class PollRefusedError(ValueError):
    """Nothing was written. The text is for the visitor or the organiser."""


class PollQuerySet(models.QuerySet["Poll"]):
    def opened(self) -> PollQuerySet:
        """Polls that attendees see where they see the event."""
        return self.exclude(state=PollState.DRAFT)

    def in_order(self) -> PollQuerySet:
        """The last one opened first."""
        return self.order_by("-opened_at", "-pk")

    def erase_overdue(self, now: dt.datetime) -> int:
        """Delete votes past their retention; return the number of polls that had any."""
        voted = self.filter(votes__isnull=False).select_related("event__conference").distinct()
        over = [poll.pk for poll in voted if is_past_retention(poll.event, now)]
        PollVote.objects.filter(poll__in=over).delete()
        return len(over)


class Poll(models.Model):
    event = models.ForeignKey(Event, models.CASCADE, related_name="polls")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    question = LineField(max_length=MAX_POLL_QUESTION_CHARS)
    state = models.CharField(max_length=10, choices=PollState, default=PollState.DRAFT, editable=False)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = PollQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event"], condition=Q(state="open"), name="poll_open_once"),
        ]

    def __str__(self) -> str:
        return self.question

    @property
    def is_draft(self) -> bool:
        return self.state == PollState.DRAFT

    def takes_votes(self, now: dt.datetime) -> bool:
        return self.state == PollState.OPEN and not is_participation_closed(self.event, now)

    def set_answers(self, texts: Sequence[str]) -> None:
        """Replace the answers of a draft."""
        with transaction.atomic():
            if not Poll.objects.select_for_update().filter(pk=self.pk, state=PollState.DRAFT).exists():
                raise PollRefusedError("This poll was opened meanwhile, so its answers stay as they were.")
            self.answers.all().delete()
            PollAnswer.objects.bulk_create(
                PollAnswer(poll=self, number=number, text=text) for number, text in enumerate(texts, start=1)
            )

    def open(self, *, seen: str) -> bool:
        """Open a poll whose state is still ``seen``; raise PollRefusedError if it cannot take votes."""
        with serialized_write():
            # First, as changes of events do: in another order two transactions would wait for each other.
            self.event.conference.lock()
            # Locked, so that of two polls opened at once the second one finds the first.
            events = Event.objects.select_for_update(of=("self",), no_key=True).select_related("conference", "session")
            event = events.get(pk=self.event_id)
            now = timezone.now()
            if is_participation_closed(event, now):
                raise PollRefusedError("The event is over or cancelled, so nobody could vote. The poll was not opened.")
            if self.answers.count() < MIN_POLL_ANSWERS:
                raise PollRefusedError(f"A poll needs at least {MIN_POLL_ANSWERS} answers. The poll was not opened.")
            other = event.polls.filter(state=PollState.OPEN).exclude(pk=self.pk).first()
            if other is not None:
                raise PollRefusedError(f"“{other}” is open at this event. Close it before you open another poll.")
            is_opened = self._set_state(PollState.OPEN, seen, opened_at=now, closed_at=None)
            if is_opened:
                # The page of an event without polls is kept for longer than a minute.
                event.conference.bump_revision([event.pk], poll_subjects(event.guid, event.session and event.session.guid))
            return is_opened

    def close(self, *, seen: str) -> bool:
        """Close a poll whose state is still ``seen``."""
        with serialized_write():
            return self._set_state(PollState.CLOSED, seen, closed_at=timezone.now())

    def _set_state(self, state: PollState, seen: str, **times: dt.datetime | None) -> bool:
        return bool(Poll.objects.filter(pk=self.pk, state=seen).exclude(state=state).update(state=state, **times))

    def vote(self, agenda: Agenda, number: int, *, is_newcomer: bool = False, counts: bool = True) -> bool:
        """Set the agenda's answer; return whether that changed anything. A changed vote counts as the first one did."""

        def write(now: dt.datetime) -> bool:
            # Read again and locked: an organiser may be closing it.
            locked = Poll.objects.select_for_update(of=("self",), no_key=True).select_related("event__conference")
            poll = locked.get(pk=self.pk)
            if not poll.takes_votes(now):
                raise PollRefusedError("This poll is closed. Your vote was not counted.")
            answer = poll.answers.get(number=number)
            values = {"answer": answer, "at": now, "is_from_newcomer": is_newcomer, "counts": counts}
            vote, created = PollVote.objects.get_or_create(poll=poll, agenda=agenda, defaults=values)
            return created or bool(PollVote.objects.filter(pk=vote.pk).exclude(answer=answer).update(answer=answer, at=now))

        return agenda.change(write, in_calendars=False)

    def has_vote_of(self, agenda: Agenda) -> bool:
        return self.votes.filter(agenda=agenda).exists()


class PollAnswer(models.Model):
    """One answer, by its ``number`` from 1 in its poll."""

    poll = models.ForeignKey(Poll, models.CASCADE, related_name="answers")
    number = models.PositiveSmallIntegerField()
    text = LineField(max_length=MAX_POLL_ANSWER_CHARS)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["poll", "number"], name="poll_answer_number"),
            models.UniqueConstraint(fields=["poll", "text"], name="poll_answer_text"),
            models.CheckConstraint(condition=Q(number__gte=1, number__lte=MAX_POLL_ANSWERS), name="poll_answer_count"),
        ]

    def __str__(self) -> str:
        return self.text


class PollVote(models.Model):
    poll = models.ForeignKey(Poll, models.CASCADE, related_name="votes")
    answer = models.ForeignKey(PollAnswer, models.CASCADE, related_name="votes")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="poll_votes")
    at = models.DateTimeField(default=timezone.now, editable=False)
    is_from_newcomer = models.BooleanField(default=False, editable=False)
    # As in votes for questions: of the newcomers of one network, only so many votes count at once.
    counts = models.BooleanField(default=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["poll", "agenda"], name="poll_vote_once")]

    def __str__(self) -> str:
        return f"Vote {self.pk} in poll {self.poll_id}"


def counted_answers(polls: Sequence[int]) -> models.QuerySet[PollAnswer]:
    """The answers of these polls in their order, each with ``count``: its votes that count."""
    counts = Q(Q(votes__counts=True) | is_known_agenda_q("votes__agenda"), ~Q(votes__agenda__in=uncounted_agenda_ids()))
    return PollAnswer.objects.filter(poll__in=polls).annotate(count=Count("votes", filter=counts)).order_by("poll", "number")
