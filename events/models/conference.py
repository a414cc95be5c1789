"""A conference, its days, and what is said about it."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.apps import apps
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from simple_history.models import HistoricalRecords

from events.models.base import Imported, Revisable, plus_one, unique_source
from events.models.fields import LineField, ProseField, WebAddressField
from events.models.prepared_query import prepared
from events.models.validators import free_slug, hex_colour, time_zone

# The years that files may name too; farther out, adding a zone or a day overflows.
EARLIEST, LATEST = dt.date(1900, 1, 1), dt.date(2199, 12, 31)


class ConferenceStatus(models.TextChoices):
    DRAFT = "draft", "Draft: only organisers see it"
    PUBLISHED = "published", "Published"


class ConferenceQuerySet(models.QuerySet["Conference"]):
    def public(self) -> ConferenceQuerySet:
        return self.filter(status=ConferenceStatus.PUBLISHED)


@prepared
def _published(slug: str) -> models.QuerySet[Conference]:
    return Conference.objects.public().filter(slug=slug).defer("imported")


@prepared
def _unchanged(pk: int, revision: int) -> models.QuerySet[Conference, int]:
    return Conference.objects.public().filter(pk=pk, revision=revision).values_list("pk", flat=True)


class Conference(Imported, Revisable):
    quiet_fields = Revisable.quiet_fields | {"revision"}
    event_paths = ("conference",)
    announces_quietly = True

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
    about = ProseField(help_text="Markdown. Shown on the page about this conference.")
    status = models.CharField(max_length=20, choices=ConferenceStatus, default=ConferenceStatus.PUBLISHED)
    revision = models.PositiveBigIntegerField(default=0, editable=False)
    history = HistoricalRecords(excluded_fields=["revision", "imported"])

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
                condition=Q(start__gte=EARLIEST, end__lte=LATEST),
                name="conference_from_1900_to_2199",
                violation_error_message="Choose days from 1900 to 2199.",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("events:conference-detail", args=[self.slug])

    @classmethod
    def published(cls, slug: str) -> Conference | None:
        """The conference that pages at this address are about; every request asks."""
        return _published.first(slug)

    @property
    def is_current(self) -> bool:
        """Whether attendees see it, and nothing that they see has changed since this was read."""
        return bool(_unchanged(self.pk, self.revision))

    @property
    def zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.timezone)
        except (ValueError, OSError, ZoneInfoNotFoundError):
            # Only a row written around the forms gets here: its pages still answer.
            return ZoneInfo("UTC")

    @property
    def zone_name(self) -> str:
        """What people call the venue's time: “Singapore time”."""
        return f"{self.city or self.timezone.rpartition('/')[2].replace('_', ' ')} time"

    @property
    def place(self) -> str:
        return ", ".join(dict.fromkeys(filter(None, [self.city, self.country])))

    def home(self) -> Conference:
        return self

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            self.hold()
            super().save(*args, **kwargs)

    def hold(self) -> None:
        """Let nobody else change this conference until the transaction ends; its revision rose since it was read, perhaps."""
        held = Conference.objects.select_for_update().filter(pk=self.pk).first()
        self.revision = held.revision if held else self.revision

    def bump(self) -> None:
        """Everything public about this conference is new from here on."""
        Conference.objects.filter(pk=self.pk).update(revision=plus_one("revision"))
        # What changed is found as it is from the moment others see it; a fault in that undoes no change.
        transaction.on_commit(lambda: apps.get_model("events", "SearchIndex").follow(self.pk), robust=True)


class Fact(Imported, Revisable):
    """A figure about the conference and where it is from."""

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
    """An edition before this one; it links itself where Hallway has it."""

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
    """A date of the programme, also one outside the conference's own dates."""

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
                condition=Q(date__range=(EARLIEST, LATEST)),
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
