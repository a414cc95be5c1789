"""Amenities, directions from starting points, and floor plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

from events.core.db.fields import LineField, ProseField
from events.core.parsing.cells import key_of
from events.core.photos import PhotoField
from events.programme.models.conference import Conference, Imported, Revisable, unique_source
from events.programme.models.event import Event
from events.programme.models.labels import unused_slug
from events.programme.models.sponsors import Sponsor
from events.programme.models.venue import Room, Service, Venue, Zone
from events.programme.queries.public_names import only_public
from events.venue.rules.checked_plans import MAX_PLAN_SIDE_PX
from events.venue.rules.drawing import Drawing
from events.venue.rules.plans import PointsError, Shape, check_inside, parse_shape
from events.venue.rules.routes import RouteStep

PLACE_FIELDS = ("event", "service", "room", "zone")


def _is_public_or_empty(name: str, model: type[models.Model]) -> models.Q:
    return models.Q(**{name: None}) | models.Q(**{f"{name}__in": only_public(model._default_manager.all())})


def _places_are_public() -> models.Q:
    """The condition for rows with a room and a zone."""
    return _is_public_or_empty("room", Room) & _is_public_or_empty("zone", Zone)


class AmenityQuerySet(models.QuerySet["Amenity"]):
    def public(self) -> Self:
        shown = Event.objects.public().values("pk")
        at_event = models.Q(event=None) | models.Q(event__in=shown)
        return self.filter(at_event, _places_are_public(), conference__in=Conference.objects.public())

    def with_places(self) -> Self:
        related = ["event__day", "service__zone__venue", "service__room__zone__venue", "room__zone__venue", "zone__venue"]
        return self.select_related(*related)


class Amenity(Imported, Revisable):
    """A small comfort at an event, a service, a room or a zone; without any of these, everywhere."""

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
        named = [name for name in PLACE_FIELDS if getattr(self, f"{name}_id")]
        if len(named) > 1:
            raise ValidationError({named[1]: f"An amenity is at one place: keep the {named[0]} or this {named[1]}."})

    @property
    def place(self) -> Event | Service | Room | Zone | None:
        """None means everywhere."""
        place: Event | Service | Room | Zone | None = next(filter(None, (getattr(self, name) for name in PLACE_FIELDS)), None)
        return place


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


MODE_ICONS: dict[str, str] = {
    Mode.LIFT: "arrow-up-down",
    Mode.ESCALATOR: "arrow-up-right",
    Mode.STAIRS: "arrow-up",
    Mode.TRAIN: "train-front",
    Mode.TAXI: "car-taxi-front",
    Mode.BUS: "bus",
}
"""Drawings in icons.svg."""


class StartingPointQuerySet(models.QuerySet["StartingPoint"]):
    def public(self) -> Self:
        """Without those from which all routes lead to zones that are hidden."""
        routes = Route.objects.filter(start=models.OuterRef("pk"))
        return self.filter(models.Exists(routes.public()) | ~models.Exists(routes))

    def by_slug(self, conference: Conference, slug: str) -> StartingPoint | None:
        # The slug is from a cookie or an address, and may contain what PostgreSQL refuses.
        return self.public().filter(conference=conference, slug=slug).first() if slug and slug.isprintable() else None


class StartingPoint(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="starting_points")
    name = LineField(max_length=100)
    slug = models.SlugField(max_length=60)
    kind = models.CharField(max_length=20, choices=StartKind, default=StartKind.HOTEL)
    description = ProseField()
    position = models.PositiveIntegerField(default=0)

    objects = StartingPointQuerySet.as_manager()

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("starting_point"),
            models.UniqueConstraint(fields=["conference", "slug"], name="starting_point_unique_slug"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.slug = self.slug or unused_slug(self, self.name)
        super().save(*args, **kwargs)


class RouteQuerySet(models.QuerySet["Route"]):
    def public(self) -> Self:
        return self.filter(zone__in=only_public(Zone.objects.all()))

    def described(self) -> Self:
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
    def steps(self) -> list[RouteStep]:
        return [RouteStep(leg.minutes, leg.covered, leg.step_free, leg.gate_free) for leg in self.legs.all()]


class Leg(models.Model):
    """One step of a route; None in a yes-or-no field means unknown."""

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

    @property
    def icon(self) -> str:
        return MODE_ICONS.get(self.mode, "arrow-right")

    def clean(self) -> None:
        if self.photo and not self.photo_alt:
            raise ValidationError({"photo_alt": "Say in words what the photo shows, for people who cannot see it."})


class FloorPlanQuerySet(models.QuerySet["FloorPlan"]):
    def public(self) -> Self:
        """Without those on which every place is hidden."""
        placed = PlanArea.objects.with_place().filter(plan=models.OuterRef("pk"))
        return self.filter(models.Exists(placed.public()) | ~models.Exists(placed))


class FloorPlan(Imported, Revisable):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="plans")
    venue = models.ForeignKey(Venue, models.CASCADE, related_name="plans")
    name = LineField(max_length=100, help_text="As on the lift's button: Level 2.")
    width = models.PositiveIntegerField(default=1000)
    height = models.PositiveIntegerField(default=600)
    # An SVG as it was uploaded, which is only shown as an image; without one, only the areas are drawn.
    drawing = models.TextField(blank=True, editable=False)
    position = models.PositiveIntegerField(default=0)

    objects = FloorPlanQuerySet.as_manager()

    # Element ids of areas that the new drawing replaces: their old points need not fit the new size.
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
        return key_of(self.name)

    def clean(self) -> None:
        if self.venue_id and self.venue.conference_id != self.conference_id:
            raise ValidationError({"venue": "This venue belongs to another conference."})
        for name in ("width", "height"):
            value = getattr(self, name)
            if value is not None and not 1 <= value <= MAX_PLAN_SIDE_PX:
                problem = (
                    f"{value} is not a possible {name} of a plan: write a number from 1 to {MAX_PLAN_SIDE_PX}; 1000 is usual."
                )
                raise ValidationError({name: problem})

    def set_drawing(self, drawing: Drawing | None) -> None:
        """Set or remove the drawing, without saving."""
        self.drawing = drawing.svg if drawing else ""
        if drawing:
            self.width, self.height = drawing.width, drawing.height
            named = places_by_name(self)
            self.redrawn = frozenset(element_id(named[name][1]) for name in drawing.areas)

    def place_areas(self, areas: Mapping[str, str]) -> list[PlanArea]:
        """Save areas (points by name of the element); each replaces the areas of its room, zone or service."""
        named = places_by_name(self)
        # One room may be drawn under two names.
        points_by_place: dict[tuple[str, Place], str] = {}
        for name, points in areas.items():
            points_by_place.setdefault(named[name], points)
        for field, row in points_by_place:
            self.areas.filter(**{field: row}).delete()
        return [
            PlanArea.objects.create(plan=self, points=points, **{field: row}) for (field, row), points in points_by_place.items()
        ]


Place = Room | Zone | Service | Sponsor


def places_by_name(plan: FloorPlan) -> dict[str, tuple[str, Place]]:
    """Return the places of a plan's venue, each with its field, by possible element ids; rooms come before zones."""
    named: dict[str, tuple[str, Place]] = {}
    rooms = Room.objects.filter(zone__venue=plan.venue_id)
    zones = Zone.objects.filter(venue=plan.venue_id)
    services = Service.objects.filter(conference=plan.conference_id)
    sponsors = Sponsor.objects.filter(conference=plan.conference_id)
    places: list[tuple[str, Iterable[Place]]] = [("room", rooms), ("zone", zones), ("service", services), ("sponsor", sponsors)]
    for field, rows in places:
        for row in rows:
            other = key_of(row.booth) if isinstance(row, Sponsor) else row.source_key
            for name in filter(None, (key_of(row.name), other)):
                named.setdefault(name, (field, row))
                named.setdefault(f"{field}-{name}", (field, row))
    return named


def element_id(place: Place) -> str:
    return f"area-{type(place).__name__.lower()}-{place.pk}"


class PlanAreaQuerySet(models.QuerySet["PlanArea"]):
    def with_place(self) -> Self:
        return self.exclude(room=None, zone=None, service=None, sponsor=None)

    def public(self) -> Self:
        return self.filter(_places_are_public())


class PlanArea(models.Model):
    """A room, zone, service, booth or label on a plan; ``points`` as in SVG: "x,y x,y x,y"; four numbers are a rectangle."""

    plan = models.ForeignKey(FloorPlan, models.CASCADE, related_name="areas")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="areas")
    zone = models.ForeignKey(Zone, models.CASCADE, null=True, blank=True, related_name="areas")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="areas")
    sponsor = models.ForeignKey(Sponsor, models.CASCADE, null=True, blank=True, related_name="areas")
    label = LineField(max_length=60, blank=True)
    points = models.CharField(
        max_length=2000, blank=True, help_text="Left, top, width, height: 40 40 200 120. Or corners: 40,40 240,40 240,160."
    )
    position = models.PositiveIntegerField(default=0)

    objects = PlanAreaQuerySet.as_manager()

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.label or str(self.place or "Area")

    @property
    def place(self) -> Place | None:
        return self.room or self.zone or self.service or self.sponsor

    @property
    def element_id(self) -> str:
        return element_id(self.place) if self.place else ""

    @property
    def shape(self) -> Shape | None:
        """None for invalid points, which only a direct write to the database can store."""
        try:
            return parse_shape(self.points)
        except PointsError:
            return None

    def clean(self) -> None:
        if not (self.label or self.place):
            raise ValidationError("Choose a room, a zone, a service or a sponsor, or write a label.")
        if sum(it is not None for it in (self.room_id, self.zone_id, self.service_id, self.sponsor_id)) > 1:
            raise ValidationError("Choose one of room, zone, service and sponsor, and leave the others empty.")
        self._check_venue()
        if self.element_id in self.plan.redrawn:
            return
        try:
            check_inside(parse_shape(self.points), self.plan.width, self.plan.height)
        except PointsError as error:
            raise ValidationError({"points": f"{str(error)[0].upper()}{str(error)[1:]}."}) from error

    def _check_venue(self) -> None:
        zone = self.zone or (self.room.zone if self.room else None)
        if zone and self.plan.venue_id and zone.venue_id != self.plan.venue_id:
            name = "room" if self.room else "zone"
            raise ValidationError({name: f"{self.place} is in {zone.venue}, and this plan is of {self.plan.venue}."})
