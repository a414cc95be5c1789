"""A floor as a drawing: an SVG that was cleaned, or areas with coordinates."""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.fields import LineField
from events.models.services import Service
from events.models.venue import Room, Venue, Zone


class FloorPlan(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="plans")
    venue = models.ForeignKey(Venue, models.CASCADE, related_name="plans")
    name = LineField(max_length=100, help_text="As on the lift's button: Level 2.")
    width = models.PositiveIntegerField(default=1000)
    height = models.PositiveIntegerField(default=600)
    # What is left of an uploaded drawing after cleaning; empty: the areas alone are drawn.
    drawing = models.TextField(blank=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("floor_plan"),
            models.UniqueConstraint(fields=["venue", "name"], name="floor_plan_unique_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:venue', args=[self.conference.slug])}#plan-{self.pk}"


class PlanArea(models.Model):
    """A room, zone or service on a plan, or only words; ``points`` as in SVG: "x,y x,y x,y"; four numbers are a rectangle."""

    plan = models.ForeignKey(FloorPlan, models.CASCADE, related_name="areas")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="areas")
    zone = models.ForeignKey(Zone, models.CASCADE, null=True, blank=True, related_name="areas")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="areas")
    label = LineField(max_length=60, blank=True)
    points = models.CharField(
        max_length=2000, blank=True, help_text="Left, top, width, height: 40 40 200 120. Or corners: 40,40 240,40 240,160."
    )
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.label or str(self.room or self.zone or self.service or "Area")
