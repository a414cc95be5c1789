"""Changes of the public programme, and announcements of the organisers."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from events.core.db.fields import LineField, ProseField
from events.programme.models.conference import Conference, Imported, Revisable, unique_source
from events.programme.models.labels import published_within


class ChangeGroupKind(models.TextChoices):
    PUBLICATION = "publication", "Publication"
    ACTION = "action", "Bulk action"
    IMPORT = "import", "Import"
    UNDO = "undo", "Undo"


class ChangeGroup(models.Model):
    """Changes made at once: the publication of a conference, a bulk action, an import, or the undo of one of these.

    Attendees read it as one entry if ``is_public``. ``edits`` has the values from before, for the undo.
    """

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="change_groups")
    kind = models.CharField(max_length=20, choices=ChangeGroupKind)
    title = LineField(max_length=200)
    note = ProseField(max_length=2_000)
    at = models.DateTimeField(default=timezone.now)
    by = models.CharField(max_length=150, blank=True)
    is_public = models.BooleanField(default=False)
    edits = models.JSONField(default=dict)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["conference", "at"], name="change_group_by_conference")]

    def __str__(self) -> str:
        return self.title

    @property
    def identity(self) -> uuid.UUID:
        """The id in feeds."""
        digest = salted_hmac("events.models.ChangeGroup", str(self.pk), algorithm="sha256").digest()
        return uuid.UUID(bytes=digest[:16], version=4)


class ChangeQuerySet(models.QuerySet["Change"]):
    def public(self) -> Self:
        return self.filter(published_within("event"))

    def of_events(self, events: models.QuerySet[Any]) -> Self:
        return self.filter(event__in=events)


class Change(models.Model):
    """One field of one event, before and after, as attendees read it. An empty old status means that the event is new."""

    event = models.ForeignKey("events.Event", models.CASCADE, related_name="changes")
    field = models.CharField(max_length=40)
    old = models.TextField(blank=True)
    new = models.TextField(blank=True)
    reason = LineField(max_length=300, blank=True)
    group = models.ForeignKey(ChangeGroup, models.SET_NULL, null=True, blank=True, related_name="changes")
    at = models.DateTimeField(default=timezone.now)

    objects = ChangeQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["event", "at"], name="change_by_event")]

    def __str__(self) -> str:
        return f"{self.event}: {self.field}"

    @property
    def is_new_event(self) -> bool:
        return self.field == "status" and not self.old


class Attendance(models.TextChoices):
    IN_PERSON = "in-person", "Who is there in person"
    VIRTUAL = "virtual", "Who takes part from afar"


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def started(self, now: dt.datetime) -> Self:
        """Select those that have begun, also if they are over. Attendees may not see the others."""
        return self.filter(starts_at__lte=now)

    def current(self, now: dt.datetime) -> Self:
        return self.started(now).filter(Q(until=None) | Q(until__gt=now))


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

    def has_started(self, now: dt.datetime) -> bool:
        return self.starts_at <= now

    def is_over(self, now: dt.datetime) -> bool:
        return self.until is not None and self.until <= now

    def is_for(self, attendance: str) -> bool:
        """Match everything for an empty ``attendance``."""
        return not self.audience or not attendance or self.audience == attendance

    @property
    def identity(self) -> uuid.UUID:
        """The id in feeds and links. A primary key would show how many announcements are scheduled."""
        digest = salted_hmac("events.models.Announcement", str(self.pk), algorithm="sha256").digest()
        return uuid.UUID(bytes=digest[:16], version=4)
