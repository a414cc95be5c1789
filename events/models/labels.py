"""What kinds of events there are, and what they are about."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.text import slugify

from events.models.base import Imported, Revisable, unique_source
from events.models.conference import Conference
from events.models.fields import LineField
from events.models.validators import HEX, hex_colour, line_colour


class Kind(models.TextChoices):
    """How an event behaves; what it is called is its type's name."""

    INVITED_TALK = "invited-talk", "Invited talk"
    SESSION = "session", "Session"
    TALK = "talk", "Talk"
    POSTER = "poster", "Poster"
    SOCIAL = "social", "Social"
    BREAK = "break", "Break"
    SERVICE = "service", "Service"


LINE_OF_KIND = {
    Kind.INVITED_TALK: "invited",
    Kind.SESSION: "session",
    Kind.TALK: "session",
    Kind.POSTER: "poster",
    Kind.SOCIAL: "social",
    Kind.BREAK: "break",
    Kind.SERVICE: "break",
}


class Label(Imported, Revisable):
    """A name with a colour that events carry."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(getattr(self, "name", ""))

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not getattr(self, "slug", ""):
            setattr(self, "slug", slugify(str(self), allow_unicode=False)[:60] or "other")  # noqa: B010
        super().save(*args, **kwargs)


class EventType(Label):
    event_paths = ("type",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="types")
    name = LineField(max_length=100, help_text="As attendees read it: Mentorship chat.")
    plural = LineField(max_length=100, blank=True)
    slug = models.SlugField(max_length=60, blank=True, help_text="Stays when the name changes, so addresses do too.")
    kind = models.CharField(max_length=20, choices=Kind, help_text="How it behaves.")
    colour = models.CharField(max_length=10, blank=True, validators=[line_colour], help_text="A line's name or #1747B8.")
    icon = models.SlugField(max_length=30, blank=True)
    position = models.PositiveIntegerField(default=0)
    default_minutes = models.PositiveIntegerField(default=60, help_text="Length taken when only the start is known.")

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("event_type"),
            models.UniqueConstraint(fields=["conference", "slug"], name="event_type_unique_slug"),
        ]

    @property
    def line(self) -> str:
        """The colour line a card of this type shows when the type has no colour of its own."""
        return self.colour if self.colour and not HEX.match(self.colour) else LINE_OF_KIND[Kind(self.kind)]

    @property
    def hex(self) -> str:
        return self.colour if HEX.match(self.colour) else ""

    @property
    def many(self) -> str:
        return self.plural or f"{self.name}s"


class Track(Label):
    event_paths = ("track",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="tracks")
    name = LineField(max_length=100)
    slug = models.SlugField(max_length=60, blank=True)
    colour = models.CharField(max_length=7, blank=True, validators=[hex_colour])
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            unique_source("track"),
            models.UniqueConstraint(fields=["conference", "slug"], name="track_unique_slug"),
        ]


class Topic(Label):
    """What a paper or event is about: an area, and perhaps a subarea."""

    event_paths = ("topic",)

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="topics")
    area = LineField(max_length=200)
    subarea = LineField(max_length=200, blank=True)
    slug = models.SlugField(max_length=60, blank=True)

    class Meta:
        ordering = ["area", "subarea"]
        constraints = [
            unique_source("topic"),
            models.UniqueConstraint(fields=["conference", "slug"], name="topic_unique_slug"),
        ]

    def __str__(self) -> str:
        return " › ".join(filter(None, [self.area, self.subarea]))
