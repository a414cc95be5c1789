"""What changed in the public programme, and what is announced on top of it."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.event import Event, Status
from events.models.face import SEQUENCE_FIELDS, TOLD_FIELDS
from events.models.fields import LineField, ProseField


class ChangeQuerySet(models.QuerySet["Change"]):
    def public(self) -> Self:
        return self.filter(event__in=Event.objects.public())


class Change(models.Model):
    """One field of one event, as attendees saw it before and see it now; an empty old status means: new."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="changes")
    field = models.CharField(max_length=40)
    old = models.TextField(blank=True)
    new = models.TextField(blank=True)
    reason = LineField(max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now)

    objects = ChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["event", "at"], name="change_by_event")]

    def __str__(self) -> str:
        return f"{self.event}: {self.field}"

    @classmethod
    def between(cls, event: Event, old: dict[str, str], *, reason: str, at: dt.datetime, quiet: bool) -> list[Change]:
        """The rows that tell the way from what was announced to what is announced now, unsaved."""
        new = event.announced
        if not new or (quiet and not old):
            return []
        told = TOLD_FIELDS if old else ("status",)
        return [
            cls(event=event, field=field, old=old.get(field, ""), new=new.get(field, ""), reason=reason, at=at)
            for field in told
            if old.get(field, "") != new.get(field, "")
        ]

    @staticmethod
    def raises_sequence(old: dict[str, str], new: dict[str, str]) -> int:
        """1 when calendars must take the event anew: also when it disappears, so that its return is newer than its first life."""
        if not old:
            return 0
        return int(any(old.get(field) != new.get(field) for field in SEQUENCE_FIELDS))

    @property
    def is_new_event(self) -> bool:
        return self.field == "status" and not self.old

    @property
    def is_cancellation(self) -> bool:
        return self.field == "status" and self.new == Status.CANCELLED


class Attendance(models.TextChoices):
    IN_PERSON = "in-person", "Who is there in person"
    VIRTUAL = "virtual", "Who takes part from afar"


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def told(self, now: dt.datetime) -> Self:
        """Those that began, over or not; of the others nobody may know."""
        return self.filter(starts_at__lte=now)

    def current(self, now: dt.datetime) -> Self:
        return self.told(now).filter(Q(until=None) | Q(until__gt=now))


class Announcement(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="announcements")
    title = LineField(max_length=200)
    text = ProseField()
    audience = models.CharField("for", max_length=10, choices=Attendance, blank=True, help_text="Empty: everybody.")
    urgent = models.BooleanField(default=False, help_text="Stands first and unfolded, and stays on wall screens.")
    starts_at = models.DateTimeField("from", default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_at", "-pk"]
        constraints = [
            unique_source("announcement"),
            models.CheckConstraint(
                condition=Q(until=None) | Q(until__gt=models.F("starts_at")),
                name="announcement_ends_after_start",
                violation_error_message="An announcement ends after it starts.",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def is_told(self, now: dt.datetime) -> bool:
        return self.starts_at <= now

    def is_over(self, now: dt.datetime) -> bool:
        return self.until is not None and self.until <= now

    def is_for(self, attendance: str) -> bool:
        """Whether it concerns somebody who takes part like this; who has not said is told everything."""
        return not self.audience or not attendance or self.audience == attendance

    @property
    def identity(self) -> uuid.UUID:
        """What feeds and links know it by: the number of its row would say how many are still to come."""
        made = salted_hmac("events.models.Announcement", str(self.pk), algorithm="sha256")
        return uuid.UUID(bytes=made.digest()[:16], version=4)
