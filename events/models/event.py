"""The event: one thing that happens, bookmarked, moved, cancelled and exported like any other."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from django.apps import apps
from django.db import models, transaction
from django.db.models import F, Prefetch, Q
from django.urls import reverse
from django.utils import timezone

from events.models.announcing import ANNOUNCED_FIELDS, announce
from events.models.base import Imported, unique_source
from events.models.conference import Conference, Day
from events.models.fields import LineField, ProseField, WebAddressField
from events.models.history import SharedRecords
from events.models.labels import EventType, Kind, Topic, Track
from events.models.services import Service
from events.models.venue import Room

if TYPE_CHECKING:
    from events.models.changes import Change


TALKS = (Kind.SESSION, Kind.INVITED_TALK, Kind.TALK)
"""What an event's own entry in a calendar lists of what is inside it: posters are too many, coffee is no news."""


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
    """What ``EventQuerySet.public`` says, of the event that another row refers to as ``path``."""
    within = f"{path}__session"
    return (
        Q(**{f"{path}__conference__status": "published", f"{path}__status__in": [it for it in Status if it != Status.DRAFT]})
        & (Q(**{within: None}) | ~Q(**{f"{within}__status": Status.DRAFT}))
        & (Q(**{f"{within}__session": None}) | ~Q(**{f"{within}__session__status": Status.DRAFT}))
    )


class EventQuerySet(models.QuerySet["Event"]):
    def public(self) -> Self:
        """What attendees may know of: no drafts, nothing inside a draft, nothing of a draft conference."""
        drafts = [Q(**{f"{within}status": Status.DRAFT}) for within in ("", "session__", "session__session__")]
        return self.filter(conference__status="published").exclude(Q(*drafts, _connector=Q.OR))

    def picked_in(self, agenda: int, *levels: str) -> Self:
        """At any level, or at one of these; each says whether its holder presents it."""
        wanted = {"bookmarks__level__in": levels} if levels else {}
        picks = self.filter(bookmarks__agenda=agenda, bookmarks__removed_at=None, **wanted)
        return picks.annotate(presents=F("bookmarks__presents"))

    def attended_in(self, agenda: int) -> Self:
        """Picked, and not only to be watched later."""
        return self.picked_in(agenda, "must", "maybe")

    def of_kind(self, *kinds: Kind) -> Self:
        return self.filter(type__kind__in=kinds)

    def for_cards(self) -> Self:
        """Everything a card or a calendar entry shows, in a constant number of queries."""
        related = ["conference", "type", "track", "topic", "day", "session", "paper", "room__zone__venue"]
        related += ["service__zone__venue", "service__room__zone__venue"]
        return self.select_related(*related).prefetch_related(*_people())

    def for_calendars(self) -> Self:
        """As for cards, with the talks that the entry of a session lists."""
        return self.for_cards().prefetch_related(_talks())

    def for_faces(self) -> Self:
        """Everything an announcement compares, for any number of events and people."""
        related = ["conference", "type", "track", "topic", "day", "session__session", "paper", "room__zone__venue"]
        related += ["overflow_room", "service__zone__venue", "service__room__zone__venue"]
        people = _people(["event", "role", "remote", "person__name"], ["paper", "person__name"])
        return self.select_related(*related).prefetch_related(*people, _talks(), "links").defer("imported", "paper__imported")

    def in_order(self) -> Self:
        return self.order_by(F("day__date").asc(nulls_last=True), F("start").asc(nulls_last=True), "position", "title", "pk")

    def announce(self, *, reason: str = "", quiet: bool = False) -> list[Change]:
        """Record what attendees see differently in these events since they were last announced.

        Writes Change rows, raises ``sequence`` and ``revised_at`` of what moved and the conference's revision once;
        ``quiet`` leaves out the rows that say "new", for a programme's first publication.
        """
        return announce(self, reason=reason, quiet=quiet)


def _people(appearance: Sequence[str] = (), authorship: Sequence[str] = ()) -> list[Prefetch[str]]:
    """Who appears and who wrote, joined to the person: SQLite takes no list of more than a thousand people to look up."""
    appearances = apps.get_model("events", "Appearance").objects.select_related("person")
    authorships = apps.get_model("events", "Authorship").objects.select_related("person")
    return [
        Prefetch("appearances", appearances.only(*appearance) if appearance else appearances),
        Prefetch("paper__authorships", authorships.only(*authorship) if authorship else authorships),
    ]


class Event(Imported):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="events")
    guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    type = models.ForeignKey(EventType, models.RESTRICT, related_name="events")
    title = LineField(max_length=300)
    abstract = ProseField(help_text="Markdown and $TeX$.")
    status = models.CharField(max_length=20, choices=Status, default=Status.DRAFT)

    day = models.ForeignKey(
        Day, models.RESTRICT, null=True, blank=True, related_name="events", help_text="Empty: to be announced."
    )
    start = models.DateTimeField(null=True, blank=True, help_text="Empty: the hour is to be announced.")
    end = models.DateTimeField(null=True, blank=True)
    room = models.ForeignKey(Room, models.RESTRICT, null=True, blank=True, related_name="events")
    place = LineField(max_length=200, blank=True, help_text="In words, where no room says it.")
    travel_minutes = models.PositiveIntegerField("minutes from the venue", null=True, blank=True)

    track = models.ForeignKey(Track, models.SET_NULL, null=True, blank=True, related_name="events")
    topic = models.ForeignKey(Topic, models.SET_NULL, null=True, blank=True, related_name="events")
    session = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="children", help_text="It is part of this."
    )
    position = models.PositiveIntegerField(default=0, help_text="Order among events of the same start.")
    paper = models.ForeignKey("events.Paper", models.SET_NULL, null=True, blank=True, related_name="events")
    service = models.ForeignKey(
        Service, models.CASCADE, null=True, blank=True, related_name="hours", help_text="Opening hours of this."
    )
    board = LineField("poster board", max_length=20, blank=True)

    official = models.BooleanField("official", default=False, help_text="Run by the conference itself.")
    at_venue = models.BooleanField("at the venue", null=True, blank=True)
    audience = LineField("who may come", max_length=300, blank=True)
    access_notes = ProseField("accessibility", max_length=2_000, help_text="Steps, lift, hearing loop, seats, food.")
    signup_url = WebAddressField("sign-up page")
    signup_state = models.CharField(max_length=20, choices=SignupState, blank=True)
    signup_checked_at = models.DateTimeField("sign-up checked at", null=True, blank=True)
    signup_until = models.DateTimeField("sign-up until", null=True, blank=True)
    cost = LineField(max_length=100, blank=True)
    capacity = models.PositiveIntegerField(null=True, blank=True)

    overflow_room = models.ForeignKey(
        Room, models.RESTRICT, null=True, blank=True, related_name="overflows", help_text="Shows it too, when the room is full."
    )
    takes_questions = models.BooleanField("takes questions here", default=False)
    stream_url = WebAddressField("live stream")
    recording_url = WebAddressField("recording")
    recording_from = models.DateField(
        "recording public from", null=True, blank=True, help_text="No link is shown before this date."
    )
    recording_offset = models.PositiveIntegerField("recording starts at second", null=True, blank=True)
    notes = ProseField("what was said", help_text="Shown apart from the abstract, with its source.")
    notes_source = WebAddressField("source of the notes")

    sequence = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revised_at = models.DateTimeField(default=timezone.now, editable=False)
    announced = models.JSONField(default=dict, editable=False)
    history = SharedRecords(excluded_fields=["announced", "imported", "sequence", "revised_at", "created_at"])

    # Whether the holder of an agenda stands there; known of what was read as a pick.
    presents = False

    objects = EventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["conference", "day", "start"], name="event_by_day"),
            models.Index(fields=["conference", "status"], name="event_by_status"),
            models.Index(fields=["conference", "title"], name="event_by_title"),
        ]
        constraints = [
            unique_source("event"),
            models.CheckConstraint(
                # In SQL nothing is not "false": that both are there must be said.
                condition=Q(start__isnull=False, end__isnull=False, end__gt=F("start")) | Q(start=None, end=None),
                name="event_ends_after_start",
                violation_error_message="An event ends after it starts; give both times or neither.",
            ),
            models.CheckConstraint(
                condition=Q(start=None) | Q(day__isnull=False),
                name="event_with_time_has_day",
                violation_error_message="Choose the day this time belongs to.",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("events:event-detail", args=[self.conference.slug, self.guid])

    @property
    def is_public(self) -> bool:
        inside = [self.session, self.session.session] if self.session else []
        hidden = any(event.status == Status.DRAFT for event in [self, *inside] if event)
        return not hidden and self.conference.status == "published"

    @property
    def is_cancelled(self) -> bool:
        return self.status == Status.CANCELLED

    @property
    def is_tba(self) -> bool:
        return self.start is None

    @property
    def is_asterisked(self) -> bool:
        """A social that is official *and* at the venue: what the asterisk of their list says."""
        return self.type.kind == Kind.SOCIAL and self.official and bool(self.at_venue)

    @property
    def minutes(self) -> int | None:
        return int((self.end - self.start) / dt.timedelta(minutes=1)) if self.start and self.end else None

    @property
    def location(self) -> str:
        own = ", ".join(filter(None, [self.place, self.room.location if self.room else ""]))
        return own or (self.service.location if self.service else "")

    @property
    def people_names(self) -> list[str]:
        return [appearance.person.name for appearance in self.appearances.all()]

    @property
    def talks(self) -> list[Event]:
        """What goes on in it that attendees may know of, hour by hour."""
        shown = [it for it in self.children.all() if it.status != Status.DRAFT and it.type.kind in TALKS]
        return sorted(shown, key=lambda it: (it.start is None, it.start and it.start.timestamp(), it.title, it.guid))

    def save_changed(self) -> bool:
        """Save if a field differs from the stored row; a save that changes nothing leaves no trace."""
        with transaction.atomic():
            # The conference first, as an import does: two who save at once wait here, and neither for the other.
            Conference.objects.select_for_update().filter(pk=self.conference_id).first()
            stored = Event.objects.filter(pk=self.pk).values(*(f.attname for f in Event._meta.concrete_fields)).first()
            if stored is not None:
                # What was announced since this instance was read stays: a sequence that fell would be ignored by calendars.
                self.announced, self.sequence, self.revised_at = (stored.pop(name) for name in ANNOUNCED_FIELDS)
                if all(getattr(self, name) == value for name, value in stored.items()):
                    return False
            self.save()
        return True

    def revise(self, *, reason: str = "") -> list[Change]:
        """Save, and record what attendees see differently, in this event and in what it holds."""
        with transaction.atomic():
            self.save_changed()
            changes = Event.objects.filter(Q(pk=self.pk) | Q(session=self.pk) | Q(session__session=self.pk)).announce(
                reason=reason
            )
            self.refresh_from_db(fields=["sequence", "revised_at", "announced"])
        return changes


def _talks() -> Prefetch[str]:
    talks = Event.objects.exclude(status=Status.DRAFT).of_kind(*TALKS).select_related("type", "room")
    shown = ("guid", "session", "status", "title", "start", "end", "place", "type__kind", "room__name")
    return Prefetch("children", talks.only(*shown))
