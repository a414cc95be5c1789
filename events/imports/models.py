"""Addresses whose programmes are followed, and the record of each import: its file, its user, its report or its refusal."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone as clock

from events.core.db.fields import LineField
from events.core.db.writing import serialized_write
from events.core.fetching import MAX_VALIDATOR_CHARS
from events.core.time_zones import moment_text
from events.core.web_addresses import MAX_WEB_ADDRESS_CHARS, AddressRefusedError, parse_web_address
from events.imports.sync.report import counts_text
from events.programme.models.changes import ChangeGroup
from events.programme.models.conference import Conference

MAX_SOURCE_NAME_CHARS = 60
SAME_SOURCE_MESSAGE = "Another address has this source, and each would cancel what the other brought: give it a name of its own."
MAX_APPLIED_EVENTS = 500
FOLLOW_LOCK_TTL = dt.timedelta(minutes=20)
"""Longer than a fetch and an import. After it, one whose process died is done again."""
FIRST_LOOK_DELAY = dt.timedelta(minutes=10)
MAX_LOOK_DELAY = dt.timedelta(hours=6)
FOLLOWED_AFTER_END = dt.timedelta(days=7)
"""A programme is followed until so long after the last day of its conference."""


def https_address(value: str) -> None:
    try:
        parse_web_address(value)
    except AddressRefusedError as error:
        raise ValidationError(str(error)) from error


FILE_FIELDS = (
    *("etag", "last_modified", "digest", "waiting_for", "waiting_token", "waiting_text"),
    *("problem", "failures", "failing_since", "next_at"),
)


class WaitingFor(models.TextChoices):
    NOTHING = "", "Nothing"
    DECISION = "decision", "A decision on what it would change"
    COLUMNS = "columns", "What its columns are"


class FollowedSourceQuerySet(models.QuerySet["FollowedSource"]):
    def followed(self, now: dt.datetime) -> FollowedSourceQuerySet:
        """Those that the command looks at: not paused, and of conferences that are not long over."""
        return self.filter(is_active=True, conference__end__gte=(now - FOLLOWED_AFTER_END).date())

    def due(self, now: dt.datetime) -> FollowedSourceQuerySet:
        return self.followed(now).filter(next_at__lte=now)

    def for_organisers(self) -> FollowedSourceQuerySet:
        """Those that wait for an organiser or do not come in, with their conference."""
        needs_them = ~models.Q(waiting_for=WaitingFor.NOTHING) | ~models.Q(problem="")
        return self.filter(needs_them, is_active=True).select_related("conference")


READ_FIELDS = ("url", "format", "timezone", "source")
"""Another value of these is another file, or another way to read it."""


class FollowedSource(models.Model):
    """An address with the file of a programme, which is fetched again and again, and what is known of its last file."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="followed_sources")
    url = LineField(
        "address",
        max_length=MAX_WEB_ADDRESS_CHARS,
        validators=[https_address],
        help_text="Of the file itself, beginning with https://, open to everybody. Other organisers see it.",
    )
    source = LineField(
        max_length=MAX_SOURCE_NAME_CHARS,
        blank=True,
        help_text="Only if several files feed the conference: a name for what this one is, such as Socials. Each source cancels "
        "only what it brought. Empty: the name of the format.",
    )
    format = models.CharField(max_length=60, blank=True, help_text="Detected from the content; choose one only if that fails.")
    timezone = models.CharField(
        "time zone", max_length=60, blank=True, help_text="Only for a file that names none. Empty: that of the conference."
    )
    applies_up_to = models.PositiveIntegerField(
        "apply by itself up to",
        default=0,
        db_default=0,
        validators=[MaxValueValidator(MAX_APPLIED_EVENTS)],
        help_text="So many new, changed or cancelled events are applied without asking. What changes more waits for an "
        "organiser. 0: everything waits.",
    )
    reason = LineField(
        blank=True, help_text="Shown with each change that attendees see, also with those applied by itself. Empty: none."
    )
    is_active = models.BooleanField("followed", default=True, db_default=True, help_text="Off: only the button looks at it.")

    etag = models.CharField(max_length=MAX_VALIDATOR_CHARS, blank=True, editable=False)
    last_modified = models.CharField(max_length=MAX_VALIDATOR_CHARS, blank=True, editable=False)
    digest = models.CharField(max_length=64, blank=True, editable=False)
    """Of the last file on which something was decided, by an organiser or by itself."""
    looked_at = models.DateTimeField("last looked at", null=True, blank=True, editable=False)
    next_at = models.DateTimeField(default=clock.now, editable=False, db_index=True)
    locked_until = models.DateTimeField(null=True, blank=True, editable=False)
    waiting_for = models.CharField(max_length=10, choices=WaitingFor, blank=True, editable=False)
    waiting_token = models.CharField(max_length=22, blank=True, editable=False)
    waiting_text = models.CharField(max_length=300, blank=True, editable=False)
    asks_first = models.BooleanField(default=False, db_default=False, editable=False)
    """An organiser said “Not now”: the next difference has what they left in it, and waits however small it is."""
    problem = models.TextField(blank=True, editable=False)
    failures = models.PositiveIntegerField(default=0, editable=False)
    failing_since = models.DateTimeField(null=True, blank=True, editable=False)
    mailed_at = models.DateTimeField(null=True, blank=True, editable=False)

    quiet_fields = frozenset({*FILE_FIELDS, "asks_first", "looked_at", "locked_until", "mailed_at"})
    """What a look stores: nobody edits it, so that it makes no form outdated."""

    objects = FollowedSourceQuerySet.as_manager()

    class Meta:
        ordering = ["conference", "source", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["conference", "source"],
                name="one_followed_address_per_source",
                violation_error_message=SAME_SOURCE_MESSAGE,
            )
        ]

    def __str__(self) -> str:
        return self.source or self.host

    @property
    def host(self) -> str:
        """All of the address that goes into a mail: the rest may have a key in it."""
        return urlsplit(self.url).hostname or self.url

    @property
    def is_waiting(self) -> bool:
        return self.waiting_for != WaitingFor.NOTHING

    @property
    def is_over(self) -> bool:
        return self.conference.end < (clock.now() - FOLLOWED_AFTER_END).date()

    @property
    def must_ask(self) -> bool:
        """Whether the next difference would bring back what an organiser left or took back."""
        last = self.runs.done().select_related("group").defer("report").first()
        return self.asks_first or bool(last and last.group and last.group.undone_at)

    def lock(self) -> bool:
        """Take it for one look; False if somebody else has it. One statement, so that of two only one has it."""
        now = clock.now()
        free = models.Q(locked_until=None) | models.Q(locked_until__lte=now)
        until = now + FOLLOW_LOCK_TTL
        with serialized_write():
            taken = FollowedSource.objects.filter(free, pk=self.pk).update(locked_until=until)
        if taken:
            self.refresh_from_db()
        return bool(taken)

    def unlock(self) -> None:
        with serialized_write():
            FollowedSource.objects.filter(pk=self.pk, locked_until=self.locked_until).update(locked_until=None)

    def store(self, **values: Any) -> bool:
        """Store what a look found, unless READ_FIELDS were edited or the row deleted meanwhile."""
        with serialized_write():
            as_read = {name: getattr(self, name) for name in READ_FIELDS}
            stored = FollowedSource.objects.filter(pk=self.pk, **as_read).update(**values)
        for name, value in values.items():
            setattr(self, name, value)
        return bool(stored)

    def forget_file(self) -> None:
        """Begin anew, after an edit of what is fetched or of how it is read. Sets FILE_FIELDS."""
        for name in ("etag", "last_modified", "digest", "waiting_for", "waiting_token", "waiting_text", "problem"):
            setattr(self, name, "")
        self.failures, self.failing_since, self.next_at = 0, None, clock.now()


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
    started_at = models.DateTimeField("started", default=clock.now)
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
    followed = models.ForeignKey(
        FollowedSource, models.SET_NULL, null=True, blank=True, editable=False, related_name="runs", verbose_name="address"
    )
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
