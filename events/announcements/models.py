"""The announcements that a visitor has dismissed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.programme.models.changes import Announcement


class AnnouncementDismissalManager(models.Manager["AnnouncementDismissal"]):
    def dismiss(self, agenda: Agenda, announcements: Iterable[Announcement]) -> bool:
        """Store those that are not stored yet; return False if all were."""
        known = set(self.filter(agenda=agenda).values_list("announcement", flat=True))
        rows = [AnnouncementDismissal(agenda=agenda, announcement=it) for it in announcements if it.pk not in known]
        # Calendars have no announcements.
        return bool(rows) and agenda.change(lambda now: bool(self.bulk_create(rows, ignore_conflicts=True)), in_calendars=False)


class AnnouncementDismissal(models.Model):
    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="dismissals")
    announcement = models.ForeignKey(Announcement, models.CASCADE, related_name="dismissals")
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AnnouncementDismissalManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "announcement"], name="dismissal_once_per_agenda")]

    def __str__(self) -> str:
        return f"{self.announcement}: dismissed"
