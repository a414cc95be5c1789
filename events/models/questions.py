"""Questions to an event, asked under a generated name."""

from __future__ import annotations

import datetime as dt
import uuid
from itertools import count
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction
from django.db.models import Case, Count, F, Q, When
from django.utils import timezone

from events.models.event import Event
from events.models.fields import LineField
from events.models.question_times import is_closed, is_forgotten
from events.models.writing import short_write
from events.schedule.names import given_name, is_given

if TYPE_CHECKING:
    from events.models.agenda import Agenda

MOST_OPEN = 5
"""That one asker has waiting at an event."""


class QuestionState(models.TextChoices):
    OPEN = "open", "Waiting"
    ANSWERED = "answered", "Answered"
    SKIPPED = "skipped", "Skipped"
    HIDDEN = "hidden", "Taken off the page"


class NotTakenError(ValueError):
    """Nothing was written, for a reason that its sentence gives."""


class UnexplainedError(ValueError):
    """What is passed over, or taken away, is so for a reason that everybody can read."""


class QuestionQuerySet(models.QuerySet["Question"]):
    def waiting(self) -> QuestionQuerySet:
        return self.filter(state=QuestionState.OPEN)

    def counted(self) -> QuestionQuerySet:
        """With their votes, most first, and of as many the one that was asked first."""
        return self.annotate(count=Count("votes")).order_by("-count", "asked_at", "pk")

    def open_first(self, *order: str) -> QuestionQuerySet:
        """What waits before what is decided; each in this order, in which ``last_decided`` is of the latter alone."""
        is_open = Q(state=QuestionState.OPEN)
        decided = Case(When(~is_open, then=F("decided_at")))
        ranked = self.annotate(rank=Case(When(is_open, then=0), default=1), last_decided=decided)
        return ranked.order_by("rank", *order)

    def disown(self) -> int:
        """Nobody's from here on: the text stays, as what it was answered for."""
        return self.update(agenda=None, name="")

    def erase_overdue(self, now: dt.datetime) -> int:
        """Forget who asked and who voted wherever a conference is over for long enough; how many questions that was."""
        told = self.filter(~Q(name="") | Q(agenda__isnull=False) | Q(votes__isnull=False))
        events = Event.objects.filter(questions__in=told).select_related("conference").distinct()
        over = [event.pk for event in events if is_forgotten(event, now)]
        with transaction.atomic():
            QuestionVote.objects.filter(question__event__in=over).delete()
            return self.filter(~Q(name="") | Q(agenda__isnull=False), event__in=over).disown()


class Question(models.Model):
    """``agenda`` is who asked, until the conference is over; ``name`` is what everybody reads."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="questions")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    agenda = models.ForeignKey("events.Agenda", models.SET_NULL, null=True, blank=True, related_name="questions")
    name = LineField(max_length=60, blank=True)
    text = LineField(max_length=500)
    state = models.CharField(max_length=10, choices=QuestionState, default=QuestionState.OPEN)
    reason = LineField(max_length=200, blank=True)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return self.text

    @classmethod
    def ask(cls, agenda: Agenda, event: Event, text: str, *, form: uuid.UUID | None = None) -> Question:
        """A ``form`` that is sent twice asks once: what was there already."""
        asked: list[Question] = []
        # What comes with a form names nothing by itself: it could be the name of somebody else's question.
        guid = uuid.uuid5(event.guid, f"{form or uuid.uuid4()} {text}")

        def write(now: dt.datetime) -> bool:
            stage = _hold(event)
            if known := stage.questions.filter(Q(agenda=agenda, text=text) | Q(guid=guid)).first():
                asked.append(known)
                return False
            _refuse_when_over(stage, now)
            if stage.questions.filter(agenda=agenda).waiting().count() >= MOST_OPEN:
                raise NotTakenError(f"You have {MOST_OPEN} questions waiting here: ask again when one of them was answered.")
            values = {"guid": guid, "text": text, "name": _known_as(agenda, stage), "asked_at": now}
            asked.append(cls.objects.create(event=stage, agenda=agenda, **values))
            return True

        agenda.change(write, in_calendars=False)
        return asked[0]

    def vote(self, agenda: Agenda, *, on: bool) -> bool:
        """One for each agenda, set or taken back; whether that changed anything."""

        def write(now: dt.datetime) -> bool:
            # Read anew: a moderator may have decided since. And held, or it could be taken back under a vote.
            held = Question.objects.select_for_update(of=("self",), no_key=True).select_related("event__conference")
            question = held.get(pk=self.pk)
            if question.state != QuestionState.OPEN:
                raise NotTakenError("This question is not waiting any more: votes are counted for what is.")
            if question.agenda_id == agenda.pk:
                raise NotTakenError("This is your own question: votes are for others' questions.")
            _refuse_when_over(question.event, now)
            if on:
                return QuestionVote.objects.get_or_create(question=question, agenda=agenda, defaults={"at": now})[1]
            return bool(question.votes.filter(agenda=agenda).delete()[0])

        return agenda.change(write, in_calendars=False)

    def withdraw(self, agenda: Agenda) -> bool:
        """Take one's own back with all its votes, while it waits; whether it was there."""

        def write(now: dt.datetime) -> bool:
            _hold(self.event)
            own = Question.objects.select_for_update().filter(pk=self.pk, agenda=agenda).first()
            if own is not None and own.state != QuestionState.OPEN:
                raise NotTakenError(
                    "This question was decided already: it stays on the page, and your name goes after the conference."
                )
            return own is not None and bool(own.delete()[0])

        return agenda.change(write, in_calendars=False)

    def decide(self, state: QuestionState, *, seen: str, reason: str = "") -> bool:
        """Set the state, if it is still the one that was ``seen``: of two moderators at once one is told."""
        with short_write():
            _hold(self.event)
            question = Question.objects.counted().get(pk=self.pk)
            if not reason and question.needs_reason(state):
                raise UnexplainedError
            told = {"state": state, "reason": "" if state == QuestionState.OPEN else reason, "decided_at": timezone.now()}
            return bool(Question.objects.filter(pk=self.pk, state=seen).exclude(state=state).update(**told))

    def needs_reason(self, state: QuestionState) -> bool:
        """To take one away, always; to skip one, where one with fewer votes was taken or can be."""
        if state == QuestionState.HIDDEN:
            return True
        return state == QuestionState.SKIPPED and self.outvotes.exists()

    @property
    def outvotes(self) -> QuestionQuerySet:
        """What fewer people want to hear about, and was answered or waits."""
        others = Question.objects.filter(event=self.event_id, state__in=[QuestionState.OPEN, QuestionState.ANSWERED])
        return others.exclude(pk=self.pk).annotate(count=Count("votes")).filter(count__lt=self.votes.count())


class QuestionVote(models.Model):
    question = models.ForeignKey(Question, models.CASCADE, related_name="votes")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="question_votes")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "agenda"], name="question_vote_once")]

    def __str__(self) -> str:
        return f"Vote {self.pk} for question {self.question_id}"


def _refuse_when_over(event: Event, now: dt.datetime) -> None:
    if not event.takes_questions:
        raise NotTakenError("This event takes no questions here any more.")
    if is_closed(event, now):
        raise NotTakenError("Questions to this event are closed: you can read what was asked and answered.")


def _hold(event: Event) -> Event:
    """The event as it is now; until the transaction ends nobody else asks there, and no name is given twice."""
    held = Event.objects.select_for_update(of=("self",), no_key=True).select_related("conference")
    return held.get(pk=event.pk)


def _known_as(agenda: Agenda, event: Event) -> str:
    """Who asked here before keeps the name; whose name is somebody's already gets the next."""
    known = list(event.questions.exclude(name="").order_by("asked_at", "pk").values_list("name", "agenda_id"))
    before = next((name for name, holder in known if holder == agenda.pk and is_given(name)), "")
    taken = {name for name, _ in known}
    about = (str(event.guid), str(agenda.pk))
    return before or next(name for turn in count() if (name := given_name(settings.SECRET_KEY, *about, str(turn))) not in taken)
