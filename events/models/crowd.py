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

# Who stood where is nobody's business once its age is told no more.
KEPT = dt.timedelta(hours=3)
# Nobody is in two places within half a minute.
PAUSE = dt.timedelta(seconds=30)
# An agenda made to be believed, or a pick, weighs little until it is older than this.
KNOWN_AFTER = dt.timedelta(hours=1)
PICKED_FOR = LASTS
WELL_KNOWN, FRESH, UNHEARD = 2, 1, 0


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
    def say(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime | None = None, *, counts: bool = True) -> bool:
        """An agenda's word about where this is on, in place of the one it gave there before.

        False, and nothing is written, if it said something about another place a moment ago.
        ``now`` is when it was said: who waits for others here reads in the answer what they said before that.
        One that does not count is kept, and adds nothing to what others say.
        """
        return agenda.change(lambda then: cls._say(agenda, event, state, now or then, counts=counts), in_calendars=False)

    @classmethod
    def is_of_a_stranger(cls, agenda: Agenda, event: Event, now: dt.datetime) -> bool:
        """Whether a word about this would be the first one here of somebody of whom little is known."""
        return weight_of(agenda, event, now) == FRESH and not cls.objects.filter(agenda=agenda, **_about(event)).exists()

    @classmethod
    def _say(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime, *, counts: bool) -> bool:
        about = _about(event)
        mine = cls.objects.filter(agenda=agenda)
        if mine.filter(at__gt=now - PAUSE).exclude(**about).exists():
            return False
        weight = weight_of(agenda, event, now)
        if word := mine.filter(**about).first():
            # What once did not count may, when more is known of who said it.
            word.state, word.at, word.weight = state, now, max(word.weight, weight if weight > FRESH else UNHEARD)
            word.save()
            return True
        cls.objects.too_old(now).delete()
        said = {"state": state, "at": now, "weight": weight if counts else UNHEARD}
        cls.objects.create(conference_id=event.conference_id, agenda=agenda, **about, **said)
        return True

    @classmethod
    def say_as_staff(cls, place: Room | Service, state: str) -> CrowdReport:
        """Stands against all that attendees say, until it is too old or staff say another thing."""
        now = timezone.now()
        with short_write():
            cls.objects.too_old(now).delete()
            about = {_kind(place): place, "event": whats_on(place, now)}
            return cls.objects.create(conference_id=place.conference_id, by_staff=True, state=state, at=now, **about)

    @classmethod
    def take_back_as_staff(cls, place: Room | Service) -> None:
        """What attendees say counts again."""
        with short_write():
            cls.objects.filter(**{_kind(place): place}, by_staff=True).delete()


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


def whats_on(place: Room | Service, now: dt.datetime) -> Event | None:
    """What is on there, else what people come there for by now."""
    # Who stands in line at a desk fills no seat of the room it is in.
    there = {"service": place} if isinstance(place, Service) else {"room": place, "service": None}
    then = Event.objects.public().filter(start__lte=now + AHEAD, end__gt=now, **there).exclude(status=Status.CANCELLED)
    return then.order_by(F("session").asc(nulls_first=True), "start", "pk").first()


def _kind(place: Room | Service) -> str:
    return "service" if isinstance(place, Service) else "room"


def _about(event: Event) -> dict[str, Any]:
    """The place and what is on there, as a report names them."""
    if event.service_id:
        return {"service_id": event.service_id, "room_id": None, "event_id": event.pk}
    return {"service_id": None, "room_id": event.room_id, "event_id": slot_of(event)}
