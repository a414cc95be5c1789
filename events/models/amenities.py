"""Small comforts and where they are: decaf, a quiet room, a microwave."""

from __future__ import annotations

from typing import Self

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.event import Event
from events.models.fields import LineField
from events.models.services import Service
from events.models.venue import Room, Zone

PLACES = ("event", "service", "room", "zone")


class AmenityQuerySet(models.QuerySet["Amenity"]):
    def public(self) -> Self:
        """What is not at an event that attendees do not know of."""
        shown = Event.objects.public().values("pk")
        return self.filter(conference__status="published").filter(models.Q(event=None) | models.Q(event__in=shown))

    def with_places(self) -> Self:
        related = ["event__day", "service__zone__venue", "service__room__zone__venue", "room__zone__venue", "zone__venue"]
        return self.select_related(*related)


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

    objects = AmenityQuerySet.as_manager()

    class Meta:
        ordering = ["position", "name"]
        verbose_name_plural = "amenities"
        constraints = [unique_source("amenity")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:service-list', args=[self.conference.slug])}#amenity-{self.pk}"

    def clean(self) -> None:
        named = [name for name in PLACES if getattr(self, f"{name}_id")]
        if len(named) > 1:
            raise ValidationError({named[1]: f"It is at one place: keep the {named[0]} or this {named[1]}."})

    @property
    def place(self) -> Event | Service | Room | Zone | None:
        """What it is at; nothing means everywhere."""
        found: Event | Service | Room | Zone | None = next(filter(None, (getattr(self, name) for name in PLACES)), None)
        return found
