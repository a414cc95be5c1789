"""Conferences and their days; the base classes of all rows of a programme: their source and their revision."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection
from typing import Any, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from simple_history.models import HistoricalRecords

from events.core.db.fields import LineField, ProseField, WebAddressField, free_host, free_slug, hex_colour, time_zone
from events.core.db.prepared_query import prepared
from events.core.db.writing import plus_one
from events.core.time_zones import has_other_clocks, moment_text, zone_city
from events.programme import lifecycle
from events.programme.drafts import ALL_CONFERENCES, draft_conference
from events.programme.models.looks import HEADER_HAS_ALT, MEASURED_FIELDS, ConferenceLooks


class Imported(models.Model):
    """A row that may be imported; ``imported`` has the values of the last import, which show later edits by hand."""

    source = models.CharField(max_length=60, blank=True, editable=False)
    source_key = models.CharField(max_length=200, blank=True, editable=False)
    imported = models.JSONField(default=dict, blank=True, editable=False)

    class Meta:
        abstract = True


class Revisable(models.Model):
    """A row that attendees see. ``revise`` saves it, and raises the conference's revision if anything changed."""

    quiet_fields: ClassVar[frozenset[str]] = frozenset({"source", "source_key", "imported"})
    event_paths: ClassVar[tuple[str, ...]] = ()
    """Lookups from an event to this row, where the event's card or calendar entry shows it."""
    records_quietly: ClassVar[bool] = False

    class Meta:
        abstract = True

    def get_conference(self) -> Conference:
        conference: Conference = getattr(self, "conference")  # noqa: B009 - each subclass has the field, the base cannot
        return conference

    def is_changed(self) -> bool:
        names = [f.attname for f in self._meta.concrete_fields if f.name not in self.quiet_fields]
        stored = type(self)._base_manager.filter(pk=self.pk).values(*names).first()
        return stored is None or any(getattr(self, name) != value for name, value in stored.items())

    def revise(self, *, reason: str = "") -> bool:
        """Save, and record the changes of events that show this row; return False if nothing changed."""
        with transaction.atomic():
            if not self.is_changed():
                return False
            conference = self.get_conference()
            conference.lock()
            self.save()
            conference.bump_revision()
            conference.events.showing(self).record_changes(reason=reason, quiet=self.records_quietly)
        return True


def unique_guid(name: str) -> models.UniqueConstraint:
    """A guid is unique within its conference: another one, such as a trial, may have been made from the same file."""
    return models.UniqueConstraint(fields=["conference", "guid"], name=f"{name}_unique_guid")


def unique_source(name: str, owner: str = "conference") -> models.UniqueConstraint:
    return models.UniqueConstraint(
        fields=[owner, "source", "source_key"],
        condition=~Q(source_key=""),
        name=f"{name}_unique_in_source",
        violation_error_message="This source has brought that key already.",
    )


# Files are limited to these years too; farther out, adding a time zone or a day overflows.
EARLIEST_DATE, LATEST_DATE = dt.date(1900, 1, 1), dt.date(2199, 12, 31)


class ConferenceStatus(models.TextChoices):
    DRAFT = "draft", "Draft: only organisers see it"
    PUBLISHED = "published", "Published"


HIDDEN_SOURCE = "rows of an import\t"
"""The source of a conference that holds rows while they are imported, and that nobody may see. No file's source has a tab."""


class ConferenceQuerySet(models.QuerySet["Conference"]):
    def public(self) -> ConferenceQuerySet:
        slug = draft_conference()
        if slug == ALL_CONFERENCES:
            return self.exclude(source=HIDDEN_SOURCE)
        return self.filter(Q(status=ConferenceStatus.PUBLISHED) | Q(slug=slug)) if slug else self.published()

    def published(self) -> ConferenceQuerySet:
        return self.filter(status=ConferenceStatus.PUBLISHED)


GIVE_UP = "choose another one, or give it up on the page “Address” of that conference first"


@prepared
def _published_conference(slug: str) -> models.QuerySet[Conference]:
    return Conference.objects.public().filter(slug=slug).defer("imported")


@prepared
def _public_revision(pk: int) -> models.QuerySet[Conference, int]:
    return Conference.objects.public().filter(pk=pk).values_list("revision", flat=True)


class Conference(ConferenceLooks, Imported, Revisable):
    quiet_fields = Revisable.quiet_fields | {"revision"}
    event_paths = ("conference",)
    records_quietly = True

    slug = models.SlugField(
        max_length=60, unique=True, validators=[free_slug], help_text="The first part of every address: iclr-2025."
    )
    name = LineField(max_length=100, help_text="Short, as people say it: ICLR 2025.")
    title = LineField(blank=True, help_text="The full name.")
    series = LineField(max_length=100, blank=True, help_text="What its editions have in common: ICLR.")
    edition = LineField(max_length=100, blank=True, help_text="Thirteenth, or a year.")
    city = LineField(max_length=100, blank=True)
    country = LineField(max_length=100, blank=True)
    timezone = models.CharField(max_length=60, validators=[time_zone], help_text="Where the venue stands: Asia/Singapore.")
    start = models.DateField("first day")
    end = models.DateField("last day")
    colour = models.CharField(max_length=7, blank=True, validators=[hex_colour], help_text="Your accent, as #1747B8.")
    url = WebAddressField("own website")
    proposals_until = models.DateTimeField("proposals until", null=True, blank=True)
    about = ProseField(help_text="Markdown. Shown on the page about this conference.")
    status = models.CharField(max_length=20, choices=ConferenceStatus, default=ConferenceStatus.DRAFT)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    history = HistoricalRecords(excluded_fields=["revision", "imported", *MEASURED_FIELDS])

    objects = ConferenceQuerySet.as_manager()

    class Meta:
        ordering = ["-start", "slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=F("start")),
                name="conference_ends_after_start",
                violation_error_message="The last day is before the first.",
            ),
            models.CheckConstraint(
                condition=Q(start__gte=EARLIEST_DATE, end__lte=LATEST_DATE),
                name="conference_from_1900_to_2199",
                violation_error_message="Choose days from 1900 to 2199.",
            ),
            HEADER_HAS_ALT,
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            self.lock()
            super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("events:conference-detail", args=[self.slug])

    @property
    def icon_version(self) -> str:
        """Part of the icon's address, because browsers keep it: it changes with what is drawn."""
        return hashlib.sha256(f"{self.colour} {self.icon.name}".encode()).hexdigest()[:8]

    def clean(self) -> None:
        """Refuse a slug whose addresses lead to another conference, and a picture without words."""
        if self.header_picture and not self.header_alt:
            raise ValidationError({"header_alt": "Say in words what the picture shows, for people who cannot see it."})
        former = FormerSlug.objects.filter(slug=self.slug).exclude(conference=self.pk).select_related("conference").first()
        if former:
            raise ValidationError(
                {"slug": f"“{self.slug}” was the address of {former.conference}, and still leads there: {GIVE_UP}."}
            )

    @classmethod
    def published(cls, slug: str) -> Conference | None:
        """Return the conference with this slug if attendees may see it. Every request calls this, so the query is prepared."""
        return _published_conference.first(slug)

    @classmethod
    def public_revision(cls, pk: int) -> int | None:
        """Return its revision if attendees may see it. Every kept page asks this, so the query is prepared."""
        return _public_revision.first(pk)

    @property
    def is_draft(self) -> bool:
        return self.status == ConferenceStatus.DRAFT

    @property
    def zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.timezone)
        except (ValueError, OSError, ZoneInfoNotFoundError):
            # Only a row that no form validated has an unknown zone. Its pages still work.
            return ZoneInfo("UTC")

    @property
    def zone_place(self) -> str:
        """The city, unless its clocks are others."""
        return self.city if self.city and not self.has_clocks_of_elsewhere else zone_city(self.timezone)

    @property
    def has_clocks_of_elsewhere(self) -> bool:
        return has_other_clocks(self.city, self.country, self.zone, self.start)

    @property
    def zone_name(self) -> str:
        return f"{self.zone_place} time"

    def moment_text(self, at: dt.datetime) -> str:
        return moment_text(at, self.zone, self.zone_place)

    @property
    def place(self) -> str:
        return ", ".join(dict.fromkeys(filter(None, [self.city, self.country])))

    def get_conference(self) -> Conference:
        return self

    def lock(self) -> None:
        """Lock the row until the transaction ends, and read its revision again."""
        locked = Conference.objects.select_for_update().filter(pk=self.pk).first()
        self.revision = locked.revision if locked else self.revision

    def bump_revision(self, events: Collection[int] | None = None, subjects: Collection[str] | None = None) -> None:
        """Raise the revision, because something looks different to attendees: the texts of ``events``, or of anything.

        It changes every page, unless ``subjects`` say which (``programme.rules.subjects``).
        """
        with transaction.atomic():
            Conference.objects.filter(pk=self.pk).update(revision=plus_one("revision"))
            indexed = lifecycle.call_in_revision(self.pk, events) if events else set()
            if subjects is not None:
                RevisionScope.record(self, {*subjects, *indexed})
        lifecycle.call_after_commit(self.pk, events)


class FormerSlug(models.Model):
    """A slug that a conference had: its addresses lead to the present one for good, so no other conference takes it."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="former_slugs")
    slug = models.SlugField(max_length=60, unique=True)
    until = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-until"]

    def __str__(self) -> str:
        return self.slug


KEPT_SCOPES = 500
"""Revisions whose scopes are stored. A process that has seen none of them for longer renders all its pages anew."""


class ConferenceHost(models.Model):
    """A host name whose addresses lead to this conference at the site's own address (events.web.hosts)."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="hosts")
    name = models.CharField(
        "host name",
        max_length=253,
        unique=True,
        validators=[free_host],
        error_messages={"unique": "This name leads to another conference: remove it there first."},
        help_text="Such as 2027.example.org. Whoever runs this site must let the name lead to it.",
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class RevisionScope(models.Model):
    """What one revision of a conference changed. A revision without a row changed every page."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="scopes")
    revision = models.PositiveBigIntegerField()
    subjects = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conference", "revision"], name="revision_scope_once")]

    def __str__(self) -> str:
        return f"{self.conference} at {self.revision}"

    @classmethod
    def record(cls, conference: Conference, subjects: Collection[str]) -> None:
        """The conference's row is locked since its revision was raised, so the revision that is read is the new one."""
        revision = Conference.objects.values_list("revision", flat=True).get(pk=conference.pk)
        cls.objects.create(conference=conference, revision=revision, subjects=sorted(subjects))
        cls.objects.filter(conference=conference, revision__lte=revision - KEPT_SCOPES).delete()


class Fact(Imported, Revisable):
    """A figure about the conference, with its source."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="facts")
    label = LineField(max_length=200)
    value = LineField(max_length=200)
    note = LineField(max_length=1000, blank=True)
    source_url = WebAddressField()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [unique_source("fact")]

    def __str__(self) -> str:
        return f"{self.label}: {self.value}"


class PastEdition(Imported, Revisable):
    """An earlier edition; the page links to it if it is a conference on this site."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="past_editions")
    year = models.PositiveIntegerField()
    place = LineField(max_length=200)
    participants = models.PositiveIntegerField(null=True, blank=True)
    countries = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-year"]
        constraints = [
            unique_source("past_edition"),
            models.UniqueConstraint(fields=["conference", "year"], name="past_edition_unique_year"),
        ]

    def __str__(self) -> str:
        return f"{self.year}: {self.place}"


class Day(Imported, Revisable):
    """A date of the programme; it may lie outside the dates of the conference."""

    event_paths = ("day",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="days")
    date = models.DateField()
    title = LineField(max_length=100, blank=True, help_text="Workshops, Main conference …")
    note = LineField(max_length=1000, blank=True)

    class Meta:
        ordering = ["date"]
        constraints = [
            unique_source("day"),
            models.UniqueConstraint(
                fields=["conference", "date"],
                name="day_unique_date",
                violation_error_message="This conference has that day already.",
            ),
            models.CheckConstraint(
                condition=Q(date__range=(EARLIEST_DATE, LATEST_DATE)),
                name="day_from_1900_to_2199",
                violation_error_message="Choose a date from 1900 to 2199.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date:%a} {self.date.day} {self.date:%B %Y}"

    def get_absolute_url(self) -> str:
        return reverse("events:schedule-day", args=[self.conference.slug, self.date])

    @property
    def noon(self) -> dt.datetime:
        return dt.datetime.combine(self.date, dt.time(12), self.conference.zone)
