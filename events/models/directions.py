"""The way to the venue as data, so that rain and wheels can choose it."""

from __future__ import annotations

from typing import Self

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.fields import LineField, ProseField
from events.models.photos import PhotoField
from events.models.venue import Zone
from events.schedule.routes import Step


class StartKind(models.TextChoices):
    HOTEL = "hotel", "Hotel"
    AIRPORT = "airport", "Airport"
    STATION = "station", "Station"
    CITY = "city", "City"
    STREET = "street", "Street"


class Mode(models.TextChoices):
    WALK = "walk", "Walk"
    LIFT = "lift", "Lift"
    ESCALATOR = "escalator", "Escalator"
    STAIRS = "stairs", "Stairs"
    TRAIN = "train", "Train"
    TAXI = "taxi", "Taxi"
    BUS = "bus", "Bus"


class StartingPointManager(models.Manager["StartingPoint"]):
    def by_slug(self, conference: Conference, slug: str) -> StartingPoint | None:
        """The start of that name, if there is one; whatever a browser remembers as its name."""
        return self.filter(conference=conference, slug=slug).first() if slug and slug.isprintable() else None


class StartingPoint(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="starting_points")
    name = LineField(max_length=100)
    slug = models.SlugField(max_length=60)
    kind = models.CharField(max_length=20, choices=StartKind, default=StartKind.HOTEL)
    description = ProseField()
    position = models.PositiveIntegerField(default=0)

    objects = StartingPointManager()

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("starting_point"),
            models.UniqueConstraint(fields=["conference", "slug"], name="starting_point_unique_slug"),
        ]

    def __str__(self) -> str:
        return self.name


class RouteQuerySet(models.QuerySet["Route"]):
    def described(self) -> Self:
        """With all that a page says of them."""
        return self.select_related("start", "zone").prefetch_related("legs")


class Route(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="routes")
    start = models.ForeignKey(StartingPoint, models.CASCADE, related_name="routes")
    zone = models.ForeignKey(Zone, models.RESTRICT, related_name="routes", verbose_name="leads to")
    title = LineField(max_length=200)
    description = ProseField()
    checked_on = models.DateField("last checked on", null=True, blank=True)
    position = models.PositiveIntegerField(default=0)

    objects = RouteQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]
        constraints = [unique_source("route")]

    def __str__(self) -> str:
        return f"{self.start}: {self.title}"

    def get_absolute_url(self) -> str:
        return reverse("events:directions", args=[self.conference.slug], query={"from": self.start.slug})

    @property
    def steps(self) -> list[Step]:
        return [Step(leg.minutes, leg.covered, leg.step_free, leg.gate_free) for leg in self.legs.all()]


class Leg(models.Model):
    """One step of a route; an empty answer means that nobody has said."""

    route = models.ForeignKey(Route, models.CASCADE, related_name="legs")
    position = models.PositiveIntegerField(default=0)
    instruction = LineField(max_length=1000)
    mode = models.CharField(max_length=20, choices=Mode, default=Mode.WALK)
    sign = LineField(max_length=60, blank=True, help_text="What the sign there says: Exit A.")
    minutes = models.PositiveIntegerField(null=True, blank=True)
    covered = models.BooleanField(null=True, blank=True)
    step_free = models.BooleanField(null=True, blank=True)
    gate_free = models.BooleanField("no ticket gate", null=True, blank=True)
    photo = PhotoField(upload_to="legs/", blank=True)
    photo_alt = LineField("what the photo shows", max_length=500, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(photo="") | ~models.Q(photo_alt=""),
                name="leg_photo_has_alt",
                violation_error_message="Say in words what the photo shows.",
            ),
        ]

    def __str__(self) -> str:
        return self.instruction

    def clean(self) -> None:
        if self.photo and not self.photo_alt:
            raise ValidationError({"photo_alt": "Say in words what the photo shows, for people who cannot see it."})
