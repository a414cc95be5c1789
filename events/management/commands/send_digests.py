"""Write to those who want it what changed in their agendas."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.mail.digests import send_digests
from events.mail.postman import deliver


class Command(BaseCommand):
    help = "Mail what changed in an agenda since its holder was written to last; once a day, from cron."

    def handle(self, *args: Any, **options: Any) -> None:
        written = send_digests(timezone.now())
        deliver()
        self.stdout.write(f"{written} digest{'' if written == 1 else 's'} written.")
