"""Venues, their zones and rooms, walks between zones, and services."""

from __future__ import annotations

from typing import Self

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from simple_history.models import HistoricalRecords

from events.core.db.fields import LineField, ProseField, WebAddressField
from events.programme.models.conference import Conference, Imported, Revisable, unique_source

UNNAMED_VENUE = "Venue"
"""The name of a venue, and of its zone, that an import made because rooms need one."""


class Venue(Imported, Revisable):
    event_paths = ("room__zone__venue",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="venues")
    name = LineField(max_length=200)
    address = LineField(blank=True)
    latitude = models.FloatField(null=True, blank=True, validators=[MinValueValidator(-90), MaxValueValidator(90)])
    longitude = models.FloatField(null=True, blank=True, validators=[MinValueValidator(-180), MaxValueValidator(180)])
    url = WebAddressField("own website")
    about = ProseField()
    transport = ProseField(help_text="Markdown. Which taxis and apps work here, where they stop.")

    class Meta:
        ordering = ["pk"]
        constraints = [unique_source("venue")]

    def __str__(self) -> str:
        return self.name


class Zone(Imported, Revisable):
    """A hall, a group of rooms, an exit, or a place outside the venue."""

    event_paths = ("room__zone",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="zones")
    venue = models.ForeignKey(Venue, models.CASCADE, related_name="zones")
    name = LineField(max_length=100)
    letter = LineField(max_length=4, blank=True, help_text="Shown before the room on its plate.")
    description = ProseField()
    off_site = models.BooleanField("elsewhere", default=False, help_text="Not at the venue: a bar, a hotel.")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("zone"),
            models.UniqueConstraint(fields=["venue", "name"], name="zone_unique_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:venue', args=[self.conference.slug])}#zone-{self.pk}"

    @property
    def location_names(self) -> list[str]:
        """Itself and its venue, each once: the only zone of a venue may have its name."""
        return list(dict.fromkeys(name for name in (self.name, self.venue.name) if name != UNNAMED_VENUE))

    def clean(self) -> None:
        if self.venue_id and self.venue.conference_id != self.conference_id:
            raise ValidationError({"venue": "This venue belongs to another conference."})


class RoomState(models.TextChoices):
    """The states of a crowd report about a room or a queue."""

    OPEN = "open", "Seats left"
    FILLING = "filling", "Nearly full"
    FULL = "full", "Full"


class Room(Imported, Revisable):
    event_paths = ("room",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="rooms")
    zone = models.ForeignKey(Zone, models.RESTRICT, related_name="rooms")
    name = LineField(max_length=100, help_text="As on the door: Garnet 212–213.")
    floor = LineField(max_length=20, blank=True)
    capacity = models.PositiveIntegerField(null=True, blank=True)
    description = ProseField()
    position = models.PositiveIntegerField(default=0)
    history = HistoricalRecords(excluded_fields=["imported"])

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("room"),
            models.UniqueConstraint(fields=["zone", "name"], name="room_unique_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('events:venue', args=[self.conference.slug])}#room-{self.pk}"

    def clean(self) -> None:
        if self.zone_id and self.zone.conference_id != self.conference_id:
            raise ValidationError({"zone": "This zone belongs to another conference."})

    @property
    def location(self) -> str:
        floor = [f"floor {self.floor}"] if self.floor else []
        # “Hall 1” needs no “Hall”.
        within = [name for name in self.zone.location_names if name != self.zone.name or name not in self.name]
        return ", ".join(dict.fromkeys([self.name, *floor, *within]))


class Walk(Imported, Revisable):
    """Minutes between two zones; without a row they are unknown."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="walks")
    origin = models.ForeignKey(Zone, models.CASCADE, related_name="walks_from")
    destination = models.ForeignKey(Zone, models.CASCADE, related_name="walks_to")
    minutes = models.PositiveIntegerField()
    minutes_back = models.PositiveIntegerField(null=True, blank=True, help_text="Only if the way back takes another time.")
    covered = models.BooleanField(null=True, blank=True, help_text="Dry in the rain?")
    step_free = models.BooleanField(null=True, blank=True)

    class Meta:
        ordering = ["origin__position", "destination__position"]
        constraints = [
            unique_source("walk"),
            models.UniqueConstraint(fields=["origin", "destination"], name="walk_unique_pair"),
            models.CheckConstraint(
                condition=~Q(origin=F("destination")),
                name="walk_between_two_zones",
                violation_error_message="A walk leads from one zone to another: choose two, or add a second zone first.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.origin} → {self.destination}: {self.minutes} min"


TAXI_ICONS = ("taxi", "car-taxi-front")


class ServiceQuerySet(models.QuerySet["Service"]):
    def taxi_stands(self) -> Self:
        return self.filter(icon__in=TAXI_ICONS)


class Service(Imported, Revisable):
    """A desk or stand. Its opening hours are events of kind service; without any they are unknown."""

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
        where = self.room.location if self.room else f"{self.zone.name}, {self.zone.venue.name}" if self.zone else ""
        return ", ".join(filter(None, [self.place, where]))
