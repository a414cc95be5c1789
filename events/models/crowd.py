"""How full a room is and how long a line is, as people there say."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from events.models.conference import Conference
from events.models.event import Event
from events.models.services import Service
from events.models.venue import Room, RoomState


class CrowdReport(models.Model):
    """One word of one agenda or of staff, about a room while something is on in it, or about a service's line."""

    conference = models.ForeignKey(Conference, models.CASCADE, related_name="crowd_reports")
    room = models.ForeignKey(Room, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    service = models.ForeignKey(Service, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    event = models.ForeignKey(Event, models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    agenda = models.ForeignKey("events.Agenda", models.CASCADE, null=True, blank=True, related_name="crowd_reports")
    by_staff = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=RoomState)
    weight = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField(default=timezone.now)

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
