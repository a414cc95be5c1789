"""Small comforts and where they are: decaf, a quiet room, a microwave."""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.event import Event
from events.models.fields import LineField
from events.models.services import Service
from events.models.venue import Room, Zone


class Amenity(Imported, Revisable):
    """At a break, a service, a room or a zone; without any of them, everywhere."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="amenities")
    name = LineField(max_length=100)
    note = LineField(max_length=500, blank=True)
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="amenities")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="amenities")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="amenities")
    zone = models.ForeignKey(Zone, models.CASCADE, null=True, blank=True, related_name="amenities")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]
        verbose_name_plural = "amenities"
        constraints = [unique_source("amenity")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:service-list', args=[self.conference.slug])}#amenity-{self.pk}"
