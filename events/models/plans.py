"""A floor as a plan: an SVG with areas over it, or areas alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from events.importers.cells import key_of
from events.importers.drawing import Drawing
from events.importers.plans import LARGEST_SIDE
from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.fields import LineField
from events.models.services import Service
from events.models.venue import Room, Venue, Zone
from events.schedule.plans import PointsError, Shape, check_inside, shape_of


class FloorPlan(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="plans")
    venue = models.ForeignKey(Venue, models.CASCADE, related_name="plans")
    name = LineField(max_length=100, help_text="As on the lift's button: Level 2.")
    width = models.PositiveIntegerField(default=1000)
    height = models.PositiveIntegerField(default=600)
    # An SVG as it was uploaded, only ever shown as an image; empty: the areas alone are drawn.
    drawing = models.TextField(blank=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    # What the drawing of this form places anew: those areas need not fit it as they are.
    redrawn: frozenset[str] = frozenset()

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("floor_plan"),
            models.UniqueConstraint(fields=["venue", "name"], name="floor_plan_unique_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        address = reverse("events:venue", args=[self.conference.slug], query={"floor": self.slug})
        return f"{address}#plan"

    @property
    def slug(self) -> str:
        """What ``?floor=`` calls it."""
        return key_of(self.name)

    def clean(self) -> None:
        if self.venue_id and self.venue.conference_id != self.conference_id:
            raise ValidationError({"venue": "This venue belongs to another conference."})
        for name in ("width", "height"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= LARGEST_SIDE:
                problem = f"{value} is no {name} that a plan can have: write a number from 1 to {LARGEST_SIDE}; 1000 is usual."
                raise ValidationError({name: problem})

    def draw(self, drawing: Drawing | None) -> None:
        """Take a drawing, or the one there is out; saves nothing."""
        self.drawing = drawing.svg if drawing else ""
        if drawing:
            self.width, self.height = drawing.width, drawing.height
            named = places_by_name(self)
            self.redrawn = frozenset(element_id(named[name][1]) for name in drawing.areas)

    def place(self, areas: Mapping[str, str]) -> list[PlanArea]:
        """Areas as a drawing names them, each instead of what its room had here before."""
        named = places_by_name(self)
        # One room may be drawn under two names.
        found: dict[tuple[str, Room | Zone | Service], str] = {}
        for name, points in areas.items():
            found.setdefault(named[name], points)
        for field, row in found:
            self.areas.filter(**{field: row}).delete()
        return [PlanArea.objects.create(plan=self, points=points, **{field: row}) for (field, row), points in found.items()]


def places_by_name(plan: FloorPlan) -> dict[str, tuple[str, Room | Zone | Service]]:
    """The rooms, zones and services of a plan's venue by what elements of a drawing may be called; a room before a zone."""
    found: dict[str, tuple[str, Room | Zone | Service]] = {}
    rooms = Room.objects.filter(zone__venue=plan.venue_id)
    zones = Zone.objects.filter(venue=plan.venue_id)
    services = Service.objects.filter(conference=plan.conference_id)
    places: list[tuple[str, Iterable[Room | Zone | Service]]] = [("room", rooms), ("zone", zones), ("service", services)]
    for field, rows in places:
        for row in rows:
            for name in (key_of(row.name), row.source_key, f"{field}-{key_of(row.name)}", f"{field}-{row.source_key}"):
                found.setdefault(name, (field, row))
    return {name: it for name, it in found.items() if name.strip("-")}


def element_id(place: Room | Zone | Service) -> str:
    return f"area-{type(place).__name__.lower()}-{place.pk}"


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
        return self.label or str(self.place or "Area")

    @property
    def place(self) -> Room | Zone | Service | None:
        return self.room or self.zone or self.service

    @property
    def element_id(self) -> str:
        """Of its element on a page; words alone have none."""
        return element_id(self.place) if self.place else ""

    @property
    def shape(self) -> Shape | None:
        """None for points that make no area: whoever put them in got past every form."""
        try:
            return shape_of(self.points)
        except PointsError:
            return None

    def clean(self) -> None:
        if not (self.label or self.place):
            raise ValidationError("Choose a room, a zone or a service, or write a label.")
        if sum(it is not None for it in (self.room_id, self.zone_id, self.service_id)) > 1:
            raise ValidationError("An area is one thing: choose a room, a zone or a service, and leave the others empty.")
        self._check_venue()
        if self.element_id in self.plan.redrawn:
            return
        try:
            check_inside(shape_of(self.points), self.plan.width, self.plan.height)
        except PointsError as error:
            raise ValidationError({"points": f"{str(error)[0].upper()}{str(error)[1:]}."}) from error

    def _check_venue(self) -> None:
        zone = self.zone or (self.room.zone if self.room else None)
        if zone and self.plan.venue_id and zone.venue_id != self.plan.venue_id:
            name = "room" if self.room else "zone"
            raise ValidationError({name: f"{self.place} is in {zone.venue}, and this plan is of {self.plan.venue}."})
