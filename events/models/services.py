"""Desks, lines and stands: what attendees look for besides the programme."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.urls import reverse

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.fields import LineField, ProseField
from events.models.venue import Room, Zone

TAXI = ("taxi", "car-taxi-front")


class ServiceQuerySet(models.QuerySet["Service"]):
    def taxi_stands(self) -> Self:
        return self.filter(icon__in=TAXI)


class Service(Imported, Revisable):
    """Its hours on a day are events of kind service; of one without hours nothing is claimed."""

    event_paths = ("service",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="services")
    name = LineField(max_length=100)
    icon = models.SlugField(max_length=30, blank=True)
    description = ProseField()
    zone = models.ForeignKey(Zone, models.RESTRICT, null=True, blank=True, related_name="services")
    room = models.ForeignKey(Room, models.RESTRICT, null=True, blank=True, related_name="services")
    place = LineField(max_length=200, blank=True, help_text="In words, where no room or zone says it: by Apex Gallery.")
    position = models.PositiveIntegerField(default=0)

    objects = ServiceQuerySet.as_manager()

    class Meta:
        ordering = ["position", "name"]
        constraints = [unique_source("service")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:service-list', args=[self.conference.slug])}#service-{self.pk}"

    @property
    def location(self) -> str:
        """The place in words and the room or zone, in one line."""
        where = self.room.location if self.room else f"{self.zone.name}, {self.zone.venue.name}" if self.zone else ""
        return ", ".join(filter(None, [self.place, where]))
