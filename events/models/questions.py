"""Questions to an event, by nobody's name but one that the house gives."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from events.models.event import Event
from events.models.fields import LineField


class QuestionState(models.TextChoices):
    OPEN = "open", "Waiting"
    ANSWERED = "answered", "Answered"
    SKIPPED = "skipped", "Skipped"
    HIDDEN = "hidden", "Taken off the page"


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

    class Meta:
        ordering = ["asked_at", "pk"]

    def __str__(self) -> str:
        return self.text


class QuestionVote(models.Model):
    question = models.ForeignKey(Question, models.CASCADE, related_name="votes")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, related_name="question_votes")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "agenda"], name="question_vote_once")]

    def __str__(self) -> str:
        return f"Vote {self.pk} for question {self.question_id}"
