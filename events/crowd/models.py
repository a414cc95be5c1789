"""Crowd reports: how full a room is, or how long the line of a service."""

from __future__ import annotations

import datetime as dt
from typing import Any, Self

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.agenda.models.bookmarks import attended_q
from events.core.db.writing import serialized_write
from events.crowd.rules import REPORT_LEAD, REPORT_TTL
from events.programme.models.conference import Conference
from events.programme.models.event import Event
from events.programme.models.labels import Status
from events.programme.models.venue import Room, RoomState, Service

# Older reports are not needed any more, and would show who was where.
REPORT_RETENTION = dt.timedelta(hours=3)
# Nobody is in two places within half a minute.
MIN_REPORT_INTERVAL = dt.timedelta(seconds=30)
# A new agenda or bookmark may exist only for the report: until this age its reports weigh less.
KNOWN_AGENDA_AGE = dt.timedelta(hours=1)
KNOWN_BOOKMARK_AGE = REPORT_TTL
MAX_STAFF_NAME_CHARS = 150
KNOWN_WEIGHT, NEWCOMER_WEIGHT, UNCOUNTED_WEIGHT = 2, 1, 0


class CrowdQuerySet(models.QuerySet["CrowdReport"]):
    def since(self, start: dt.datetime, now: dt.datetime) -> Self:
        return self.filter(at__gt=start, at__lte=now)

    def too_old(self, now: dt.datetime) -> Self:
        return self.filter(at__lte=now - REPORT_RETENTION)


class CrowdReport(models.Model):
    """A report by an agenda or by staff: about a room during an event in it, or about the line of a service."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="crowd_reports")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    # The report ends with its event. Staff may report about a room without one.
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    by_staff = models.BooleanField(default=False)
    # Who of staff it was, for the other ones; deleted with the report.
    staff_name = models.CharField(max_length=MAX_STAFF_NAME_CHARS, blank=True, default="", db_default="")
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
    def record(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime | None = None, *, counts: bool = True) -> bool:
        """Record an agenda's report about the place of an event, replacing its previous one there.

        Return False, and write nothing, if the agenda reported about another place within MIN_REPORT_INTERVAL. ``now`` is the
        time of the request, which is earlier than the write if other writers have the lock. With ``counts=False`` the report
        is stored, but has no weight.
        """
        return agenda.change(lambda then: cls._record(agenda, event, state, now or then, counts=counts), in_calendars=False)

    @classmethod
    def is_from_newcomer(cls, agenda: Agenda, event: Event, now: dt.datetime) -> bool:
        return (
            reporter_weight(agenda, event, now) == NEWCOMER_WEIGHT
            and not cls.objects.filter(agenda=agenda, **_report_target(event)).exists()
        )

    @classmethod
    def _record(cls, agenda: Agenda, event: Event, state: str, now: dt.datetime, *, counts: bool) -> bool:
        target = _report_target(event)
        mine = cls.objects.filter(agenda=agenda)
        if mine.filter(at__gt=now - MIN_REPORT_INTERVAL).exclude(**target).exists():
            return False
        weight = reporter_weight(agenda, event, now)
        if report := mine.filter(**target).first():
            # A report that did not count may count once more is known of the agenda.
            report.weight = max(report.weight, weight if weight > NEWCOMER_WEIGHT else UNCOUNTED_WEIGHT)
            report.state, report.at = state, now
            report.save()
            return True
        cls.objects.too_old(now).delete()
        values = {"state": state, "at": now, "weight": weight if counts else UNCOUNTED_WEIGHT}
        cls.objects.create(conference_id=event.conference_id, agenda=agenda, **target, **values)
        return True

    @classmethod
    def record_as_staff(cls, place: Room | Service, state: str, by: str = "") -> CrowdReport:
        """Override all reports of attendees, until this one expires or staff record another. ``by`` is a name for other staff."""
        now = timezone.now()
        with serialized_write():
            cls.objects.too_old(now).delete()
            target = {_place_field(place): place, "event": current_event(place, now)}
            said = {"by_staff": True, "staff_name": by[:MAX_STAFF_NAME_CHARS], "state": state, "at": now}
            return cls.objects.create(conference_id=place.conference_id, **said, **target)

    @classmethod
    def delete_staff_report(cls, place: Room | Service) -> None:
        with serialized_write():
            cls.objects.filter(**{_place_field(place): place}, by_staff=True).delete()


def report_event_id(event: Event) -> int:
    """Return the id of a talk's session, if that is in the same room; else of the event."""
    session = event.session
    return session.pk if session and session.room_id == event.room_id and session.start else event.pk


def reporter_weight(agenda: Agenda, event: Event, now: dt.datetime) -> int:
    if agenda.created_at <= now - KNOWN_AGENDA_AGE:
        return KNOWN_WEIGHT
    bookmarks = agenda.bookmarks.filter(
        attended_q(), event__in=[event.pk, report_event_id(event)], created_at__lte=now - KNOWN_BOOKMARK_AGE
    )
    return KNOWN_WEIGHT if bookmarks.exists() else NEWCOMER_WEIGHT


def current_event(place: Room | Service, now: dt.datetime) -> Event | None:
    """Return the running event, else the one that begins within REPORT_LEAD."""
    # People in the line of a service take no seats of the room it is in.
    there = {"service": place} if isinstance(place, Service) else {"room": place, "service": None}
    events = Event.objects.public().filter(start__lte=now + REPORT_LEAD, end__gt=now, **there).exclude(status=Status.CANCELLED)
    return events.order_by(F("session").asc(nulls_first=True), "start", "pk").first()


def _place_field(place: Room | Service) -> str:
    return "service" if isinstance(place, Service) else "room"


def _report_target(event: Event) -> dict[str, Any]:
    if event.service_id:
        return {"service_id": event.service_id, "room_id": None, "event_id": event.pk}
    return {"service_id": None, "room_id": event.room_id, "event_id": report_event_id(event)}
