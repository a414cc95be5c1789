"""After the restore of a backup: raise revisions, so that calendars and caches update, and drop the letters it had waiting."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from events.core.db.writing import serialized_write
from events.mail.models import Letter
from events.programme.models.conference import Conference
from events.programme.models.publishing import bump_past_backup


class Command(BaseCommand):
    help = (
        "Run once after a backup was restored, before the server starts: calendars and caches then fetch everything again, "
        "and letters that were waiting when it was made are not sent."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        conferences = list(Conference.objects.order_by("slug"))
        for conference in conferences:
            bump_past_backup(conference)
        names = ", ".join(conference.slug for conference in conferences) or "none"
        self.stdout.write(f"Calendars and caches will fetch everything again: {names}.")
        # The site that made the backup has sent them.
        with serialized_write():
            dropped, _ = Letter.objects.all().delete()
        self.stdout.write(f"Letters of the backup that will not be sent: {dropped}.")
