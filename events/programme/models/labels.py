"""Kinds, types, tracks, topics and statuses of events."""

from __future__ import annotations

from itertools import count
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.text import slugify

from events.core.db.fields import HEX_COLOUR, LineField, hex_colour, line_colour
from events.programme.drafts import drafts_are_shown
from events.programme.models.conference import Conference, Imported, Revisable, unique_source


class Kind(models.TextChoices):
    """How an event behaves; its name on pages is that of its type."""

    INVITED_TALK = "invited-talk", "Invited talk"
    SESSION = "session", "Session"
    TALK = "talk", "Talk"
    POSTER = "poster", "Poster"
    SOCIAL = "social", "Social"
    BREAK = "break", "Break"
    SERVICE = "service", "Service"


COLOUR_LINE_BY_KIND = {
    Kind.INVITED_TALK: "invited",
    Kind.SESSION: "session",
    Kind.TALK: "session",
    Kind.POSTER: "poster",
    Kind.SOCIAL: "social",
    Kind.BREAK: "break",
    Kind.SERVICE: "break",
}


MAX_LABEL_SLUG_CHARS = 60
MAX_NUMBERED_CHARS = 54


def unused_slug(row: Any, text: str) -> str:
    """A slug made of the text that no other row of its conference has."""
    base = slugify(text, allow_unicode=False)[:MAX_LABEL_SLUG_CHARS].strip("-") or "other"
    short = base[:MAX_NUMBERED_CHARS]
    others = type(row)._default_manager.filter(conference=row.conference_id, slug__startswith=short)
    taken = set(others.values_list("slug", flat=True))
    return next(slug for number in count(1) if (slug := base if number == 1 else f"{short}-{number}") not in taken)


class Label(Imported, Revisable):
    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(getattr(self, "name", ""))

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not getattr(self, "slug", ""):
            setattr(self, "slug", unused_slug(self, str(self)))  # noqa: B010
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
        return self.colour if self.colour and not HEX_COLOUR.match(self.colour) else COLOUR_LINE_BY_KIND[Kind(self.kind)]

    @property
    def hex(self) -> str:
        return self.colour if HEX_COLOUR.match(self.colour) else ""

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


TALK_KINDS = (Kind.SESSION, Kind.INVITED_TALK, Kind.TALK)
"""Children that the calendar entry of a session lists. Posters are too many, and breaks are no news."""


class Status(models.TextChoices):
    DRAFT = "draft", "Draft: only organisers see it"
    TENTATIVE = "tentative", "Tentative"
    CONFIRMED = "confirmed", "Confirmed"
    CANCELLED = "cancelled", "Cancelled"


class SignupState(models.TextChoices):
    OPEN = "open", "Places left"
    FILLING = "filling", "Filling up"
    FULL = "full", "Full"
    CLOSED = "closed", "Sign-up closed"


def public_within(path: str) -> Q:
    """Return the condition of ``EventQuerySet.public`` for rows that refer to an event by ``path``."""
    if drafts_are_shown():
        return Q(**{f"{path}__isnull": False})
    return published_within(path)


def published_within(path: str) -> Q:
    within = f"{path}__session"
    return (
        Q(
            **{
                f"{path}__conference__status": "published",
                f"{path}__status__in": [it for it in Status if it != Status.DRAFT],
            }
        )
        & (Q(**{within: None}) | ~Q(**{f"{within}__status": Status.DRAFT}))
        & (Q(**{f"{within}__session": None}) | ~Q(**{f"{within}__session__status": Status.DRAFT}))
    )
