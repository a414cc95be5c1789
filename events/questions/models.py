"""Questions about events and votes for them, with their deadline and the retention of names."""

from __future__ import annotations

import datetime as dt
import uuid
from itertools import count

from django.conf import settings
from django.db import models, transaction
from django.db.models import Case, Count, F, Q, When
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.counting import is_known_agenda_q, uncounted_agenda_ids
from events.core.db.fields import LineField
from events.core.db.writing import serialized_write
from events.programme.models.event import Event
from events.programme.participation import is_participation_closed, is_past_retention
from events.questions.rules import is_pseudonym, pseudonym

MAX_OPEN_QUESTIONS = 5
"""For each agenda and event."""


class QuestionState(models.TextChoices):
    OPEN = "open", "Waiting"
    ANSWERED = "answered", "Answered"
    SKIPPED = "skipped", "Skipped"
    HIDDEN = "hidden", "Taken off the page"
    HELD = "held", "Held back"


UNDECIDED_STATES = (QuestionState.OPEN, QuestionState.HELD)


class QuestionRefusedError(ValueError):
    """Nothing was written. The text is for the visitor."""


class ReasonRequiredError(ValueError):
    """A public reason is needed to hide a question, or to skip a popular one."""


class QuestionQuerySet(models.QuerySet["Question"]):
    def waiting(self) -> QuestionQuerySet:
        return self.filter(state=QuestionState.OPEN)

    def undecided(self) -> QuestionQuerySet:
        return self.filter(state__in=UNDECIDED_STATES)

    def held(self) -> QuestionQuerySet:
        return self.filter(state=QuestionState.HELD)

    def on_page(self) -> QuestionQuerySet:
        """Questions on the public page; of hidden ones it shows the decision only."""
        return self.exclude(state=QuestionState.HELD)

    def counted(self) -> QuestionQuerySet:
        return self.annotate(count=Count("votes", filter=counted_votes_q())).order_by("-count", "asked_at", "pk")

    def with_newcomer_votes(self) -> QuestionQuerySet:
        """Annotates how many votes of ``newcomers`` are in the count, and how many votes are ``uncounted``."""
        counts = counted_votes_q()
        newcomers = Count("votes", filter=counts & Q(votes__is_from_newcomer=True))
        return self.annotate(newcomers=newcomers, uncounted=Count("votes", filter=~counts))

    def open_first(self, *order: str) -> QuestionQuerySet:
        """Sort waiting questions before decided ones, each in this order.

        Annotates ``last_decided``, which is null for waiting ones.
        """
        is_open = Q(state=QuestionState.OPEN)
        decided = Case(When(~is_open, then=F("decided_at")))
        ranked = self.annotate(rank=Case(When(is_open, then=0), default=1), last_decided=decided)
        return ranked.order_by("rank", *order)

    def anonymise(self) -> int:
        """Erase the askers. The texts stay, because they were answered."""
        return self.update(agenda=None, name="")

    def erase_overdue(self, now: dt.datetime) -> int:
        """Erase names, askers and votes past their retention; return the number of questions that had an asker."""
        personal = self.filter(~Q(name="") | Q(agenda__isnull=False) | Q(votes__isnull=False))
        events = Event.objects.filter(questions__in=personal).select_related("conference").distinct()
        over = [event.pk for event in events if is_past_retention(event, now)]
        with transaction.atomic():
            QuestionVote.objects.filter(question__event__in=over).delete()
            return self.filter(~Q(name="") | Q(agenda__isnull=False), event__in=over).anonymise()


class Question(models.Model):
    """``agenda`` is the asker, until PARTICIPATION_RETENTION; ``name`` is the public name."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="questions")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    agenda = models.ForeignKey("events.Agenda", models.SET_NULL, null=True, blank=True, related_name="questions")
    name = LineField(max_length=60, blank=True)
    text = LineField(max_length=500)
    state = models.CharField(max_length=10, choices=QuestionState, default=QuestionState.OPEN)
    reason = LineField(max_length=200, blank=True)
    # A moderator may decide that a script has voted.
    counts_newcomers = models.BooleanField(default=True, editable=False)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return self.text

    @property
    def state_text(self) -> str:
        # Migrations contain the label of a hidden question in its old wording.
        return "Removed from the page" if self.state == QuestionState.HIDDEN else str(QuestionState(self.state).label)

    @classmethod
    def ask(cls, agenda: Agenda, event: Event, text: str, *, form: uuid.UUID | None = None, is_held: bool = False) -> Question:
        """Create a question, or return the existing one: of this agenda with this text, or of a ``form`` sent twice.

        ``is_held`` keeps a new one off the page until a moderator shows it. Raise QuestionRefusedError after the deadline and
        above MAX_OPEN_QUESTIONS.
        """
        asked: list[Question] = []
        # The value of a form is no guid by itself: it could be the guid of somebody else's question.
        guid = uuid.uuid5(event.guid, f"{form or uuid.uuid4()} {text}")

        def write(now: dt.datetime) -> bool:
            locked = _lock_event(event)
            if existing := locked.questions.filter(Q(agenda=agenda, text=text) | Q(guid=guid)).first():
                asked.append(existing)
                return False
            _refuse_when_over(locked, now)
            if locked.questions.filter(agenda=agenda).undecided().count() >= MAX_OPEN_QUESTIONS:
                raise QuestionRefusedError(
                    f"You have {MAX_OPEN_QUESTIONS} questions waiting here. You can ask again when one of them is answered."
                )
            state = QuestionState.HELD if is_held else QuestionState.OPEN
            values = {"guid": guid, "text": text, "name": _asker_name(agenda, locked), "asked_at": now, "state": state}
            asked.append(cls.objects.create(event=locked, agenda=agenda, **values))
            return True

        agenda.change(write, in_calendars=False)
        return asked[0]

    def vote(self, agenda: Agenda, *, on: bool, is_newcomer: bool = False, counts: bool = True) -> bool:
        """Set or withdraw the agenda's vote; return whether that changed anything. An existing vote stays as it is."""

        def write(now: dt.datetime) -> bool:
            # Read again: a moderator may have decided meanwhile. Locked, or it could be withdrawn under a vote.
            locked = Question.objects.select_for_update(of=("self",), no_key=True).select_related("event__conference")
            question = locked.get(pk=self.pk)
            if question.state != QuestionState.OPEN:
                raise QuestionRefusedError("This question is not waiting any more, so votes are closed.")
            if question.agenda_id == agenda.pk:
                raise QuestionRefusedError("This is your own question. You can vote for the questions of others.")
            _refuse_when_over(question.event, now)
            if on:
                values = {"at": now, "is_from_newcomer": is_newcomer, "counts": counts}
                return QuestionVote.objects.get_or_create(question=question, agenda=agenda, defaults=values)[1]
            return bool(question.votes.filter(agenda=agenda).delete()[0])

        return agenda.change(write, in_calendars=False)

    def withdraw(self, agenda: Agenda) -> bool:
        """Delete the agenda's question with its votes, while it waits; return whether it existed."""

        def write(now: dt.datetime) -> bool:
            _lock_event(self.event)
            own = Question.objects.select_for_update().filter(pk=self.pk, agenda=agenda).first()
            if own is not None and own.state not in UNDECIDED_STATES:
                raise QuestionRefusedError(
                    "This question was decided already, so it stays on the page. Your name is erased after the conference."
                )
            return own is not None and bool(own.delete()[0])

        return agenda.change(write, in_calendars=False)

    def decide(self, state: QuestionState, *, seen: str, reason: str = "") -> bool:
        """Set the state if it is still ``seen``. Of two moderators at once, one gets False."""
        with serialized_write():
            _lock_event(self.event)
            question = Question.objects.counted().get(pk=self.pk)
            if not reason and question.needs_reason(state):
                raise ReasonRequiredError
            values = {"state": state, "reason": "" if state == QuestionState.OPEN else reason, "decided_at": timezone.now()}
            return bool(Question.objects.filter(pk=self.pk, state=seen).exclude(state=state).update(**values))

    def needs_reason(self, state: QuestionState) -> bool:
        """Return True to hide any question, and to skip one if another with fewer votes was answered or waits."""
        if state == QuestionState.HIDDEN:
            return True
        return state == QuestionState.SKIPPED and self.outvotes.exists()

    @property
    def outvotes(self) -> QuestionQuerySet:
        others = Question.objects.filter(event=self.event_id, state__in=[QuestionState.OPEN, QuestionState.ANSWERED])
        own = Question.objects.filter(pk=self.pk).aggregate(count=Count("votes", filter=counted_votes_q()))["count"]
        return others.exclude(pk=self.pk).annotate(count=Count("votes", filter=counted_votes_q())).filter(count__lt=own)

    def has_vote_of(self, agenda: Agenda) -> bool:
        return self.votes.filter(agenda=agenda).exists()

    def set_counts_newcomers(self, *, on: bool) -> bool:
        """Set whether votes of newcomers count; return whether that changed anything."""
        return bool(Question.objects.filter(pk=self.pk).exclude(counts_newcomers=on).update(counts_newcomers=on))


class QuestionVote(models.Model):
    question = models.ForeignKey(Question, models.CASCADE, related_name="votes")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="question_votes")
    at = models.DateTimeField(default=timezone.now, editable=False)
    is_from_newcomer = models.BooleanField(default=False, editable=False)
    # Of the newcomers of one network, only so many votes count at once; others when their agenda is known.
    counts = models.BooleanField(default=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "agenda"], name="question_vote_once")]

    def __str__(self) -> str:
        return f"Vote {self.pk} for question {self.question_id}"


def counted_votes_q() -> Q:
    """The condition on ``Question`` that a vote for it counts."""
    allowed = Q(votes__is_from_newcomer=False) | Q(counts_newcomers=True)
    return Q(Q(votes__counts=True) | is_known_agenda_q("votes__agenda"), allowed, ~Q(votes__agenda__in=uncounted_agenda_ids()))


def _refuse_when_over(event: Event, now: dt.datetime) -> None:
    if not event.takes_questions:
        raise QuestionRefusedError("This event does not take questions here any more.")
    if is_participation_closed(event, now):
        raise QuestionRefusedError("Questions to this event are closed. You can still read them.")


def _lock_event(event: Event) -> Event:
    """Lock the event until the transaction ends: nobody else asks there, and no name is used twice."""
    locked = Event.objects.select_for_update(of=("self",), no_key=True).select_related("conference")
    return locked.get(pk=event.pk)


def _asker_name(agenda: Agenda, event: Event) -> str:
    names = list(event.questions.exclude(name="").order_by("asked_at", "pk").values_list("name", "agenda_id"))
    before = next((name for name, asker in names if asker == agenda.pk and is_pseudonym(name)), "")
    taken = {name for name, _ in names}
    about = (str(event.guid), str(agenda.pk))
    return before or next(name for turn in count() if (name := pseudonym(settings.SECRET_KEY, *about, str(turn))) not in taken)
