"""Mail changes of agendas to the visitors who asked for it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.accounts.mail import send_digests
from events.doctor.models import CommandRun
from events.mail.outbox import deliver


class Command(BaseCommand):
    help = "Mail what changed in each agenda since the last digest to visitors who want it; once a day, from cron."

    def handle(self, *args: Any, **options: Any) -> None:
        written = send_digests(timezone.now())
        deliver()
        CommandRun.objects.record("send_digests")
        self.stdout.write(f"{written} digest{'' if written == 1 else 's'} written.")
