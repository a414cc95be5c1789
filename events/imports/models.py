"""The record of each import: its file, its user, and its report or the reason of its refusal."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from events.core.time_zones import moment_text
from events.imports.sync.report import counts_text
from events.programme.models.changes import ChangeGroup
from events.programme.models.conference import Conference


class ImportOutcome(models.TextChoices):
    DONE = "done", "Taken in"
    REFUSED = "refused", "Refused"


class ImportRunQuerySet(models.QuerySet["ImportRun"]):
    def done(self) -> ImportRunQuerySet:
        return self.filter(outcome=ImportOutcome.DONE)


class ImportRun(models.Model):
    """The import of one file. It stays when its conference or its user is deleted."""

    conference = models.ForeignKey(Conference, models.SET_NULL, null=True, blank=True, related_name="import_runs")
    slug = models.CharField("conference asked for", max_length=60)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    user_name = models.CharField("who", max_length=150, blank=True, help_text="Empty: from the command line.")
    started_at = models.DateTimeField("started", default=timezone.now)
    finished_at = models.DateTimeField("finished", null=True, blank=True)
    file_name = models.CharField("file", max_length=255)
    size = models.PositiveBigIntegerField("bytes", default=0)
    digest = models.CharField("SHA-256", max_length=64)
    format = models.CharField(max_length=60, blank=True)
    source = models.CharField(max_length=60, blank=True, help_text="What the rows it brought remember as theirs.")
    outcome = models.CharField(max_length=10, choices=ImportOutcome, default=ImportOutcome.REFUSED)
    reason = models.TextField("why it was refused", blank=True)
    created = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    cancelled = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    elsewhere = models.PositiveIntegerField("kept by another source", default=0, db_default=0)
    skipped = models.PositiveIntegerField(default=0)
    other_rows = models.PositiveIntegerField("other rows written", default=0)
    report = models.JSONField(default=dict, blank=True)
    group = models.OneToOneField(ChangeGroup, models.SET_NULL, null=True, blank=True, editable=False, related_name="import_run")
    types = models.JSONField(
        default=dict, blank=True, help_text="What the types of the file became, remembered for the next import."
    )

    columns = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="How the columns of a spreadsheet were read, remembered for the next import.",
    )

    objects = ImportRunQuerySet.as_manager()

    class Meta:
        ordering = ["-started_at", "-pk"]
        indexes = [models.Index(fields=["conference", "started_at"], name="import_by_conference")]

    def __str__(self) -> str:
        conference = self.conference
        started = conference.moment_text(self.started_at) if conference else moment_text(self.started_at, dt.UTC, "UTC")
        return f"{self.file_name}, {started}"

    @property
    def summary(self) -> str:
        return counts_text(self)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Rows of the report: verb, what, title, guid, reason, differences (field, old, new)."""
        return list(self.report.get("lines", []))

    @property
    def left_out(self) -> int:
        return int(self.report.get("left_out", 0))

    @property
    def warnings(self) -> list[str]:
        return list(self.report.get("warnings", []))

    @property
    def new_clashes(self) -> list[str]:
        return list(self.report.get("clashes", []))

    @property
    def made(self) -> list[dict[str, Any]]:
        """New days, rooms, types, tracks, people and papers: part, count, names."""
        return list(self.report.get("made", []))

    @property
    def is_empty(self) -> bool:
        return not (self.created or self.changed or self.cancelled or self.other_rows)
