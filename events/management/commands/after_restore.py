"""Have calendars and caches notice that a backup was put back."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from events.models import Conference
from events.models.restoring import outrun


class Command(BaseCommand):
    help = "Run once after a backup was put back: what was given out since it was made is told from what is there now."

    def handle(self, *args: Any, **options: Any) -> None:
        conferences = list(Conference.objects.order_by("slug"))
        for conference in conferences:
            outrun(conference)
        names = ", ".join(conference.slug for conference in conferences) or "none"
        self.stdout.write(f"Calendars and caches will fetch anew: {names}.")
