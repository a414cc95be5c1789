"""The announcements that a visitor has dismissed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import models
from django.utils import timezone

from events.agenda.models.agenda import Agenda
from events.programme.models.changes import Announcement


class AnnouncementDismissalManager(models.Manager["AnnouncementDismissal"]):
    def dismiss(self, agenda: Agenda, announcements: Iterable[Announcement], words: Mapping[int, str] | None = None) -> bool:
        """Store those that are not stored yet, or not with these words; return False if all were."""
        known = dict(self.filter(agenda=agenda).values_list("announcement", "words_digest"))
        seen = {it.pk: (words or {}).get(it.pk, "") for it in announcements}
        rows = [
            AnnouncementDismissal(agenda=agenda, announcement_id=pk, words_digest=it)
            for pk, it in seen.items()
            if known.get(pk) != it
        ]
        # Calendars have no announcements.
        return bool(rows) and agenda.change(lambda now: bool(self._store(rows)), in_calendars=False)

    def _store(self, rows: list[AnnouncementDismissal]) -> list[AnnouncementDismissal]:
        keys = ["agenda", "announcement"]
        return self.bulk_create(rows, update_conflicts=True, unique_fields=keys, update_fields=["words_digest", "at"])


class AnnouncementDismissal(models.Model):
    agenda = models.ForeignKey(Agenda, models.CASCADE, related_name="dismissals")
    announcement = models.ForeignKey(Announcement, models.CASCADE, related_name="dismissals")
    at = models.DateTimeField(default=timezone.now, editable=False)
    words_digest = models.CharField(max_length=6, blank=True, default="", db_default="", editable=False)
    """A digest of what was dismissed: a correction is shown. Empty if it is unknown."""

    objects = AnnouncementDismissalManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["agenda", "announcement"], name="dismissal_once_per_agenda")]

    def __str__(self) -> str:
        return f"{self.announcement}: dismissed"
