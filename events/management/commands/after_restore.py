"""Raise revisions after the restore of a backup, so that calendars and caches update."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from events.programme.models.conference import Conference
from events.programme.models.publishing import bump_past_backup


class Command(BaseCommand):
    help = "Run once after a backup was restored: calendars and caches then fetch everything again."

    def handle(self, *args: Any, **options: Any) -> None:
        conferences = list(Conference.objects.order_by("slug"))
        for conference in conferences:
            bump_past_backup(conference)
        names = ", ".join(conference.slug for conference in conferences) or "none"
        self.stdout.write(f"Calendars and caches will fetch everything again: {names}.")
