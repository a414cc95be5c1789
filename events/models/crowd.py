"""How full a room is and how long a line is, as people there say."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.models.conference import Conference
from events.models.event import Event, Status
from events.models.picks import is_attended
from events.models.services import Service
from events.models.venue import Room, RoomState
from events.models.writing import short_write
from events.schedule.crowd import AHEAD, LASTS

if TYPE_CHECKING:
    from events.models.agenda import Agenda

# Who stood where is nobody's business the day after.
KEPT = dt.timedelta(days=1)
# Nobody is in two places within half a minute.
PAUSE = dt.timedelta(seconds=30)
# An agenda made to be believed, or a pick, weighs little until it is older than this.
KNOWN_AFTER = dt.timedelta(hours=1)
PICKED_FOR = LASTS
WELL_KNOWN, FRESH = 2, 1


class CrowdQuerySet(models.QuerySet["CrowdReport"]):
    def since(self, start: dt.datetime, now: dt.datetime) -> Self:
        return self.filter(at__gt=start, at__lte=now)

    def too_old(self, now: dt.datetime) -> Self:
        return self.filter(at__lte=now - KEPT)


class CrowdReport(models.Model):
    """One word of one agenda or of staff, about a room while something is on in it, or about a service's line."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="crowd_reports")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    # What is on there: its end is the end of the word, too. Nothing: staff's, of a room in which nothing is on.
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    by_staff = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=RoomState)
    weight = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)

    objects = CrowdQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["conference", "at"], name="crowd_by_time")]
        constraints = [
            models.CheckConstraint(
                condition=Q(room=None, service__isnull=False) | Q(room__isnull=False, service=None),
                name="crowd_report_about_one_place",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.room or self.service}"

    @classmethod
    def say(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime | None = None) -> bool:
        """An agenda's word about where this is on, in place of the one it gave there before.

        False, and nothing is written, if it said something about another place a moment ago.
        ``now`` is when it was said: who waits for others here reads in the answer what they said before that.
        """
        return agenda.change(lambda then: cls._say(agenda, event, state, now or then), in_calendars=False)

    @classmethod
    def _say(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime) -> bool:
        about = _about(event)
        mine = cls.objects.filter(agenda=agenda)
        if mine.filter(at__gt=now - PAUSE).exclude(**about).exists():
            return False
        said = {"state": state, "at": now, "weight": weight_of(agenda, event, now)}
        if not mine.filter(**about).update(**said):
            cls.objects.too_old(now).delete()
            cls.objects.create(conference_id=event.conference_id, agenda=agenda, **about, **said)
        return True

    @classmethod
    def say_as_staff(cls, room: Room, state: str) -> CrowdReport:
        """Stands against all that attendees say, until it is too old or staff say another thing."""
        now = timezone.now()
        with short_write():
            cls.objects.too_old(now).delete()
            about = {"room": room, "event": whats_on(room, now)}
            return cls.objects.create(conference_id=room.conference_id, by_staff=True, state=state, at=now, **about)

    @classmethod
    def take_back_as_staff(cls, room: Room) -> None:
        """What attendees say counts again."""
        with short_write():
            cls.objects.filter(room=room, by_staff=True).delete()


def slot_of(event: Event) -> int:
    """The key of what one sits through: a talk's session, if that is in the same room."""
    session = event.session
    return session.pk if session and session.room_id == event.room_id and session.start else event.pk


def weight_of(agenda: Agenda, event: Event, now: dt.datetime) -> int:
    """How much is known of who says it."""
    if agenda.created_at <= now - KNOWN_AFTER:
        return WELL_KNOWN
    picked = agenda.bookmarks.filter(is_attended(), event__in=[event.pk, slot_of(event)], created_at__lte=now - PICKED_FOR)
    return WELL_KNOWN if picked.exists() else FRESH


def whats_on(room: Room, now: dt.datetime) -> Event | None:
    """What is on in the room, else what people come to it for by now."""
    then = Event.objects.public().filter(room=room, start__lte=now + AHEAD, end__gt=now).exclude(status=Status.CANCELLED)
    return then.order_by(F("session").asc(nulls_first=True), "start", "pk").first()


def _about(event: Event) -> dict[str, Any]:
    """The place and what is on there, as a report names them."""
    if event.service_id:
        return {"service_id": event.service_id, "room_id": None, "event_id": event.pk}
    return {"service_id": None, "room_id": event.room_id, "event_id": slot_of(event)}
