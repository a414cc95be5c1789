"""Events: one thing, one time, one room; their public snapshot, and three proxies for the admin."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.db.models import F, Prefetch, Q
from django.utils import timezone

from events.core.db.fields import LanguageField, LineField, ProseField, SharedRecords, WebAddressField
from events.programme.addresses import event_url
from events.programme.data.export_numbers import MAX_EXPORT_NUMBER
from events.programme.drafts import drafts_are_shown
from events.programme.models.changes import Change, ChangeGroup
from events.programme.models.conference import Conference, Day, Imported, Revisable, unique_guid, unique_source
from events.programme.models.event_columns import (
    CALENDAR_FIELDS,
    CALENDAR_RELATED,
    EVENT_PLACES,
    SHARED_BY_EVENTS,
    UNANNOUNCED_FIELDS,
)
from events.programme.models.event_relations import people_prefetches, read_relations
from events.programme.models.labels import TALK_KINDS, EventType, Kind, SignupState, Status, Topic, Track
from events.programme.models.publishing import SNAPSHOT_FIELDS, record_changes
from events.programme.models.snapshot_texts import digest, instant_text, venue_texts
from events.programme.models.venue import Room, Service


class EventQuerySet(models.QuerySet["Event"]):
    def public(self) -> Self:
        """Select what attendees may see: no draft, nothing inside a draft, nothing of a draft conference."""
        return self.all() if drafts_are_shown() else self.published()

    def published(self) -> Self:
        return self.filter(conference__status="published").finished()

    def finished(self) -> Self:
        """Select events that are no drafts, and in none; their conference may be one."""
        drafts = [Q(**{f"{within}status": Status.DRAFT}) for within in ("", "session__", "session__session__")]
        return self.exclude(Q(*drafts, _connector=Q.OR))

    def bookmarked_in(self, agenda: int, *levels: str) -> Self:
        """Select events bookmarked at one of these levels, or at any; annotate ``presents``."""
        at_level = {"bookmarks__level__in": levels} if levels else {}
        bookmarked = self.filter(bookmarks__agenda=agenda, bookmarks__removed_at=None, **at_level)
        return bookmarked.annotate(presents=F("bookmarks__presents"))

    def attended_in(self, agenda: int) -> Self:
        return self.bookmarked_in(agenda, "must", "maybe")

    def of_kind(self, *kinds: Kind) -> Self:
        return self.filter(type__kind__in=kinds)

    def with_day(self) -> Self:
        return self.exclude(day=None)

    def with_deadline(self) -> Self:
        """Events with a last moment to sign up."""
        return self.exclude(signup_until=None)

    def keys_inside(self, keys: Iterable[int]) -> set[int]:
        """The keys of what is inside these events, two levels deep."""
        # One condition for both would look through every event of the site.
        children = set(self.filter(session__in=keys).values_list("pk", flat=True))
        return children | set(self.filter(session__in=children).values_list("pk", flat=True))

    def showing(self, row: Revisable) -> Self:
        if not row.event_paths:
            return self.none()
        # A subquery, because joins to many rows would repeat an event.
        shows = Q(*((path, row) for path in row.event_paths), _connector=Q.OR)
        return self.filter(pk__in=self.filter(shows).values("pk"))

    def for_cards(self) -> Self:
        """Fetch everything that a card or a calendar entry shows, in a constant number of queries."""
        related = ["conference", "type", "track", "topic", "day", "session", "paper", *EVENT_PLACES]
        return self.select_related(*related).prefetch_related(*people_prefetches())

    def for_calendars(self) -> Self:
        """Fetch what a calendar entry shows and nothing else."""
        people = people_prefetches(["event", "person__name"], ["paper", "person__name"])
        talks = Prefetch("children", talks_for_calendars())
        return self.only(*CALENDAR_FIELDS).select_related(*CALENDAR_RELATED).prefetch_related(*people, talks)

    def read_for_snapshots(self) -> list[Event]:
        """Read many events: what they share is read once, and only the names of authors."""
        events = list(self.select_related("paper").prefetch_related(*SHARED_BY_EVENTS).defer("imported", "paper__imported"))
        read_relations(events, talks_for_calendars().filter(session__in=[event.pk for event in events]))
        return events

    def for_snapshots(self) -> Self:
        related = ["conference", "type", "track", "topic", "day", "session__session", "paper", "room__zone__venue"]
        related += ["overflow_room", "service__zone__venue", "service__room__zone__venue"]
        people = people_prefetches(["event", "role", "remote", "person__name"], ["paper", "person__name"])
        return (
            self.select_related(*related)
            .prefetch_related(*people, Prefetch("children", talks_for_calendars()), "links")
            .defer("imported", "paper__imported")
        )

    def in_order(self, *first: str) -> Self:
        return self.order_by(
            *first, F("day__date").asc(nulls_last=True), F("start").asc(nulls_last=True), "position", "title", "pk"
        )

    def record_changes(self, *, reason: str = "", quiet: bool = False, group: ChangeGroup | None = None) -> list[Change]:
        """Record what attendees see differently in these events since their last published snapshot.

        Write Change rows, raise ``sequence`` and ``revised_at`` of what changed, and the conference's revision once.
        ``quiet`` leaves out the rows that say "new", for a programme that somebody else published. ``group`` is of
        one conference.
        """
        changes: list[Change] = []
        with transaction.atomic():
            for conference_id in self.order_by("conference").values_list("conference", flat=True).distinct():
                conference = Conference.objects.select_for_update().get(pk=conference_id)
                pks = list(self.filter(conference=conference).order_by("pk").values_list("pk", flat=True))
                changes += record_changes(conference, pks, reason=reason, quiet=quiet, group=group)
        return changes


class Event(Imported):
    conference = models.ForeignKey(Conference, models.CASCADE, related_name="events")
    guid = models.UUIDField(default=uuid.uuid4, editable=False)
    type = models.ForeignKey(EventType, models.RESTRICT, related_name="events")
    title = LineField(max_length=300)
    subtitle = LineField(max_length=300, blank=True, default="", db_default="", help_text="Shown below the title.")
    language = LanguageField(help_text="Of title and abstract: de, pt-BR, German. Empty: that of the conference.")
    abstract = ProseField(help_text="Markdown and $TeX$.")
    description = ProseField(default="", db_default="", help_text="A longer text, shown after the abstract.")
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
    recording_license = LineField(
        "licence of the recording", max_length=200, blank=True, default="", db_default="", help_text="CC BY 4.0"
    )
    do_not_record = models.BooleanField(
        "not recorded",
        null=True,
        blank=True,
        help_text="Yes: its page says so. Unknown: neither its page nor an export says anything.",
    )
    notes = ProseField("what was said", help_text="Shown apart from the abstract, with its source.")
    notes_source = WebAddressField("source of the notes")

    export_number = models.PositiveIntegerField(
        "number in exports",
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_EXPORT_NUMBER)],
        help_text="Its id in the system it comes from. Empty: computed from its guid.",
    )
    export_slug = LineField(
        "slug in exports",
        max_length=300,
        blank=True,
        default="",
        db_default="",
        help_text="Its slug in the system it comes from. Empty: made of conference, type and guid.",
    )
    logo_url = WebAddressField("logo", default="", db_default="", help_text="Its address, for exports: no page shows it.")

    sequence = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revised_at = models.DateTimeField(default=timezone.now, editable=False)
    announced = models.JSONField(default=dict, editable=False)
    history = SharedRecords(excluded_fields=["announced", "imported", "sequence", "revised_at", "created_at"])

    # Set by bookmarked_in(): the visitor presents it.
    presents = False

    objects = EventQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["conference", "day", "start"], name="event_by_day"),
            models.Index(fields=["conference", "status"], name="event_by_status"),
            models.Index(fields=["conference", "title"], name="event_by_title"),
            # For the few events at the top of the programme, among thousands of talks and posters.
            models.Index(fields=["conference", "session", "start"], name="event_by_session"),
            models.Index(fields=["room", "day", "type"], name="event_by_room"),
        ]
        constraints = [
            unique_guid("event"),
            unique_source("event"),
            models.CheckConstraint(
                # A comparison with NULL is not false in SQL, so the condition names both.
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
        return event_url(self.conference.slug, self.pk, self.title)

    @property
    def is_public(self) -> bool:
        return not self.is_draft and self.conference.status == "published"

    @property
    def is_draft(self) -> bool:
        """True also inside a draft. In a published conference only organisers see it."""
        inside = [self.session, self.session.session] if self.session else []
        return any(event.status == Status.DRAFT for event in [self, *inside] if event)

    @property
    def is_cancelled(self) -> bool:
        return self.status == Status.CANCELLED

    @property
    def is_tba(self) -> bool:
        return self.start is None

    @property
    def is_asterisked(self) -> bool:
        """True for an official social at the venue, whose title gets an asterisk."""
        return self.type.kind == Kind.SOCIAL and self.official and bool(self.at_venue)

    @property
    def minutes(self) -> int | None:
        return int((self.end - self.start) / dt.timedelta(minutes=1)) if self.start and self.end else None

    @property
    def location(self) -> str:
        location = ", ".join(filter(None, [self.place, self.room.location if self.room else ""]))
        return location or (self.service.location if self.service else "")

    @property
    def texts(self) -> list[str]:
        """Abstract and description; only the longer one where it contains the other, as some programs write them."""
        texts = [text for text in (self.abstract, self.description) if text.strip()]
        if len(texts) == 2 and (texts[0] in texts[1] or texts[1] in texts[0]):
            return [max(texts, key=len)]
        return texts

    @property
    def people_names(self) -> list[str]:
        return [appearance.person.name for appearance in self.appearances.all()]

    @property
    def talks(self) -> list[Event]:
        hidden = () if drafts_are_shown() else (Status.DRAFT,)
        talks = [child for child in self.children.all() if child.status not in hidden and child.type.kind in TALK_KINDS]
        return sorted(talks, key=lambda it: (it.start is None, it.start and it.start.timestamp(), it.title, it.guid))

    def public_snapshot(self) -> dict[str, str]:
        """Return the public fields as text, without empty ones; {} while the event is hidden."""
        if not self.is_public:
            return {}
        paper = self.paper if self.paper and self.paper.is_public else None
        snapshot = {
            "title": self.title,
            "language": self.language,
            "type": self.type.name,
            "track": self.track.name if self.track else "",
            "topic": str(self.topic or ""),
            "day": self.day.date.isoformat() if self.day else "",
            "start": instant_text(self.start),
            "end": instant_text(self.end),
            "room": self.room.name if self.room else self.place,
            "location": self.location,
            "venue": digest(*venue_texts(self.conference, self.room)),
            "status": self.status,
            "session": self.session.title if self.session else "",
            "within": str(self.session.guid) if self.session else "",
            "talks": digest(*(_talk_line(talk) for talk in self.talks)),
            "people": ", ".join(self.people_names),
            "board": self.board,
            "official": "yes" if self.official else "",
            "audience": self.audience,
            "signup_url": self.signup_url,
            "signup_state": self.signup_state,
            "signup_until": instant_text(self.signup_until),
            "cost": self.cost,
            "capacity": str(self.capacity or ""),
            "access": digest(self.access_notes),
            "overflow": self.overflow_room.name if self.overflow_room else "",
            "stream_url": self.stream_url,
            "recording_url": self.recording_url,
            "recording_from": self.recording_from.isoformat() if self.recording_from else "",
            "paper": f"{paper.title} {', '.join(paper.author_names)}" if paper else "",
            "subtitle": self.subtitle,
            "description": digest(self.description),
            "do_not_record": "yes" if self.do_not_record else "",
            "recording_license": self.recording_license,
            # No page shows these, but exports do.
            "exported": digest(
                *(str(self.export_number or ""), self.export_slug, self.logo_url, "no" if self.do_not_record is False else "")
            ),
            "text": digest(self.abstract, self.notes, paper.tldr if paper else "", paper.abstract if paper else ""),
            "extras": digest(
                *(self.notes_source, str(self.recording_offset or ""), str(self.at_venue), str(self.travel_minutes)),
                *(f"{link.kind} {link.url} {link.title}" for link in self.links.all()),
                *(f"{it.role} {it.remote}" for it in self.appearances.all()),
            ),
        }
        return {name: value for name, value in snapshot.items() if value}

    def save_changed(self) -> bool:
        """Save if a field differs from the stored row; an unchanged event gets no entry in its history."""
        with transaction.atomic():
            # Lock the conference first, as imports do: of two saves at once the second waits here, without a deadlock.
            Conference.objects.select_for_update().filter(pk=self.conference_id).first()
            stored = Event.objects.filter(pk=self.pk).values(*(f.attname for f in Event._meta.concrete_fields)).first()
            if stored is not None:
                # Changes recorded since this instance was read stay: calendars would ignore a sequence that falls.
                self.announced, self.sequence, self.revised_at = (stored.pop(name) for name in SNAPSHOT_FIELDS)
                differing = {name for name, value in stored.items() if getattr(self, name) != value}
                if not differing:
                    return False
                if differing & UNANNOUNCED_FIELDS or ("room_id" in differing and self.is_namesake(stored["room_id"])):
                    # The snapshots do not show that pages change.
                    self.conference.bump_revision()
            self.save()
        return True

    def is_namesake(self, room_id: int | None) -> bool:
        """Whether that other room has the name of its room."""
        if self.room_id is None or room_id is None:
            return False
        return Room.objects.filter(pk__in=[self.room_id, room_id]).values("name").distinct().count() < 2

    def revise(self, *, reason: str = "") -> list[Change]:
        """Save, and record what attendees see differently in this event and in its children."""
        with transaction.atomic():
            self.save_changed()
            keys = {self.pk, *Event.objects.keys_inside([self.pk])}
            changes = Event.objects.filter(pk__in=keys).record_changes(reason=reason)
            self.refresh_from_db(fields=["sequence", "revised_at", "announced"])
        return changes


def talks_for_calendars() -> EventQuerySet:
    shown = ("guid", "session", "status", "title", "start", "end", "place", "type__kind", "room__name")
    return Event.objects.exclude(status=Status.DRAFT).of_kind(*TALK_KINDS).select_related("type", "room").only(*shown)


def _talk_line(talk: Event) -> str:
    room = talk.room.name if talk.room else ""
    return " ".join([instant_text(talk.start), instant_text(talk.end), talk.place, room, talk.status, talk.title])
