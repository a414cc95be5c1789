"""Send what is in the outbox."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from events.mail.postman import deliver, tidy
from events.models import CrowdReport, Question

PAUSE, HOUR = 10.0, 3600.0


class Command(BaseCommand):
    help = "Send the letters that are due, and throw away what nobody waits for any more."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--watch", action="store_true", help="go on, looking every ten seconds")

    def handle(self, *args: Any, **options: Any) -> None:
        throw_away()
        sent = deliver()
        tidied_at = time.monotonic()
        while options["watch"]:
            time.sleep(PAUSE)
            if time.monotonic() - tidied_at >= HOUR:
                throw_away()
                tidied_at = time.monotonic()
            sent = deliver()
        self.stdout.write(f"{sent} letter{'' if sent == 1 else 's'} sent.")


def throw_away() -> None:
    """What nobody waits for, and what was to be kept no longer, also where nothing else is run from cron."""
    tidy()
    Question.objects.erase_overdue(timezone.now())
    CrowdReport.objects.too_old(timezone.now()).delete()
